import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { openGpu } from "../../../gpu/device.ts";
import crossingLib from "../../../shadow/stage/crossing_lib.wgsl" with { type: "text" };
import { GUARD } from "../../../shadow/stage/sub_pixels.ts";

const KERNEL = `
@group(0) @binding(0) var<storage, read> edges: array<vec4i>;
@group(0) @binding(1) var<storage, read> heights: array<i32>;
@group(0) @binding(2) var<storage, read_write> crossings: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&edges)) {
    let edge = edges[id.x];
    let inverse_rise = 1.0 / f32(edge.w - edge.y);
    crossings[id.x] = crossing(edge.xy, edge.zw, heights[id.x], inverse_rise);
  }
}`;

Deno.test("crossing() is the exact ceiling on a device, also a hair beside whole numbers", async () => {
  const draws = stream(0, "crossings");
  const edges: number[][] = [];
  const heights: number[] = [];
  const add = (x0: number, y0: number, x1: number, y1: number, y: number) => {
    edges.push([x0, y0, x1, y1]);
    heights.push(y);
  };
  for (let i = 0; i < 20000; i++) {
    const [y0, y1] = [draws.integer(-GUARD, GUARD), draws.integer(-GUARD, GUARD)].sort((a, b) => a - b);
    add(
      draws.integer(-GUARD, GUARD + 1),
      y0,
      draws.integer(-GUARD, GUARD + 1),
      y1 + 1,
      draws.integer(y0, y1 + 1),
    );
    // Runs of a whole number of rises, or one sub-pixel beside it: crossings are whole, or off by up to 1 / rise.
    const rise = draws.integer(1, 2 * GUARD);
    const beside = draws.integer(-1, 2);
    const times = draws.integer(-Math.floor(2 * GUARD / rise), Math.floor(2 * GUARD / rise) + 1);
    const run = Math.max(-2 * GUARD, Math.min(2 * GUARD, times * rise + beside));
    const x0 = run > 0 ? -GUARD : GUARD;
    for (const step of [1, rise - 1, draws.integer(0, rise)]) {
      add(x0, -GUARD, x0 + run, rise - GUARD, step - GUARD);
    }
  }
  const gpu = await openGpu("software");
  const kernel = await gpu.kernel({
    name: "crossing test",
    file: "crossing_test.ts",
    code: KERNEL,
    libraries: [{ file: "shadow/stage/crossing_lib.wgsl", code: crossingLib }],
  });
  const crossings = gpu.buffer("crossings", 4 * heights.length);
  const dispatch = kernel.dispatch({
    edges: gpu.upload("edges", Int32Array.from(edges.flat())),
    heights: gpu.upload("heights", Int32Array.from(heights)),
    crossings,
  }, [Math.ceil(heights.length / 64)]);
  const [bytes] = await gpu.submit("crossings", [dispatch], [crossings]);
  const found = new Int32Array(bytes);
  for (const [i, [x0, y0, x1, y1]] of edges.entries()) {
    assert.equal(found[i], exactCrossing(x0, y0, x1, y1, heights[i]), `${edges[i]} at ${heights[i]}`);
  }
  gpu.close();
});

/** The smallest whole x with x ≥ x0 + (y − y0)(x1 − x0) / (y1 − y0). */
function exactCrossing(x0: number, y0: number, x1: number, y1: number, y: number): number {
  const [product, rise] = [BigInt(y - y0) * BigInt(x1 - x0), BigInt(y1 - y0)];
  const quotient = product / rise;
  return x0 + Number(quotient) + Number(product > quotient * rise);
}
