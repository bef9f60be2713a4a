import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { parseGaussianPly, readGaussianPly } from "../../../splat/prepare/gaussian_ply.ts";
import { normaliseScene, sceneBounds } from "../../../splat/prepare/normalise_scene.ts";
import { rotate } from "../../../env/quaternion.ts";
import type { Gaussian, Scene } from "../../../splat/scene.ts";
import { withFolder } from "./sample_layouts.ts";

/** Inria's order of properties, `f_rest` and all. */
const NAMES = [
  ..."x y z nx ny nz f_dc_0 f_dc_1 f_dc_2".split(" "),
  ...Array.from({ length: 45 }, (_, i) => `f_rest_${i}`),
  ..."opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3".split(" "),
];

Deno.test("parseGaussianPly() undoes logit, logarithm and spherical harmonic", () => {
  const [one] = parseGaussianPly(
    ply([{
      x: 0.5,
      y: -2,
      z: 3,
      opacity: 0,
      scale_0: 0,
      scale_1: Math.log(0.25),
      scale_2: -Math.LN2,
      rot_0: 2,
      rot_3: -1,
      // Colour is 0.5 + f_dc / (2 √π): 0.75, 0, and 1 after clamping.
      f_dc_0: 0.25 * 2 * Math.sqrt(Math.PI),
      f_dc_1: -Math.sqrt(Math.PI),
      f_dc_2: 9,
      f_rest_7: 5,
    }]),
    "x.ply",
  );
  assert.deepEqual([one.id, one.mean, one.quaternion, one.group], [0, [0.5, -2, 3], [2, 0, 0, -1], null]);
  near([...one.scale, ...one.color, one.opacity], [1, 0.25, 0.5, 0.75, 0, 1, 0.5], 1e-7);
});

Deno.test("parseGaussianPly() gives back a scene of 300 through float32", () => {
  const scene = Array.from({ length: 10 }, (_, seed) => randomBlobScene(seed)).flat().slice(0, 300);
  const read = parseGaussianPly(ply(scene.map(rowOf)), "x.ply");
  assert.equal(read.length, scene.length);
  read.forEach((gaussian, i) => near(numbers(gaussian), numbers(scene[i]), 1e-6));
});

Deno.test("readGaussianPly() stands the chosen axis up", async () => {
  for (const [up, top] of [["z", [0, 0, 1]], ["y", [0, 1, 0]], ["-y", [0, -1, 0]]] as const) {
    const at = (k: number) => ({
      x: k * top[0] + 5,
      y: k * top[1],
      z: k * top[2],
      opacity: 3,
      rot_0: 1,
      f_dc_0: -k,
    });
    const bytes = ply([at(-2), at(2)].map((row) => ({ scale_0: -9, scale_1: -9, scale_2: -9, ...row })));
    const scene = await withFolder({ "x.ply": bytes }, (folder) => readGaussianPly(`${folder}/x.ply`, up));
    near(scene[1].mean, [0, 0, 0.9], 1e-3);
    near(scene[0].mean, [0, 0, -0.9], 1e-3);
    assert.ok(scene[1].color[0] < scene[0].color[0]);
  }
});

Deno.test("normaliseScene() turns each Gaussian with the scene", () => {
  const scene = randomBlobScene(3);
  const turned = normaliseScene(scene, "-y");
  // Up is −y: (x, y, z) goes to (x, z, −y), scaled about the middle; long axes go along.
  const { low, high } = sceneBounds(turned);
  near([Math.min(...low), Math.max(...high)], [-0.9, 0.9], 1e-9);
  const k = turned[0].scale[0] / scene[0].scale[0];
  for (const [i, gaussian] of scene.entries()) {
    const [x, y, z] = gaussian.mean.map((value, axis) => value - scene[0].mean[axis]);
    near(turned[i].mean.map((value, axis) => value - turned[0].mean[axis]), [k * x, k * z, -k * y], 1e-9);
    const [ax, ay, az] = rotate(gaussian.quaternion, [1, 0, 0]);
    near(rotate(turned[i].quaternion, [1, 0, 0]), [ax, az, -ay], 1e-9);
  }
});

Deno.test("normaliseScene() lets faint haze lie outside and refuses a scene of haze alone", () => {
  const [first, ...rest] = randomBlobScene(4);
  const haze: Gaussian = { ...first, mean: [50, 0, 0], opacity: 0.05 };
  const { high } = sceneBounds(normaliseScene([haze, ...rest], "z"));
  assert.ok(Math.max(...high) <= 0.9 + 1e-9);
  assert.throws(() => normaliseScene([haze], "z"), /none of its 1 Gaussians has an opacity of 0\.1/);
});

