/** From a file's skin to a right hand at rest: welded, turned, with a forearm, its weights ready for the bones. */
import { sha256 } from "../../env/hash.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { blendWrist, spreadTwist, strongest } from "./arm_weights.ts";
import { BONES, INFLUENCES } from "./bones.ts";
import type { Finger } from "./controls.ts";
import { cutWrist, stitchForearm } from "./forearm.ts";
import { type HandModel, type JointCentres, SEGMENTS } from "./hand_model.ts";
import { ELBOW, FINGER_JOINTS, type NamedJoint, THUMB_JOINTS, WRIST } from "./joint_names.ts";
import { doubledFault, manifoldFault, openLoops, placeOf } from "./manifold.ts";
import { mapJoints } from "./map_joints.ts";
import { modelError } from "./model_error.ts";
import { palmFrame } from "./palm_frame.ts";
import type { FileSkin } from "./read_skin.ts";
import { toRestFrame } from "./rest_frame.ts";
import { signedVolume, type SkinMesh, weld } from "./skin_mesh.ts";

/** @throws BenchError that says what is wrong with the skin */
export function makeRightHand(skin: FileSkin, name: string): HandModel {
  const file = jointCentres(skin.joints, name);
  const toRest = toRestFrame(file);
  const joints = mapJoints(file, toRest);
  checkShape(joints, name);
  const hand = weld({
    triangles: skin.mesh.triangles,
    vertices: skin.mesh.vertices.map((vertex) => ({ ...vertex, position: toRest(vertex.position) })),
  });
  checkFit(hand, joints, name);
  const whole = skin.joints.has(ELBOW.names[0]) ? { mesh: hand, joints } : withForearm(hand, joints, name);
  checkSkin(whole.mesh, name);
  return packed(spreadTwist(whole.mesh, whole.joints), whole.joints, name);
}

/** Metres from the wrist to the tip of the middle finger, far below and above those of people. */
const HAND_LENGTH = { min: 0.08, max: 0.4 };

const CLOSE_IT =
  "Make the skin one closed surface; places are metres from the wrist, fingers along +y, palm to −z";

function withForearm(hand: SkinMesh, joints: JointCentres, name: string) {
  const cut = cutWrist(hand);
  const doubled = doubledFault(cut);
  if (doubled !== null) throw modelError(name, doubled, CLOSE_IT);
  const loops = openLoops(cut.triangles);
  if (loops.length !== 1) {
    const places = loops.map(([first]) => placeOf(cut, first)).join(" and ");
    throw modelError(
      name,
      `cut below its wrist, its skin has ${loops.length} openings${places && `, at ${places}`}, not one`,
      CLOSE_IT,
    );
  }
  const { mesh, elbow } = stitchForearm(cut, loops[0]);
  return { mesh: blendWrist(mesh), joints: { ...joints, elbow } };
}

function jointCentres(joints: ReadonlyMap<string, Vector3>, name: string): JointCentres {
  const centre = ({ names }: NamedJoint): Vector3 => {
    const found = names.map((known) => joints.get(known)).find((point) => point !== undefined);
    if (found !== undefined) return found;
    const known = [...joints.keys()];
    throw modelError(
      name,
      `it has no joint ${names.join(" or ")}, only ${known.length === 0 ? "none" : known.join(", ")}`,
      "Name the joints as WebXR's generic hand or Ultraleap's hands do",
    );
  };
  const finger = (i: number): JointCentres["fingers"][Finger] => {
    const [metacarpal, mcp, pip, dip, tip] = FINGER_JOINTS[i].map(centre);
    return [metacarpal, mcp, pip, dip, tip];
  };
  const [carpal, mcp, ip, tip] = THUMB_JOINTS.map(centre);
  const wrist = centre(WRIST);
  return {
    wrist,
    elbow: joints.get(ELBOW.names[0]) ?? wrist,
    thumb: [carpal, mcp, ip, tip],
    fingers: { index: finger(0), middle: finger(1), ring: finger(2), little: finger(3) },
  };
}

