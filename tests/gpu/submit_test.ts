import assert from "node:assert/strict";
import { GpuError } from "../../env/errors.ts";
import { openGpu } from "../../gpu/device.ts";
import { clear, copy } from "../../gpu/kernel.ts";

const gpu = await openGpu("software");

/** values[i] = values[i] * 3 + 1, and no more values than one workgroup each. */
const step = await gpu.kernel({
  name: "test/step",
  file: "test/step.wgsl",
  code: `struct Row { values: array<u32, 4> }
@group(0) @binding(0) var<storage, read_write> rows: array<Row>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = 0u; i < 4u; i++) { rows[id.x].values[i] = rows[id.x].values[i] * 3u + 1u; }
}
`,
});

Deno.test("submit() runs commands in order and reads several ranges at once", async () => {
  const rows = gpu.upload("rows", new Uint32Array([0, 1, 2, 3, 10, 20, 30, 40]));
  const before = gpu.buffer("before", 32);
  const wiped = gpu.upload("wiped", new Uint32Array([7, 7, 7]));
  const [whole, part, none, odd, zeros] = await gpu.submit("mixed", [
    copy(rows, before, 32),
    step.dispatch({ rows }, [2]),
    step.dispatch({ rows }, [1]),
    clear(wiped),
  ], [
    rows,
    { buffer: before, byteOffset: 16, byteLength: 8 },
    { buffer: rows, byteOffset: 4, byteLength: 0 },
    { buffer: rows, byteOffset: 28, byteLength: 4 },
    wiped,
  ]);
  assert.deepEqual([...new Uint32Array(whole)], [4, 13, 22, 31, 31, 61, 91, 121]);
  assert.deepEqual([...new Uint32Array(part)], [10, 20]);
  assert.equal(none.byteLength, 0);
  assert.deepEqual([...new Uint32Array(odd)], [121]);
  assert.deepEqual([...new Uint32Array(zeros)], [0, 0, 0]);
});

Deno.test("buffer() starts with zeros; write() and upload() place bytes", async () => {
  const buffer = gpu.buffer("bytes", 10);
  assert.equal(buffer.byteLength, 12);
  buffer.write(new Uint8Array([9, 1, 2, 3, 4, 9]).subarray(1, 5), 4);
  const odd = gpu.upload("odd", new Uint8Array([1, 2, 3, 4, 5]));
  const [bytes, padded] = await gpu.submit("bytes", [], [buffer, odd]);
  assert.deepEqual([...new Uint8Array(bytes)], [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0]);
  assert.deepEqual([...new Uint8Array(padded)], [1, 2, 3, 4, 5, 0, 0, 0]);
});

Deno.test("submit() gives each of many concurrent and consecutive calls its own bytes", async () => {
  const rounds = Deno.env.get("BENCH_SOAK") ? 200 : 6;
  for (let round = 0; round < rounds; round++) {
    const results = await Promise.all(Array.from({ length: 40 }, async (_, i) => {
      // Sizes cross the pool's powers of two.
      const rows = gpu.upload("rows", new Uint32Array(4 * (1 + i * 37)).fill(i + round));
      const reads = await gpu.submit("own", [step.dispatch({ rows }, [1])], [rows]);
      rows.destroy();
      return new Uint32Array(reads[0]);
    }));
    for (const [i, words] of results.entries()) {
      assert.equal(words.length, 4 * (1 + i * 37));
      assert.ok(
        words.every((word, at) => word === (at < 4 ? (i + round) * 3 + 1 : i + round)),
        `submit ${i}`,
      );
    }
  }
});

Deno.test("submit() refuses more than 65,535 workgroups and counts that are none", async () => {
  const rows = gpu.buffer("rows", 16);
  const error = await rejection(() => gpu.submit("wide", [step.dispatch({ rows }, [65536])]));
  assert.equal(error.kernel, "test/step");
  assert.equal(
    error.message,
    'Cannot dispatch kernel "test/step": 65536 x 1 x 1 workgroups, the device allows 0 to 65535 in each dimension',
  );
  await gpu.submit("as wide as it goes", [step.dispatch({ rows }, [65535])]);
  for (const groups of [[1, 65536], [1, 1, 65536], [-1], [1.5], [NaN]] as const) {
    const error = await rejection(() => gpu.submit("bad", [step.dispatch({ rows }, groups)]));
    assert.match(error.message, /workgroups, the device allows/);
  }
});

