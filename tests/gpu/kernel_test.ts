import assert from "node:assert/strict";
import { GpuError } from "../../env/errors.ts";
import { openGpu } from "../../gpu/device.ts";
import type { KernelSource } from "../../gpu/kernel.ts";
import { struct } from "../../gpu/struct_layout.ts";

const gpu = await openGpu("software");

const ADD: KernelSource = {
  name: "test/add",
  file: "test/add.wgsl",
  constants: { AMOUNT: 3 },
  libraries: [{ file: "test/twice_lib.wgsl", code: "fn twice(x: f32) -> f32 {\n  return 2.0 * x;\n}\n" }],
  code: `override AMOUNT: f32 = 0.0;
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
  output[id.x] = twice(input[id.x]) + AMOUNT;
}
`,
};

Deno.test("kernel() runs with its libraries and constants", async () => {
  const kernel = await gpu.kernel(ADD);
  const input = gpu.upload("input", new Float32Array([1, 2.5, -4]));
  const output = gpu.buffer("output", 12);
  const [bytes] = await gpu.submit("add", [kernel.dispatch({ output, input }, [3])], [output]);
  assert.deepEqual([...new Float32Array(bytes)], [5, 8, -5]);
});

Deno.test("kernel() compiles once for each text and constants", () => {
  assert.equal(gpu.kernel(ADD), gpu.kernel({ ...ADD }));
  assert.notEqual(gpu.kernel(ADD), gpu.kernel({ ...ADD, constants: { AMOUNT: 4 } }));
  assert.notEqual(
    gpu.kernel(ADD),
    gpu.kernel({ ...ADD, libraries: [{ file: "x_lib.wgsl", code: TWICE_AS_THRICE }] }),
  );
});

Deno.test("kernel() names the kernel, file and line of a syntax error behind structs and libraries", async () => {
  const broken = ADD.code.replace("+ AMOUNT;", "+ ;");
  const error = await rejection(() =>
    gpu.kernel({ ...ADD, code: broken, structs: [struct("S", { x: "f32", y: "vec3f" })] })
  );
  assert.equal(error.kernel, "test/add");
  assert.match(
    error.message,
    /^Cannot compile kernel "test\/add": test\/add\.wgsl:5:39: .*expected expression/,
  );
});

Deno.test("kernel() blames the library and the line a type error is in", async () => {
  const libraries = [
    { file: "test/fine_lib.wgsl", code: "fn fine() -> f32 { return 1.0; }" },
    {
      file: "test/twice_lib.wgsl",
      code: "fn twice(x: f32) -> f32 {\n  let y = x;\n  return x + vec2u(1u).x;\n}\n",
    },
  ];
  const error = await rejection(() => gpu.kernel({ ...ADD, libraries }));
  assert.equal(error.kernel, "test/add");
  assert.match(error.message, /test\/twice_lib\.wgsl:3:/);
});

Deno.test("kernel() says what is wrong when the text compiles but no pipeline can be made of it", async () => {
  const limit = gpu.limits.maxComputeInvocationsPerWorkgroup;
  const body = "fn main() {}\n";
  for (
    const [code, constants, pattern] of [
      ["@compute @workgroup_size(1) fn other() {}", {}, /main/],
      [`@compute @workgroup_size(${limit}, 2) ${body}`, {}, /workgroup size/],
      [`@compute @workgroup_size(1) ${body}`, { UNKNOWN: 1 }, /UNKNOWN/],
    ] as const
  ) {
    const error = await rejection(() =>
      gpu.kernel({ name: "test/none", file: "none.wgsl", code, constants })
    );
    assert.equal(error.kernel, "test/none");
    assert.match(error.message, /^Cannot compile kernel "test\/none": /);
    assert.match(error.message, pattern);
  }
});

Deno.test("dispatch() refuses missing, unknown and aliased buffers", async () => {
  const kernel = await gpu.kernel(ADD);
  const input = gpu.buffer("input", 12);
  const output = gpu.buffer("output", 12);
  assert.throws(() => kernel.dispatch({ input }, [1]), {
    name: "GpuError",
    kernel: "test/add",
    message: 'Cannot dispatch kernel "test/add": no buffer for its binding "output"',
  });
  assert.throws(() => kernel.dispatch({ input, output, extra: input }, [1]), {
    kernel: "test/add",
    message: 'Cannot dispatch kernel "test/add": it has no binding "extra", only input, output',
  });
  assert.throws(() => kernel.dispatch({ input, output: input }, [1]), {
    kernel: "test/add",
    message: /buffer "input" is bound to both "output" and "input"/,
  });
});

const TWICE_AS_THRICE = "fn twice(x: f32) -> f32 { return 3.0 * x; }";

async function rejection(run: () => Promise<unknown>): Promise<GpuError> {
  const error = await run().then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof GpuError, `${error}`);
  return error;
}