function checkShape(joints: JointCentres, name: string): void {
  const length = Math.hypot(...joints.fingers.middle[4]);
  if (!(length >= HAND_LENGTH.min && length <= HAND_LENGTH.max)) {
    throw modelError(name, `the hand is ${length.toPrecision(3)} long`, "Export it in metres");
  }
  if (palmFrame(joints).palmar[2] > 0) {
    throw modelError(name, "it is a left hand", "Give the right one: the left is made as its mirror");
  }
}

/** Past the joints, the skin of a hand may end so much further in or out: shares of the hand's length. */
const SKIN_MARGIN = { in: 0.05, out: 0.25 };

/** Joints alone do not tell the size of the skin that hangs on them. */
function checkFit({ vertices }: SkinMesh, joints: JointCentres, name: string): void {
  const centres = [joints.wrist, ...joints.thumb, ...Object.values(joints.fingers).flat()];
  // What lies below the wrist is a sleeve or a forearm, of any length.
  const skin = vertices.map(({ position }) => position).filter(([, y]) => y >= 0);
  if (skin.length === 0) {
    throw modelError(name, "it has no skin in front of the wrist", "Export the hand again");
  }
  const length = Math.hypot(...joints.fingers.middle[4]);
  for (const [axis, letter] of ["x", "y", "z"].entries()) {
    for (const end of axis === 1 ? [1] : [-1, 1]) {
      const reach = (points: readonly Vector3[]) =>
        points.reduce((most, point) => Math.max(most, end * point[axis]), -Infinity);
      const past = (reach(skin) - reach(centres)) / length;
      if (past >= -SKIN_MARGIN.in && past <= SKIN_MARGIN.out) continue;
      throw modelError(
        name,
        `its skin reaches to ${letter} = ${(end * reach(skin)).toPrecision(3)} m, ` +
          `and its joints to ${(end * reach(centres)).toPrecision(3)} m`,
        "Skin and joints must be of one size and at one place: apply all transforms before exporting",
      );
    }
  }
}

function checkSkin(mesh: SkinMesh, name: string): void {
  const fault = manifoldFault(mesh);
  if (fault !== null) throw modelError(name, fault, CLOSE_IT);
  if (signedVolume(mesh) <= 0) {
    throw modelError(name, "its triangles look inward", "Turn the faces outward before exporting");
  }
}

function packed({ vertices, triangles }: SkinMesh, joints: JointCentres, name: string): HandModel {
  const positions = Float64Array.from(vertices.flatMap(({ position }) => position));
  const influences = vertices.map(({ weights }) => strongest(weights));
  const slots = Array.from({ length: INFLUENCES }, (_, k) => k);
  const boneIndices = Uint8Array.from(influences.flatMap((all) => slots.map((k) => all[k]?.[0] ?? 0)));
  const boneWeights = Float64Array.from(influences.flatMap((all) => slots.map((k) => all[k]?.[1] ?? 0)));
  const corners = Uint32Array.from(triangles.flat());
  const hash = sha256(...[positions, corners, boneIndices, boneWeights].map(bytesOf), JSON.stringify(joints));
  const segments = Uint8Array.from(triangles, (triangle) => segmentOf(triangle.map((i) => influences[i])));
  return {
    name,
    hash,
    side: "right",
    positions,
    triangles: corners,
    boneIndices,
    boneWeights,
    joints,
    segments,
  };
}

/** The segment that carries most of three corners. */
function segmentOf(corners: readonly (readonly [bone: number, weight: number][])[]): number {
  const carried = SEGMENTS.map(() => 0);
  for (const [bone, weight] of corners.flat()) carried[SEGMENTS.indexOf(BONES[bone].segment)] += weight;
  return carried.indexOf(Math.max(...carried));
}

function bytesOf(array: Float64Array | Uint32Array | Uint8Array): Uint8Array {
  return new Uint8Array(array.buffer);
}
