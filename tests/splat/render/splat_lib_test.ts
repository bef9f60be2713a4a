import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { openGpu } from "../../../gpu/device.ts";
import { SPLAT } from "../../../splat/render/structs.ts";

const library = await Deno.readTextFile(new URL("../../../splat/render/splat_lib.wgsl", import.meta.url));

const code = `
@group(0) @binding(0) var<storage, read> splats: array<Splat>;
@group(0) @binding(1) var<storage, read> rectangles: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  output[id.x] = least_power(splats[id.x], rectangles[id.x].xy, rectangles[id.x].zw);
}`;

Deno.test("least_power() is the least power over a rectangle: no pixel is missed and no tile listed in vain", async () => {
  const gpu = await openGpu("software");
  const draw = stream(3, "rectangles");
  const cases = Array.from({ length: 64 * 8 }, () => {
    const [x, y] = [draw.range(-8, 5), draw.range(-5, 4)];
    const root = [10 ** draw.range(-2, 0.2), draw.range(-1.5, 1.5), 10 ** draw.range(-2, 0.2)] as const;
    return { root, rectangle: [x, y, x + draw.range(0, 8), y + draw.range(0, 4)] as const };
  });
  const splats = SPLAT.pack(cases.map(({ root }) => ({
    anchor: [0, 0],
    offset: [0, 0],
    root,
    opacity: 1,
    color: [0, 0, 0],
    cut: 1,
    reach: [0, 0, 0, 0],
  })));
  const kernel = await gpu.kernel({
    name: "tests/least_power",
    file: "tests/least_power.wgsl",
    code,
    structs: [SPLAT],
    libraries: [{ file: "splat/render/splat_lib.wgsl", code: library }],
  });
  const output = gpu.buffer("output", cases.length * 4);
  const buffers = {
    splats: gpu.upload("splats", splats),
    rectangles: gpu.upload("rectangles", new Float32Array(cases.flatMap(({ rectangle }) => rectangle))),
    output,
  };
  const [bytes] = await gpu.submit("least power", [kernel.dispatch(buffers, [cases.length / 64])], [output]);
  gpu.close();
  let zeros = 0;
  for (const [k, got] of new Float32Array(bytes).entries()) {
    const wanted = leastBySearch(cases[k].root, cases[k].rectangle);
    const room = 1e-5 + 1e-4 * wanted;
    assert.ok(Math.abs(got - wanted) <= room, `${JSON.stringify(cases[k])}: ${got}, wanted ${wanted}`);
    zeros += Number(got === 0);
  }
  assert.ok(zeros > 20 && zeros < cases.length / 2, `${zeros} rectangles hold the mean`);
});

/** Minimum along the sides by ternary search, or 0 with the mean (0, 0) inside. */
function leastBySearch([a, b, c]: readonly number[], [x0, y0, x1, y1]: readonly number[]): number {
  if (x0 <= 0 && x1 >= 0 && y0 <= 0 && y1 >= 0) return 0;
  const power = (dx: number, dy: number) => (a * dx + b * dy) ** 2 + (c * dy) ** 2;
  return Math.min(
    leastOf((x) => power(x, y0), x0, x1),
    leastOf((x) => power(x, y1), x0, x1),
    leastOf((y) => power(x0, y), y0, y1),
    leastOf((y) => power(x1, y), y0, y1),
  );
}

function leastOf(convex: (at: number) => number, low: number, high: number): number {
  for (let step = 0; step < 60; step++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (convex(a) < convex(b)) high = b;
    else low = a;
  }
  return convex((low + high) / 2);
}