Deno.test("normaliseScene() refuses a scene without extent", () => {
  const point: Gaussian = { ...randomBlobScene(4)[0], scale: [0, 0, 0], opacity: 1 };
  assert.throws(() => normaliseScene([point, point], "z"), /its visible Gaussians reach over a length of 0/);
});

Deno.test("parseGaussianPly() reads past a comment that says end_header", () => {
  const bytes = edited("comment made here", "comment before end_header");
  assert.deepEqual(parseGaussianPly(bytes, "x.ply"), parseGaussianPly(ply([GOOD]), "x.ply"));
});

const GOOD = { x: 0, opacity: 1, rot_0: 1 };
const BAD: [string, Uint8Array, RegExp][] = [
  ["no PLY", new TextEncoder().encode("solid"), /^BenchError: Cannot read x\.ply: it is not a PLY file$/],
  ["ASCII", edited("binary_little_endian", "ascii"), /x\.ply: format: ascii is not read/],
  [
    "a missing property",
    edited("property float rot_2\n", ""),
    /x\.ply: rot_2: the property is missing.+3DGS/,
  ],
  [
    "a double",
    edited("property float opacity", "property double opacity"),
    /x\.ply: opacity: it is double, not float/,
  ],
  [
    "a list",
    edited("property float nx", "property list uchar int nx"),
    /property list uchar int nx: only plain/,
  ],
  [
    "another element first",
    edited("element vertex", "element chunk 1\nelement vertex"),
    /element chunk: the vertices/,
  ],
  ["no count", edited("element vertex 1", "element vertex many"), /element vertex: it has no number/],
  ["a count that is no decimal", edited("element vertex 1", "element vertex 0x1"), /it has no number/],
  ["an empty count", edited("element vertex 1", "element vertex"), /it has no number/],
  ["a cut-off file", ply([GOOD]).slice(0, -1), /x\.ply: it is cut off: 1 vertices need \d+ bytes/],
  [
    "a value that is not finite",
    ply([GOOD, { ...GOOD, scale_1: 800 }]),
    /x\.ply: vertex 1: a value is not finite/,
  ],
  ["a zero quaternion", ply([{ ...GOOD, rot_0: 0 }]), /x\.ply: vertex 0: a zero quaternion is no rotation/],
];
for (const [name, bytes, message] of BAD) {
  Deno.test(`parseGaussianPly() names file and field: ${name}`, () => {
    assert.throws(() => parseGaussianPly(bytes, "x.ply"), message);
  });
}

function ply(rows: readonly Record<string, number>[]): Uint8Array {
  const header = `ply\nformat binary_little_endian 1.0\ncomment made here\nelement vertex ${rows.length}\n` +
    `${NAMES.map((name) => `property float ${name}\n`).join("")}end_header\n`;
  const values = new DataView(new ArrayBuffer(rows.length * NAMES.length * 4));
  rows.forEach((row, i) =>
    NAMES.forEach((name, j) => values.setFloat32(4 * (i * NAMES.length + j), row[name] ?? 0, true))
  );
  return new Uint8Array([...new TextEncoder().encode(header), ...new Uint8Array(values.buffer)]);
}

function edited(from: string, to: string): Uint8Array {
  // Not TextDecoder, whose latin1 is windows-1252 and would change bytes.
  const text = String.fromCharCode(...ply([GOOD]));
  assert.ok(text.includes(from));
  return Uint8Array.from(text.replace(from, to), (character) => character.charCodeAt(0));
}

function rowOf({ mean, scale, quaternion, color, opacity }: Gaussian): Record<string, number> {
  const row: Record<string, number> = { x: mean[0], y: mean[1], z: mean[2] };
  scale.forEach((value, i) => row[`scale_${i}`] = Math.log(value));
  quaternion.forEach((value, i) => row[`rot_${i}`] = value);
  color.forEach((value, i) => row[`f_dc_${i}`] = (value - 0.5) * 2 * Math.sqrt(Math.PI));
  // An opacity of exactly 1 has no finite logit; what exporters write comes back within a millionth.
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, opacity));
  row.opacity = Math.log(inside / (1 - inside));
  row.f_rest_3 = stream(1, "rest").next();
  return row;
}

function numbers({ mean, scale, quaternion, color, opacity }: Scene[number]): number[] {
  return [...mean, ...scale, ...quaternion, ...color, opacity];
}

function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= tolerance, `${actual}, expected ${expected} ± ${tolerance}`)
  );
}
