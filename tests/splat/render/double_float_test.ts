import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { openGpu } from "../../../gpu/device.ts";

const library = await Deno.readTextFile(
  new URL("../../../splat/render/double_float_lib.wgsl", import.meta.url),
);

const code = `
@group(0) @binding(0) var<storage, read> input: array<vec4f>;
@group(0) @binding(1) var<storage, read> zero: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<vec2f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  opaque_zero = zero[0];
  let a = input[id.x].xy;
  let b = input[id.x].zw;
  output[5u * id.x] = wide_add(a, b);
  output[5u * id.x + 1u] = wide_subtract(a, b);
  output[5u * id.x + 2u] = wide_multiply(a, b);
  output[5u * id.x + 3u] = wide_divide(a, b);
  output[5u * id.x + 4u] = wide_root(wide_multiply(a, a));
}`;

Deno.test("double_float_lib.wgsl computes with 44 bits and more whatever the compiler simplifies", async () => {
  const gpu = await openGpu("software");
  const draw = stream(1, "double floats");
  const count = 64 * 32;
  const values = Array.from(
    { length: 2 * count },
    () => (draw.next() < 0.5 ? -1 : 1) * 10 ** draw.range(-6, 6),
  );
  const pairs = new Float32Array(values.flatMap((value) => [value, value - Math.fround(value)]));
  // What the device sees: the pair, not the value.
  const seen = Array.from(values, (_, i) => pairs[2 * i] + pairs[2 * i + 1]);
  const kernel = await gpu.kernel({
    name: "tests/double_float",
    file: "tests/double_float.wgsl",
    code,
    libraries: [{ file: "splat/render/double_float_lib.wgsl", code: library }],
  });
  const output = gpu.buffer("output", count * 5 * 8);
  const [bytes] = await gpu.submit(
    "double floats",
    [kernel.dispatch({
      input: gpu.upload("input", pairs),
      zero: gpu.buffer("zero", 4),
      output,
    }, [count / 64])],
    [output],
  );
  gpu.close();
  const got = new Float32Array(bytes);
  for (let i = 0; i < count; i++) {
    const [a, b] = [seen[2 * i], seen[2 * i + 1]];
    for (const [k, wanted] of [a + b, a - b, a * b, a / b, Math.abs(a)].entries()) {
      const at = 2 * (5 * i + k);
      const error = Math.abs(got[at] + got[at + 1] - wanted) / Math.abs(wanted);
      assert.ok(error < 2 ** -44, `operation ${k} of ${a} and ${b}: relative error ${error}`);
    }
  }
});
