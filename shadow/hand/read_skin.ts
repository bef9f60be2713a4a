/** A skinned mesh and its joints as a GLB file has them. */
import { type Accessor, Primitive, type Skin, WebIO } from "@gltf-transform/core";
import { cross, dot, type Vector3 } from "../../env/vector3.ts";
import { ALL_JOINTS } from "./joint_names.ts";
import { modelError } from "./model_error.ts";
import type { SkinMesh, SkinVertex, Triangle } from "./skin_mesh.ts";

export interface FileSkin {
  /** Vertices as the file has them, not yet welded. */
  readonly mesh: SkinMesh;
  /** Where the joints were when the skin was bound to them, in the mesh's frame, by the file's names. */
  readonly joints: ReadonlyMap<string, Vector3>;
}

/** @throws BenchError when it is no GLB with exactly one skinned triangle mesh, or its weights cannot be used */
export async function readSkin(bytes: Uint8Array, name: string): Promise<FileSkin> {
  const primitive = await onlySkinnedPrimitive(bytes, name);
  const { skin, positions, joints, weights, indices } = primitive;
  const names = skin.listJoints().map((joint) => joint.getName());
  const bones = names.map((joint) => ALL_JOINTS.find(({ names }) => names.includes(joint))?.bone ?? null);
  const vertices = Array.from({ length: positions.getCount() }, (_, i): SkinVertex => {
    const [x, y, z] = numbersAt(positions, i);
    const carried = new Map<number, number>();
    const shares = numbersAt(weights, i);
    const sum = shares.reduce((total, share) => total + share, 0);
    if (!(Math.abs(sum - 1) <= WEIGHT_TOLERANCE) || shares.some((share) => share < 0)) {
      throw modelError(
        name,
        `the weights of vertex ${i} are ${shares.join(", ")}: they sum to ${sum}, not 1`,
        "Normalise the weights before exporting",
      );
    }
    numbersAt(joints, i).forEach((joint, k) => {
      if (shares[k] === 0) return;
      const bone = bones[joint] ?? null;
      if (bone === null) {
        const unknown = names[joint] ?? `number ${joint}`;
        throw modelError(name, `vertex ${i} hangs on the joint ${unknown}, which no hand has`, KNOWN_NAMES);
      }
      carried.set(bone, (carried.get(bone) ?? 0) + shares[k] / sum);
    });
    return { position: [x, y, z], weights: carried };
  });
  const corner = (i: number) => indices === null ? i : indices.getScalar(i);
  const count = indices === null ? vertices.length : indices.getCount();
  const triangles = Array.from(
    { length: count / 3 },
    (_, t): Triangle => [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)],
  );
  return { mesh: { vertices, triangles }, joints: bindPositions(skin, names) };
}

/** Four 8-bit weights, each rounded to the next 1/255, are at most this far from 1. */
const WEIGHT_TOLERANCE = 4 * 0.5 / 255 + 1e-6;

const KNOWN_NAMES = "Joints are named as in WebXR's generic hand (index-finger-phalanx-proximal) or as " +
  "Ultraleap's (Index_Proximal)";

interface SkinnedPrimitive {
  readonly skin: Skin;
  readonly positions: Accessor;
  readonly joints: Accessor;
  readonly weights: Accessor;
  readonly indices: Accessor | null;
}

async function onlySkinnedPrimitive(bytes: Uint8Array, name: string): Promise<SkinnedPrimitive> {
  const document = await new WebIO().readBinary(bytes).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw modelError(name, `it is not a GLB file: ${reason}`, "Export the hand as binary glTF 2.0 (.glb)");
  });
  const nodes = document.getRoot().listNodes().filter((node) => node.getMesh() && node.getSkin());
  const primitives = nodes.flatMap((node) => node.getMesh()?.listPrimitives() ?? []);
  const skin = nodes[0]?.getSkin() ?? null;
  if (skin === null || primitives.length !== 1 || primitives[0].getMode() !== Primitive.Mode.TRIANGLES) {
    throw modelError(
      name,
      `it has ${primitives.length} skinned meshes, and needs one of triangles`,
      "Export one hand as one mesh with one material, its armature, and nothing else",
    );
  }
  const [primitive] = primitives;
  const positions = primitive.getAttribute("POSITION");
  const joints = primitive.getAttribute("JOINTS_0");
  const weights = primitive.getAttribute("WEIGHTS_0");
  if (positions === null || joints === null || weights === null) {
    throw modelError(
      name,
      `its mesh has ${primitive.listSemantics().join(", ") || "no attributes"}`,
      "A skin needs POSITION, JOINTS_0 and WEIGHTS_0",
    );
  }
  if (hasWeight(primitive.getAttribute("WEIGHTS_1"))) {
    throw modelError(
      name,
      "some vertices hang on more than four joints",
      "Limit the weights to four a vertex before exporting",
    );
  }
  return { skin, positions, joints, weights, indices: primitive.getIndices() };
}

function hasWeight(weights: Accessor | null): boolean {
  return weights?.getArray()?.some((weight) => weight !== 0) ?? false;
}

/** The joints' origins: what the inverse bind matrices take to zero. */
function bindPositions(skin: Skin, names: readonly string[]): Map<string, Vector3> {
  const inverses = skin.getInverseBindMatrices();
  return new Map(names.map((name, i) => {
    const matrix = inverses === null ? IDENTITY : numbersAt(inverses, i);
    return [name, originOf(matrix)];
  }));
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** −A⁻¹ t of the column-major 4×4 matrix [A | t], by Cramer's rule. */
function originOf(m: readonly number[]): Vector3 {
  const column = (i: number): Vector3 => [m[4 * i], m[4 * i + 1], m[4 * i + 2]];
  const [a, b, c, t] = [0, 1, 2, 3].map(column);
  const determinant = dot(a, cross(b, c));
  return [
    -dot(t, cross(b, c)) / determinant,
    -dot(a, cross(t, c)) / determinant,
    -dot(a, cross(b, t)) / determinant,
  ];
}

function numbersAt(accessor: Accessor, i: number): number[] {
  const target: number[] = [];
  return accessor.getElement(i, target);
}
