import assert from "node:assert/strict";
import { blankImage, type Image } from "../../../env/image.ts";
import { stream } from "../../../env/random.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { fillConvex, fillDisc, type Point, strokeLine } from "../../../shadow/pictures/ink.ts";
import { gridStep } from "../../../shadow/pictures/plan_grid.ts";
import { blankPlate, engraveConvex, engraveLine, FINENESS } from "../../../shadow/pictures/plate.ts";
import { capital } from "../../../shadow/pictures/roman_capitals.ts";
import { drawTitleLine, titleWidth } from "../../../shadow/pictures/title_lettering.ts";
import { vertexNormals } from "../../../shadow/pictures/vertex_normals.ts";

const BLACK = [0, 0, 0] as const;

Deno.test("smooth shapes cover their area, whatever their place and direction", () => {
  const draws = stream(0, "shapes");
  for (let trial = 0; trial < 20; trial++) {
    const [x, y, turn] = [draws.range(40, 60), draws.range(40, 60), draws.range(0, 2 * Math.PI)];
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const at = (
      along: number,
      across: number,
    ): Point => [x + c * along - s * across, y + s * along + c * across];
    const area = (draw: (image: Image) => void) => {
      const image = blankImage(100, 100);
      draw(image);
      let sum = 0;
      for (let i = 0; i < image.data.length; i += 3) sum += 1 - image.data[i] / 255;
      return sum;
    };
    const line = area((image) => strokeLine(image, at(-20, 0), at(20, 0), 5, BLACK));
    assert.ok(Math.abs(line - (200 + Math.PI * 6.25)) < 3, `line ${line}`);
    const disc = area((image) => fillDisc(image, [x, y], 9, BLACK));
    assert.ok(Math.abs(disc - Math.PI * 81) < 3, `disc ${disc}`);
    const corners = [at(-15, -8), at(15, -8), at(15, 8), at(-15, 8)];
    for (const order of [corners, corners.toReversed()]) {
      const box = area((image) => fillConvex(image, order, BLACK));
      assert.ok(Math.abs(box - 480) < 4, `box ${box}`);
    }
    const plate = blankPlate(100, 100);
    engraveConvex(plate, corners);
    const ink = plate.ink.reduce((sum, sample) => sum + sample, 0) / FINENESS ** 2;
    assert.ok(Math.abs(ink - 480) < 5, `plate ${ink}`);
  }
});

Deno.test("shapes beyond the border are cut", () => {
  const image = blankImage(20, 20);
  strokeLine(image, [-50, 10], [70, 10], 2, BLACK);
  fillDisc(image, [25, 25], 7, BLACK);
  fillConvex(image, [[-9, -9], [3, -9], [3, 3], [-9, 3]], BLACK);
  assert.deepEqual([...image.data.subarray(3 * (10 * 20), 3 * (10 * 20) + 3)], [0, 0, 0]);
  assert.equal(image.data.length, 1200);
  const plate = blankPlate(10, 10);
  engraveLine(plate, [-5, 5], [15, 5], 2);
  assert.equal(plate.ink.reduce((sum, sample) => sum + sample, 0), 20 * FINENESS ** 2);
});

Deno.test("drawTitleLine() has a shape for every letter and digit, inside the room it takes", () => {
  const seen = new Set<string>();
  for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
    assert.ok(capital(character) !== null, character);
    const plate = blankPlate(80, 80);
    drawTitleLine(plate, [40, 60], character, 40);
    const inked = [...plate.ink].flatMap((sample, i) => sample === 1 ? [i] : []);
    assert.ok(inked.length > 60 * FINENESS ** 2, character);
    const columns = [...inked].map((i) => i % (80 * FINENESS) / FINENESS);
    const rows = [...inked].map((i) => Math.floor(i / (80 * FINENESS)) / FINENESS);
    const half = titleWidth(character, 40) / 2;
    assert.ok(Math.min(...columns) > 40 - half - 6 && Math.max(...columns) < 40 + half + 6, character);
    assert.ok(Math.min(...rows) > 60 - 40 - 4 && Math.max(...rows) < 60 + 12, character);
    seen.add(plate.ink.join(""));
  }
  assert.equal(seen.size, 36);
});

Deno.test("titleWidth() of small letters is less than of capitals, and accents take no room", () => {
  assert.ok(titleWidth("the rabbit", 30) < titleWidth("THE RABBIT", 30));
  assert.equal(titleWidth("Zoë", 30), titleWidth("Zoe", 30));
  assert.equal(titleWidth("", 30), 0);
});

Deno.test("vertexNormals() of a closed skin have length 1, point outward and mirror with it", async () => {
  const { right, left } = await loadHands();
  const normals = vertexNormals(right.positions, right.triangles);
  const mirrored = vertexNormals(left.positions, left.triangles);
  // Moving each vertex outward makes the skin larger: dV = ∫ n · n dA > 0.
  assert.ok(
    volume(right.positions.map((value, i) => value + 0.0005 * normals[i]), right.triangles) >
      1.01 * volume(right.positions, right.triangles),
  );
  for (let i = 0; i < normals.length; i += 3) {
    assert.ok(Math.abs(Math.hypot(normals[i], normals[i + 1], normals[i + 2]) - 1) < 1e-12);
    assert.ok(Math.abs(normals[i] + mirrored[i]) < 1e-9 && Math.abs(normals[i + 1] - mirrored[i + 1]) < 1e-9);
  }
});

Deno.test("gridStep() keeps labels apart at every scale", () => {
  for (let scale = 20; scale < 900; scale *= 1.1) {
    assert.ok(gridStep(scale) * scale >= 76 && gridStep(scale) * scale <= 250, `${scale}`);
  }
});

function volume(p: Float64Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}
