import assert from "node:assert/strict";
import { connectedParts, withoutPinholes, withoutSpecks } from "../../../shadow/prepare/parts.ts";
import { bitmap, rowsOf } from "./drawn.ts";

Deno.test("connectedParts() joins shape at corners and ground at edges", () => {
  const picture = bitmap(
    "..#....",
    ".#.#..#",
    "..#...#",
    ".......",
  );
  assert.deepEqual(connectedParts(picture, 1).areas, [4, 2]);
  const ground = connectedParts(picture, 0);
  // The pixel in the middle of the diamond does not leak out at its corners.
  assert.deepEqual([...ground.areas].sort((a, b) => a - b), [1, 21]);
  assert.deepEqual(ground.areas.map((area, i) => [area, ground.atBorder[i]]), [[21, true], [1, false]]);
  assert.equal(ground.labels[1 * 7 + 2], 1);
  assert.equal(ground.labels[2], -1);
});

Deno.test("connectedParts() takes a spiral as one part, however long", () => {
  const side = 301;
  const pixels = new Uint8Array(side * side);
  // Concentric rings, each joined to the next by one pixel.
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const ring = Math.max(Math.abs(x - 150), Math.abs(y - 150));
      if (ring % 2 === 0 || y === 150 && x > 150) pixels[y * side + x] = 1;
    }
  }
  const { areas } = connectedParts({ width: side, height: side, pixels }, 1);
  assert.deepEqual(areas, [pixels.reduce((sum, value) => sum + value, 0)]);
});

Deno.test("withoutPinholes() and withoutSpecks() keep what is exactly as large as asked", () => {
  const picture = bitmap(
    "##########",
    "#.##..####",
    "##########",
    "#######..#",
    "######.#..",
    "..........",
    ".##.......",
    "....#.....",
  );
  assert.deepEqual(rowsOf(withoutPinholes(picture, 2)), [
    "##########",
    "####..####",
    "##########",
    "#######..#",
    "######.#..",
    "..........",
    ".##.......",
    "....#.....",
  ]);
  assert.deepEqual(rowsOf(withoutSpecks(picture, 2)).slice(6), [".##.......", ".........."]);
  assert.deepEqual(rowsOf(withoutSpecks(picture, 3)).slice(6), ["..........", ".........."]);
});
