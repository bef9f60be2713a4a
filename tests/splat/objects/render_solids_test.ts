import assert from "node:assert/strict";
import type { Camera } from "../../../splat/camera.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { turn } from "../../../splat/objects/rotation.ts";
import { ball, box, cylinder, type Solid } from "../../../splat/objects/solid.ts";

/** At (0, −4, 0), looking along +Y: right is +X, down is −Z. */
const FRONT: Camera = {
  rotation: [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
  translation: [0, 0, 4],
  fx: 160,
  fy: 140,
  cx: 70.5,
  cy: 41,
  width: 151,
  height: 97,
};

Deno.test("renderSolids() puts balls on the axes where R, t and K say", () => {
  const { image } = renderSolids(
    [ball([1, 0, 0], 0.15, "#ff0000"), ball([0, 1, 0], 0.15, "#00ff00"), ball([0, 0, 0.8], 0.15, "#0000ff")],
    { ...FRONT, fx: 160, fy: 160 },
  );
  near(centroid(image.data, image.width, [255, 0, 0]), [70.5 + 160 / 4, 41], 0.3);
  near(centroid(image.data, image.width, [0, 255, 0]), [70.5, 41], 0.1);
  near(centroid(image.data, image.width, [0, 0, 255]), [70.5, 41 - 160 * 0.8 / 4], 0.3);
});

Deno.test("renderSolids() gives a sphere its projected area within 0.5 %", () => {
  // Ellipse of the cone around a sphere at distance d and angle θ off the axis, sin α = r / d:
  // area = fx fy π sin²α cos α / (cos²θ − sin²α)^(3/2).
  for (const [x, z, radius] of [[0, 0, 0.5], [0.35, -0.2, 0.45], [-0.4, 0.25, 0.3]]) {
    const { alpha } = renderSolids([ball([x, 0, z], radius, "#336699")], FRONT);
    const distance = Math.hypot(x, 4, z);
    const [sin2, cos2] = [(radius / distance) ** 2, (4 / distance) ** 2];
    const area = 160 * 140 * Math.PI * sin2 * Math.sqrt(1 - sin2) / (cos2 - sin2) ** 1.5;
    assert.ok(Math.abs(sum(alpha) / area - 1) < 0.005, `${sum(alpha)} px, expected ${area}`);
  }
});

Deno.test("renderSolids() fills exactly the pixels of a box face", () => {
  // The face y = −0.5 is 3.5 away: 160 · 0.7 / 3.5 = 32 px to each side, 140 · 0.5 / 3.5 = 20 px up and down.
  const { image, alpha } = renderSolids([box([0, 0, 0], [1.4, 1, 1], "#204060")], { ...FRONT, cx: 70 });
  for (let row = 0; row < image.height; row++) {
    for (let column = 0; column < image.width; column++) {
      const within = column >= 38 && column < 102 && row >= 21 && row < 61;
      assert.equal(alpha[row * image.width + column], within ? 1 : 0, `pixel ${column}, ${row}`);
    }
  }
  assert.deepEqual([...image.data.slice((30 * 151 + 60) * 3, (30 * 151 + 60) * 3 + 3)], [0x20, 0x40, 0x60]);
});

Deno.test("renderSolids() gives a cylinder its closed-form outline", () => {
  // Upright: both outlines lie in planes through the eye, at x/z = ± r / √(d² − r²) in every row.
  const upright = renderSolids([cylinder([0, 0, -1], [0, 0, 1], 0.6, "#112233")], FRONT);
  const halfWidth = 160 * 0.6 / Math.sqrt(16 - 0.36);
  for (const row of [30, 41, 55]) {
    const width = sum(upright.alpha.slice(row * 151, (row + 1) * 151));
    assert.ok(Math.abs(width - 2 * halfWidth) <= 0.5, `row ${row}: ${width}, expected ${2 * halfWidth}`);
  }
  // End on, the near cap hides the rest: an ellipse with half axes f r / 3.5.
  const endOn = renderSolids([cylinder([0, -0.5, 0], [0, 0.5, 0], 0.7, "#112233")], FRONT);
  const area = Math.PI * 160 * 140 * (0.7 / 3.5) ** 2;
  assert.ok(Math.abs(sum(endOn.alpha) / area - 1) < 0.005);
});

Deno.test("renderSolids() shows the nearest surface and averages sRGB over sixteen samples", () => {
  const near = box([0, -1, 0], [0.4, 0.1, 0.4], "#ff8000");
  const far = box([0, 1, 0], [3, 0.1, 3], "#0000ff");
  for (const solids of [[near, far], [far, near]]) {
    const { image } = renderSolids(solids, FRONT);
    assert.deepEqual([...image.data.slice((41 * 151 + 70) * 3, (41 * 151 + 70) * 3 + 3)], [255, 128, 0]);
  }
  // The left edge at x = −0.5 of a face 3.5 away falls 0.5 px into pixel 47: half of the samples are white.
  const { image, alpha } = renderSolids([box([0, 0, 0], [1.021875, 1, 2], "#0a3264")], { ...FRONT, fx: 160 });
  const edge = 70.5 - 160 * 1.021875 / 2 / 3.5;
  const column = Math.floor(edge);
  const covered = [1, 3, 5, 7].filter((eighth) => column + eighth / 8 > edge).length / 4;
  const pixel = 41 * 151 + column;
  assert.ok(covered > 0 && covered < 1);
  assert.equal(alpha[pixel], covered);
  assert.equal(image.data[pixel * 3], Math.round(255 - covered * (255 - 0x0a)));
});

Deno.test("renderSolids() gives turned solids in turned cameras the same photo", () => {
  const solids: Solid[] = [
    box([0.3, 0, 0.1], [0.5, 0.6, 0.7], "#aa3311"),
    ball([-0.4, 0.2, 0], 0.3, "#117755"),
  ];
  const quarter = turn([0, 0, 1], 90);
  const turned = solids.map((solid): Solid => ({
    ...solid,
    position: [-solid.position[1], solid.position[0], solid.position[2]],
    rotation: quarter,
  }));
  // R' = R Qᵀ: at (4, 0, 0), looking along −X.
  const camera: Camera = { ...FRONT, rotation: [[0, 1, 0], [0, 0, -1], [-1, 0, 0]] };
  assert.deepEqual(renderSolids(turned, camera).alpha, renderSolids(solids, FRONT).alpha);
});

function centroid(data: Uint8Array, width: number, color: readonly number[]): [number, number] {
  let [x, y, count] = [0, 0, 0];
  for (let pixel = 0; pixel < data.length / 3; pixel++) {
    if (!color.every((value, c) => data[pixel * 3 + c] === value)) continue;
    x += pixel % width + 0.5;
    y += Math.floor(pixel / width) + 0.5;
    count++;
  }
  assert.ok(count > 20, "the ball is in the picture");
  return [x / count, y / count];
}

function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  const off = Math.max(...actual.map((value, i) => Math.abs(value - expected[i])));
  assert.ok(off <= tolerance, `${actual} instead of ${expected}`);
}

function sum(values: Float32Array): number {
  return values.reduce((total, value) => total + value, 0);
}
