import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { emptyMask, type Mask, maskWhere } from "../../../shadow/stage/mask.ts";
import { outlineSvg, traceOutline } from "../../../shadow/targets/trace_outline.ts";
import { FRAME } from "../../support/shadow_stub.ts";

/** The even-odd rule by its definition: borders crossed by a ray to the left of each pixel's centre. */
function fillEvenOdd(outlines: readonly (readonly (readonly [number, number])[])[]): Mask {
  const uprights = outlines.flatMap((corners) =>
    corners.flatMap(([x, y], i) => {
      const [nextX, nextY] = corners[(i + 1) % corners.length];
      assert.ok((x === nextX) !== (y === nextY), "borders run along pixels");
      return x === nextX ? [{ x, top: Math.min(y, nextY), bottom: Math.max(y, nextY) }] : [];
    })
  );
  const byRow = Map.groupBy(
    uprights.flatMap(({ x, top, bottom }) =>
      Array.from({ length: bottom - top }, (_, row) => ({ x, row: top + row }))
    ),
    ({ row }) => row,
  );
  return maskWhere((x, y) => (byRow.get(y) ?? []).filter((edge) => edge.x <= x).length % 2 === 1);
}

const noisy = (share: number) => {
  const draws = stream(4, "noise", share);
  return maskWhere((x, y) => x > 500 && y > 370 && draws.next() < share);
};

for (
  const [name, mask] of [
    ["a frame with a hole", FRAME],
    ["all of the screen", maskWhere(() => true)],
    ["one pixel in the last corner", maskWhere((x, y) => x === 511 && y === 383)],
    ["pixels that meet at corners", maskWhere((x, y) => x < 20 && y < 20 && (x + y) % 2 === 0)],
    ["noise", noisy(0.5)],
    ["dense noise", noisy(0.85)],
  ] as const
) {
  Deno.test(`traceOutline() of ${name}, filled again, is the mask`, () => {
    assert.deepEqual(fillEvenOdd(traceOutline(mask)), mask);
  });
}

Deno.test("traceOutline() has one border for the frame and one for its hole, corners only", () => {
  const outlines = traceOutline(FRAME);
  assert.deepEqual(outlines.map((corners) => corners.length), [4, 4]);
  assert.deepEqual(outlines[0], [[200, 150], [280, 150], [280, 210], [200, 210]]);
});

Deno.test("outlineSvg() is a drawing of 512 × 384 with one even-odd path", () => {
  assert.equal(
    outlineSvg(maskWhere((x, y) => x === 3 && (y === 7 || y === 8))),
    '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="384" viewBox="0 0 512 384">' +
      '<path fill-rule="evenodd" d="M3 7H4V9H3Z"/></svg>',
  );
  assert.match(outlineSvg(emptyMask()), /d=""/);
});
