import assert from "node:assert/strict";
import { type Stream, stream } from "../../../env/random.ts";
import { emptyMask, type Mask, maskArea, maskAt } from "../../../shadow/stage/mask.ts";
import { rasterize } from "../../../shadow/stage/rasterize.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../../../shadow/stage/stage.ts";
import { GUARD } from "../../../shadow/stage/sub_pixels.ts";
import { assertSameMask } from "../same_mask.ts";
import { centreInside, type Corner } from "./brute_force.ts";

const SOAK = Deno.env.get("BENCH_SOAK") !== undefined;

Deno.test("rasterize() darkens the pixels whose centres lie in a triangle, of either winding and any size", () => {
  const draws = stream(0, "triangles");
  for (let i = 0; i < (SOAK ? 4000 : 200); i++) {
    // From a few sub-pixels to all that is allowed; some corners on pixel centres, some edges level or upright.
    const reach = [12, 60, 300, 2000, GUARD][i % 5];
    const middle = [draws.integer(-4200, 4200), draws.integer(-3200, 3200)];
    const coordinate = (axis: 0 | 1) => {
      const value = Math.max(-GUARD, Math.min(GUARD, middle[axis] + draws.integer(-reach, reach + 1)));
      return draws.next() < 0.3 ? Math.round((value - 8) / 16) * 16 + 8 : value;
    };
    const corners = [0, 1, 2].map((): [number, number] => [coordinate(0), coordinate(1)]);
    if (draws.next() < 0.2) corners[1][1] = corners[0][1];
    if (draws.next() < 0.2) corners[2][0] = corners[1][0];
    const mask = rasterize(flat([corners]));
    assertSameMask(rasterize(flat([corners.toReversed()])), mask, "winding");
    assertInside(mask, corners, draws);
  }
});

Deno.test("rasterize() covers each pixel once when a polygon is cut into triangles, however it is cut", () => {
  const draws = stream(0, "polygons");
  for (let i = 0; i < 60; i++) {
    const polygon = convexPolygon(draws);
    const cuts = polygon.map((_, start): Corner[][] => {
      const turned = [...polygon.slice(start), ...polygon.slice(0, start)];
      return turned.slice(2).map((corner, k) => [turned[0], turned[k + 1], corner]);
    });
    const inner: Corner = [draws.integer(-40, 40), draws.integer(-40, 40)];
    const aroundInner = polygon.map((
      corner,
      k,
    ): Corner[] => [inner, polygon[(k + polygon.length - 1) % polygon.length], corner]);
    const masks = [...cuts, aroundInner].map((triangles) => {
      const together = rasterize(flat(triangles));
      const areas = triangles.map((triangle) => maskArea(rasterize(flat([triangle]))));
      assert.equal(areas.reduce((sum, area) => sum + area, 0), maskArea(together), "no pixel twice");
      return together;
    });
    for (const mask of masks) assertSameMask(mask, masks[0]);
  }
});

Deno.test("rasterize() takes a pixel centre on the left and upper edge and leaves it on the right and lower one", () => {
  // A square whose edges run through the centres of columns 255 and 259 and of rows 191 and 193.
  const [left, top, right, bottom] = [-8, -8, 56, 24];
  const square = [[left, top], [right, top], [right, bottom], [left, bottom]] as const;
  const mask = rasterize(flat([[square[0], square[1], square[2]], [square[0], square[2], square[3]]]));
  assert.equal(maskArea(mask), 8);
  for (const [x, y] of [[255, 191], [258, 191], [255, 192], [258, 192]]) {
    assert.ok(maskAt(mask, x, y), `${x}, ${y}`);
  }
});

Deno.test("rasterize() darkens nothing for points, lines and triangles beside the screen, everything for one around it", () => {
  const nothing = [
    [[8, 8], [8, 8], [8, 8]],
    [[-4000, 8], [4000, 8], [0, 8]],
    [[8, -3000], [8, 3000], [8, 0]],
    [[-800, -800], [800, 800], [8, 8]],
    [[-GUARD, -GUARD], [-4097, 0], [-GUARD, GUARD]],
    [[0, 3073], [GUARD, GUARD], [-GUARD, GUARD]],
  ] as const;
  for (const corners of nothing) assertSameMask(rasterize(flat([corners])), emptyMask(), String(corners));
  const around = rasterize(flat([[[-GUARD, -GUARD], [GUARD, -GUARD], [0, GUARD]]]));
  assert.equal(maskArea(around), MASK_WIDTH * MASK_HEIGHT);
});

function flat(triangles: readonly (readonly Corner[])[]): Int16Array {
  return Int16Array.from(triangles.flat(2));
}

/** All pixels of small triangles, random ones of large triangles. */
function assertInside(mask: Mask, corners: readonly Corner[], draws: Stream): void {
  const range = (axis: 0 | 1, size: number) => {
    const pixels = corners.map((corner) => Math.floor(corner[axis] / 16 + size / 2));
    return [Math.max(0, Math.min(...pixels) - 1), Math.min(size, Math.max(...pixels) + 2)];
  };
  const [[left, right], [top, bottom]] = [range(0, MASK_WIDTH), range(1, MASK_HEIGHT)];
  const size = (right - left) * (bottom - top);
  const check = (x: number, y: number) =>
    assert.equal(
      maskAt(mask, x, y),
      centreInside(corners, x, y),
      `(${x}, ${y}) of ${JSON.stringify(corners)}`,
    );
  if (right <= left || bottom <= top) return assert.equal(maskArea(mask), 0);
  if (size > 3000) {
    for (let i = 0; i < 1000; i++) check(draws.integer(left, right), draws.integer(top, bottom));
    return;
  }
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) check(x, y);
}

/** Whole corners on an ellipse about the middle of the screen, far enough apart to stay convex. */
function convexPolygon(draws: Stream): Corner[] {
  const count = draws.integer(4, 9);
  const [a, b] = [draws.range(500, 3000), draws.range(500, 3000)];
  return Array.from({ length: count }, (_, i) => {
    const angle = 2 * Math.PI * (i + draws.range(-0.3, 0.3)) / count;
    return [Math.round(a * Math.cos(angle)), Math.round(b * Math.sin(angle))];
  });
}
