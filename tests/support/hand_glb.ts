/** Hand models as GLB files, made by editing the default one. */
import { type Accessor, type Document, type Primitive, type Skin, WebIO } from "@gltf-transform/core";
import assets from "@webxr-input-profiles/assets/package.json" with { type: "json" };

export interface HandDocument {
  readonly document: Document;
  readonly primitive: Primitive;
  readonly skin: Skin;
  readonly positions: Accessor;
  readonly weights: Accessor;
  readonly joints: Accessor;
  readonly inverses: Accessor;
  readonly indices: Accessor;
}

/** WebXR's generic hand, to be edited. */
export async function handDocument(side = "right"): Promise<HandDocument> {
  const url = import.meta.resolve(
    `npm:${assets.name}@${assets.version}/dist/profiles/generic-hand/${side}.glb`,
  );
  const document = await new WebIO().readBinary(await Deno.readFile(new URL(url)));
  const root = document.getRoot();
  const [primitive] = root.listMeshes()[0].listPrimitives();
  const [skin] = root.listSkins();
  return {
    document,
    primitive,
    skin,
    positions: there(primitive.getAttribute("POSITION")),
    weights: there(primitive.getAttribute("WEIGHTS_0")),
    joints: there(primitive.getAttribute("JOINTS_0")),
    inverses: there(skin.getInverseBindMatrices()),
    indices: there(primitive.getIndices()),
  };
}

/** Runs `use` with a GLB file of these bytes, or of the default hand after `edit`. */
export async function withHandFile(
  content: Uint8Array | ((hand: HandDocument) => void),
  use: (file: string) => Promise<void>,
  side?: string,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/edited.glb`;
    await Deno.writeFile(file, content instanceof Uint8Array ? content : await edited(content, side));
    await use(file);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The default hand, a little smaller. */
export const withSmallHand = (use: (file: string) => Promise<void>) =>
  withHandFile(({ positions, inverses }) => {
    const scale = 0.93;
    const point = [0, 0, 0], matrix = Array<number>(16).fill(0);
    for (let i = 0; i < positions.getCount(); i++) {
      positions.setElement(i, positions.getElement(i, point).map((part) => scale * part));
    }
    for (let i = 0; i < inverses.getCount(); i++) {
      const moved = inverses.getElement(i, matrix).map((part, at) =>
        at > 11 && at < 15 ? scale * part : part
      );
      inverses.setElement(i, moved);
    }
  }, use);

async function edited(edit: (hand: HandDocument) => void, side?: string): Promise<Uint8Array> {
  const hand = await handDocument(side);
  edit(hand);
  return await new WebIO().writeBinary(hand.document);
}

function there<T>(value: T | null): T {
  if (value === null) throw new Error("the default hand lacks something");
  return value;
}