Deno.test("buffer() refuses a size the device does not allow", () => {
  const most = gpu.limits.maxBufferSize;
  for (const size of [most + 1, 2 ** 40, 0, -4, NaN]) {
    assert.throws(() => gpu.buffer("huge", size), {
      name: "GpuError",
      message: `Cannot make buffer "huge": ${size} bytes, the device allows 1 to ${most}`,
    });
  }
});

Deno.test("submit() refuses to bind more of a buffer than the device allows", async () => {
  const most = gpu.limits.maxStorageBufferBindingSize;
  const rows = gpu.buffer("rows", most + 4);
  const error = await rejection(() => gpu.submit("large", [step.dispatch({ rows }, [1])]));
  assert.equal(error.kernel, "test/step");
  assert.match(
    error.message,
    new RegExp(`buffer "rows" of binding "rows" has ${most + 4} bytes, .* at most ${most}`),
  );
  rows.destroy();
});

Deno.test("submit() names the kernel of an error that only the device sees, and runs nothing", async () => {
  const fine = gpu.buffer("fine", 16);
  const small = gpu.buffer("small", 12); // less than one Row
  const error = await rejection(() =>
    gpu.submit("two", [step.dispatch({ rows: fine }, [1]), step.dispatch({ rows: small }, [1])], [fine])
  );
  assert.equal(error.kernel, "test/step");
  assert.match(error.message, /^Cannot run "two", kernel "test\/step": .*size 12/);
  const [bytes] = await gpu.submit("after", [], [fine]);
  assert.deepEqual([...new Uint32Array(bytes)], [0, 0, 0, 0]);
});

Deno.test("destroy() makes every later use an error with the buffer's label", async () => {
  const gone = gpu.buffer("gone", 16);
  const other = gpu.buffer("other", 16);
  const [late] = await Promise.all([gpu.submit("before", [step.dispatch({ rows: gone }, [1])], [gone])]);
  assert.deepEqual([...new Uint32Array(late[0])], [1, 1, 1, 1]);
  gone.destroy();
  assert.throws(
    () => gone.write(new Uint32Array(1)),
    /Cannot write buffer "gone": buffer "gone" was destroyed/,
  );
  for (
    const [commands, reads] of [
      [[step.dispatch({ rows: gone }, [1])], []],
      [[clear(gone)], []],
      [[copy(other, gone, 4)], []],
      [[copy(gone, other, 4)], []],
      [[], [gone]],
    ] as const
  ) {
    const error = await rejection(() => gpu.submit("late", commands, reads));
    assert.match(error.message, /buffer "gone" was destroyed/);
  }
});

Deno.test("ranges outside a buffer or off the four-byte grid are refused", async () => {
  const buffer = gpu.buffer("b", 16);
  const other = gpu.buffer("o", 8);
  assert.throws(() => buffer.write(new Uint32Array(4), 4), /bytes 4 to 20 wanted, it has 16/);
  assert.throws(() => buffer.write(new Uint8Array(3)), /multiples of 4/);
  assert.throws(() => buffer.write(new Uint32Array(1), 2), /multiples of 4/);
  for (const [byteOffset, byteLength] of [[0, 20], [-4, 8], [2, 4], [0, 6], [16, 4]]) {
    const error = await rejection(() => gpu.submit("r", [], [{ buffer, byteOffset, byteLength }]));
    assert.match(error.message, /^Cannot read buffer "b": /);
  }
  assert.match((await rejection(() => gpu.submit("c", [copy(buffer, other, 12)]))).message, /"b" to "o"/);
  assert.match((await rejection(() => gpu.submit("c", [copy(buffer, buffer, 4)]))).message, /same buffer/);
});

async function rejection(run: () => Promise<unknown>): Promise<GpuError> {
  const error = await run().then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof GpuError, `${error}`);
  return error;
}
