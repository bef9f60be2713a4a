/** A skin and its joints as a GLB file has them, with the file's weights given to our bones. */
import type { Accessor, Skin } from "@gltf-transform/core";
import { cross, dot, type Vector3 } from "../../env/vector3.ts";
import { ALL_JOINTS } from "./joint_names.ts";
import { modelError } from "./model_error.ts";
import { numbersAt, readGlb } from "./read_glb.ts";
import type { SkinMesh, SkinVertex, Triangle, Weights } from "./skin_mesh.ts";

export interface FileSkin {
  /** Vertices as the file has them, not yet welded. */
  readonly mesh: SkinMesh;
  /** Where the joints were when the skin was bound to them, in the mesh's frame, by the file's names. */
  readonly joints: ReadonlyMap<string, Vector3>;
}

/** @throws BenchError that says what is wrong with the file, its numbers or its weights */
export async function readSkin(bytes: Uint8Array, name: string): Promise<FileSkin> {
  const { skin, positions, joints, weights, indices } = await readGlb(bytes, name);
  const names = skin.listJoints().map((joint) => joint.getName());
  const bones = names.map((joint) => ALL_JOINTS.find(({ names }) => names.includes(joint))?.bone ?? null);
  const boneOf = (joint: number, vertex: number): number => {
    const bone = bones[joint] ?? null;
    if (bone !== null) return bone;
    throw modelError(
      name,
      `vertex ${vertex} hangs on the joint ${names[joint] ?? `number ${joint}`}, which no hand has`,
      "Name the joints as WebXR's generic hand or Ultraleap's hands do",
    );
  };
  const vertices = Array.from({ length: positions.getCount() }, (_, i): SkinVertex => {
    const [x, y, z] = numbersAt(positions, i);
    const shares = numbersAt(weights, i);
    checkShares(shares, i, name);
    return {
      position: [x, y, z],
      weights: boneWeights(numbersAt(joints, i), shares, (joint) => boneOf(joint, i)),
    };
  });
  const triangles = trianglesOf(indices, vertices.length);
  const centres = bindPositions(skin, names);
  checkNumbers(vertices, triangles, centres, name);
  return { mesh: { vertices, triangles }, joints: centres };
}

/** Four 8-bit weights, each rounded to the next 1/255, sum to 1 within this. */
const WEIGHT_TOLERANCE = 4 * 0.5 / 255 + 1e-6;

/** What rounding leaves is scaled away when the weights are packed. */
function checkShares(shares: readonly number[], vertex: number, name: string): void {
  const sum = shares.reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) <= WEIGHT_TOLERANCE && shares.every((share) => share >= 0)) return;
  const listed = shares.map((share) => share.toPrecision(3)).join(", ");
  throw modelError(
    name,
    `the weights of vertex ${vertex} are ${listed}, and must be at least 0 and sum to 1`,
    "Normalise the weights before exporting",
  );
}

function boneWeights(
  joints: readonly number[],
  shares: readonly number[],
  boneOf: (joint: number) => number,
): Weights {
  const weights = new Map<number, number>();
  joints.forEach((joint, k) => {
    if (shares[k] === 0) return;
    const bone = boneOf(joint);
    weights.set(bone, (weights.get(bone) ?? 0) + shares[k]);
  });
  return weights;
}

function trianglesOf(indices: Accessor | null, vertices: number): Triangle[] {
  const corner = (i: number) => indices === null ? i : indices.getScalar(i);
  const count = Math.floor((indices === null ? vertices : indices.getCount()) / 3);
  return Array.from(
    { length: count },
    (_, t): Triangle => [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)],
  );
}

/** The joints' origins: what the inverse bind matrices take to zero. */
function bindPositions(skin: Skin, names: readonly string[]): Map<string, Vector3> {
  const inverses = skin.getInverseBindMatrices();
  return new Map(
    names.map((joint, i) => [joint, inverses === null ? [0, 0, 0] : originOf(numbersAt(inverses, i))]),
  );
}

/** −A⁻¹ t of the column-major 4×4 matrix [A | t], by Cramer's rule. */
function originOf(m: readonly number[]): Vector3 {
  const column = (i: number): Vector3 => [m[4 * i], m[4 * i + 1], m[4 * i + 2]];
  const [a, b, c, t] = [0, 1, 2, 3].map(column);
  const volume = dot(a, cross(b, c));
  return [-dot(t, cross(b, c)) / volume, -dot(a, cross(t, c)) / volume, -dot(a, cross(b, t)) / volume];
}

function checkNumbers(
  vertices: readonly SkinVertex[],
  triangles: readonly Triangle[],
  joints: ReadonlyMap<string, Vector3>,
  name: string,
): void {
  const finite = (point: Vector3) => point.every(Number.isFinite);
  const vertex = vertices.findIndex(({ position }) => !finite(position));
  const joint = [...joints].find(([, centre]) => !finite(centre));
  const stray = triangles.flat().find((corner) => corner >= vertices.length);
  const why = vertex >= 0
    ? `vertex ${vertex} is at ${vertices[vertex].position.join(", ")}`
    : joint !== undefined
    ? `the joint ${joint[0]} has no finite place`
    : stray !== undefined
    ? `a triangle names vertex ${stray} of ${vertices.length}`
    : null;
  if (why !== null) throw modelError(name, why, "Export the hand again");
}
