/** Where skin touches skin: the first pair of parts, in a fixed order, of one hand or of two. */
import { SEGMENTS } from "../hand/hand_model.ts";
import { boxesMeet, type PosedSkin } from "./posed_skin.ts";
import { trianglesMeet } from "./triangles_meet.ts";

/** A part of each hand, as indices into `SEGMENTS`. */
export type Contact = readonly [number, number];

/** The bits of every part. */
export const ALL_PARTS = 2 ** SEGMENTS.length - 1;

/** The first two parts of a hand that pass through each other, of which at least one has its bit in `moved`. */
export function selfContact(skin: PosedSkin, moved = ALL_PARTS): Contact | null {
  for (const pair of skin.mesh.pairs) {
    const [i, j] = pair;
    if ((moved & (1 << i | 1 << j)) !== 0 && partsMeet(skin, i, skin, j, skin.mesh.closeAtRest)) return pair;
  }
  return null;
}

/** The first parts of two hands that pass through each other. */
export function handContact(a: PosedSkin, b: PosedSkin): Contact | null {
  if (!boxesMeet(a.box, 0, b.box, 0)) return null;
  for (let i = 0; i < SEGMENTS.length; i++) {
    if (!boxesMeet(a.partBoxes, i, b.box, 0)) continue;
    for (let j = 0; j < SEGMENTS.length; j++) {
      if (partsMeet(a, i, b, j, never)) return [i, j];
    }
  }
  return null;
}

const never = () => false;

/** Triangles outside the box that both parts share are sorted out before pairs are formed. */
function partsMeet(
  a: PosedSkin,
  i: number,
  b: PosedSkin,
  j: number,
  mayTouch: (s: number, t: number) => boolean,
): boolean {
  if (!boxesMeet(a.partBoxes, i, b.partBoxes, j)) return false;
  const near = trianglesNear(b, j, a, i);
  if (near.length === 0) return false;
  const { corners: p } = a.mesh, { corners: q } = b.mesh;
  for (const s of trianglesNear(a, i, b, j)) {
    for (const t of near) {
      if (
        boxesMeet(a.triangleBoxes, s, b.triangleBoxes, t) &&
        trianglesMeet(
          a.positions,
          p[3 * s],
          p[3 * s + 1],
          p[3 * s + 2],
          b.positions,
          q[3 * t],
          q[3 * t + 1],
          q[3 * t + 2],
        ) && !mayTouch(s, t)
      ) return true;
    }
  }
  return false;
}

/** Triangles of part i of `a` that reach into the box of part j of `b`. */
function trianglesNear(a: PosedSkin, i: number, b: PosedSkin, j: number): number[] {
  const near: number[] = [];
  for (let t = a.mesh.starts[i]; t < a.mesh.starts[i + 1]; t++) {
    if (boxesMeet(a.triangleBoxes, t, b.partBoxes, j)) near.push(t);
  }
  return near;
}
