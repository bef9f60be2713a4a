/** The one skinned mesh in a GLB file. */
import { type Accessor, type Document, Primitive, type Skin, WebIO } from "@gltf-transform/core";
import { modelError } from "./model_error.ts";

export interface SkinnedPrimitive {
  readonly skin: Skin;
  readonly positions: Accessor;
  readonly joints: Accessor;
  readonly weights: Accessor;
  readonly indices: Accessor | null;
}

/** @throws BenchError when it is no GLB, or not one mesh of triangles on one skin with at most four weights a vertex */
export async function readGlb(bytes: Uint8Array, name: string): Promise<SkinnedPrimitive> {
  const document = await new WebIO().readBinary(bytes).catch((cause: unknown) => {
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/[.\s]+$/, "");
    throw modelError(
      name,
      `it cannot be read as a GLB file: ${reason}`,
      "Export the hand as binary glTF 2.0 (.glb), uncompressed",
    );
  });
  const { skin, primitive } = onlySkin(document, name);
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
  if (primitive.getAttribute("WEIGHTS_1")?.getArray()?.some((weight) => weight !== 0)) {
    throw modelError(
      name,
      "some vertices hang on more than four joints",
      "Limit the weights to four a vertex before exporting",
    );
  }
  return { skin, positions, joints, weights, indices: primitive.getIndices() };
}

/** Element i of an accessor, whatever its type; normalised integers come as shares of 1. */
export function numbersAt(accessor: Accessor, i: number): number[] {
  const target: number[] = [];
  return accessor.getElement(i, target);
}

function onlySkin(document: Document, name: string): { skin: Skin; primitive: Primitive } {
  const nodes = document.getRoot().listNodes().filter((node) => node.getMesh() && node.getSkin());
  const primitives = nodes.flatMap((node) => node.getMesh()?.listPrimitives() ?? [])
    .filter((primitive) => primitive.getMode() === Primitive.Mode.TRIANGLES);
  const skin = nodes[0]?.getSkin() ?? null;
  if (skin !== null && primitives.length === 1) return { skin, primitive: primitives[0] };
  throw modelError(
    name,
    `it has ${primitives.length} skinned meshes of triangles, and needs one`,
    "Export one hand as one mesh with one material and its armature",
  );
}
