/** How far two hands' skins are from each other. */
import { SEGMENTS } from "../hand/hand_model.ts";
import { boxDistanceSquared, type PosedSkin } from "./posed_skin.ts";
import { triangleDistanceSquared } from "./triangle_distance.ts";

/**
 * The least distance between two skins, metres; 0 where they touch. Exact: parts and triangles come nearest boxes
 * first, and end where the boxes alone are further apart than what is found.
 */
export function skinGap(a: PosedSkin, b: PosedSkin): number {
  const pairs = SEGMENTS.flatMap((_, i) =>
    SEGMENTS.map((_, j) => ({ i, j, bound: boxDistanceSquared(a.partBoxes, i, b.partBoxes, j) }))
  ).sort((p, q) => p.bound - q.bound || p.i - q.i || p.j - q.j);
  let least = Infinity;
  for (const { i, j, bound } of pairs) {
    if (bound >= least) break;
    least = partsApart(a, i, b, j, least);
  }
  return Math.sqrt(least);
}

/** The square of the least distance between two parts, or `least` where that is no more. */
function partsApart(a: PosedSkin, i: number, b: PosedSkin, j: number, least: number): number {
  const others = nearestFirst(b, j, a, i, least);
  for (const { triangle: s, bound } of nearestFirst(a, i, b, j, least)) {
    if (bound >= least) break;
    for (const { triangle: t, bound } of others) {
      if (bound >= least) break;
      if (boxDistanceSquared(a.triangleBoxes, s, b.triangleBoxes, t) >= least) continue;
      const apart = triangleDistanceSquared(a.positions, a.mesh.corners, s, b.positions, b.mesh.corners, t);
      if (apart < least) least = apart;
    }
  }
  return least;
}

/** Triangles of part i of `a` whose boxes are nearer to the box of part j of `b` than `least`, squared. */
function nearestFirst(a: PosedSkin, i: number, b: PosedSkin, j: number, least: number) {
  const near: { triangle: number; bound: number }[] = [];
  for (let triangle = a.mesh.starts[i]; triangle < a.mesh.starts[i + 1]; triangle++) {
    const bound = boxDistanceSquared(a.triangleBoxes, triangle, b.partBoxes, j);
    if (bound < least) near.push({ triangle, bound });
  }
  return near.sort((s, t) => s.bound - t.bound || s.triangle - t.triangle);
}
