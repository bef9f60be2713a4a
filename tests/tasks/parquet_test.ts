import assert from "node:assert/strict";
import { join } from "node:path";
import { fileSource } from "../../tasks/byte_source.ts";
import { openParquet } from "../../tasks/parquet.ts";
import { memorySource } from "../support/memory_source.ts";
import { largeFile, parquetBytes } from "../support/parquet_files.ts";

const STEPS = join(
  import.meta.dirname ?? ".",
  "../fixtures/data/splat/steps/medium_effort-00000-of-00001.parquet",
);
const MEGABYTE = 2 ** 20;

Deno.test("openParquet() tells rows, columns and notes without reading a column", async () => {
  const bytes = await Deno.readFile(STEPS);
  const source = memorySource(bytes);
  const file = await openParquet(source);
  assert.equal(file.rows, 32);
  assert.deepEqual(file.columns, [
    "episode_id",
    "step",
    "tool",
    "arguments",
    "accepted",
    "response",
    "image",
    "hidden_score",
    "gaussians",
  ]);
  const [footer] = new Uint32Array(bytes.slice(-8, -4).buffer);
  assert.ok(source.reads.every(([start]) => start >= bytes.length - 8 - footer), "only the footer");
  const shadow = await openParquet(
    await fileSource(STEPS.replace("splat", "shadow").replace("medium", "max")),
  );
  assert.deepEqual(JSON.parse(shadow.notes.huggingface).info.features.image, { _type: "Image" });
});

Deno.test("read() of a 2 GB table fetches no picture unasked, and stays flat in memory", async () => {
  const source = largeFile(120);
  assert.ok(source.byteLength > 2e9 && source.byteLength < 2.3e9);
  const file = await openParquet(source);
  let rows = 0;
  for await (const { row, value } of file.read({ columns: ["episode_id", "step", "response"] })) {
    assert.deepEqual(value, { episode_id: "e", step: row % 100, response: `Step ${row % 100}.` });
    rows += 1;
  }
  assert.equal(rows, source.rows);
  assert.equal(source.pictureBytes, 0);
  assert.ok(source.bytesRead < MEGABYTE, `${source.bytesRead} bytes`);
});

Deno.test("read() streams the pictures of a 2 GB table a few at a time", async () => {
  const source = largeFile(120);
  const file = await openParquet(source);
  const most = Deno.env.get("BENCH_SOAK") === undefined ? 500 : source.rows;
  let rows = 0;
  for await (const { row, value } of file.read({ columns: ["image", "step"] })) {
    const { image } = value;
    if (row % 10 === 0) assert.equal(image, null);
    else {
      assert.ok(
        typeof image === "object" && image !== null && "bytes" in image && image.bytes instanceof Uint8Array,
      );
      assert.deepEqual([image.bytes.length, image.bytes[0], image.bytes.at(-1)], [200_000, 0x89, row % 100]);
    }
    if (++rows === most) break;
  }
  assert.equal(rows, most);
  // Each picture comes once, and no more than a batch beyond the last row asked for.
  assert.ok(source.pictureBytes <= (most * 0.9 + 64) * 200_100, `${source.pictureBytes} bytes`);
  // Measured in a process of its own, since this one holds what other tests left.
  const script = join(import.meta.dirname ?? ".", "../support/stream_pictures.ts");
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", script, String(most)],
  })
    .output();
  const peak = Number(new TextDecoder().decode(stdout));
  assert.ok(peak > 0 && peak < 500 * MEGABYTE, `${peak / MEGABYTE} MB`);
});

Deno.test("read() fetches only the rows whose column has a wanted text", async () => {
  const bytes = await Deno.readFile(STEPS);
  const file = await openParquet(memorySource(bytes));
  const oneOf = new Set(["m__table__assemble__eval_r1", "none"]);
  const rows = await Array.fromAsync(
    file.read({ columns: ["step"], where: { column: "episode_id", oneOf } }),
  );
  assert.deepEqual(rows, [8, 9, 10, 11].map((row) => ({ row, value: { step: row - 8 } })));
  await assert.rejects(Array.fromAsync(file.read({ where: { column: "none", oneOf } })), {
    message: /^Cannot read memory: column none is missing; the columns there are episode_id, step, /,
  });
});

Deno.test("read() leaves bytes without annotation as bytes, JSON as text and 64-bit integers as bigint", async () => {
  const bytes = Uint8Array.of(0xff, 0x00, 0x80, 0xc3);
  const file = await openParquet(memorySource(parquetBytes([
    { name: "bytes", data: [bytes, null], type: "BYTE_ARRAY" },
    { name: "json", data: [{ a: 1 }, null], type: "JSON" },
    { name: "integer", data: [2n ** 60n, -1n], type: "INT64" },
  ])));
  const rows = await Array.fromAsync(file.read());
  assert.deepEqual(rows.map(({ value }) => value), [
    { bytes, json: '{"a":1}', integer: 2n ** 60n },
    { bytes: null, json: null, integer: -1n },
  ]);
});

Deno.test("openParquet() refuses what is no whole parquet file", async () => {
  const bytes = parquetBytes([{ name: "a", data: ["x", "y"], type: "STRING" }]);
  const huge = bytes.slice();
  huge.set([0xff, 0xff, 0xff, 0x7f], huge.length - 8);
  for (const bad of [bytes.slice(0, -20), bytes.slice(0, 7), new Uint8Array(100), new Uint8Array(), huge]) {
    await assert.rejects(openParquet(memorySource(bad, "bad.parquet")), {
      name: "BenchError",
      message: /^Cannot read bad\.parquet: no whole parquet file \(.*\)\. Fetch the file again/,
    });
  }
});

Deno.test("read() names file, rows and column of a codec that it does not know", async () => {
  const lzo = parquetBytes([{ name: "a", data: ["x", "y"], type: "STRING" }], {
    codec: "LZO",
    compressors: { LZO: (bytes) => bytes },
  });
  const file = await openParquet(memorySource(lzo, "lzo.parquet"));
  await assert.rejects(Array.fromAsync(file.read()), {
    message:
      /^Cannot read rows 0 to 1 of lzo\.parquet: column a is damaged or of an unknown encoding \(.*LZO.*\)/,
  });
});

Deno.test("read() leaves out a damaged row group where bad rows may be skipped, and goes on", async () => {
  const data = Array.from({ length: 30 }, (_, i) => `text ${i}`);
  const bytes = parquetBytes([{ name: "a", data, type: "STRING" }], { rowGroupSize: 10 });
  const at = new TextDecoder("latin1").decode(bytes).indexOf("text 10");
  bytes.fill(0xff, at - 30, at + 40);
  const file = await openParquet(memorySource(bytes, "torn.parquet"));
  await assert.rejects(
    Array.fromAsync(file.read()),
    /Cannot read rows 10 to 19 of torn\.parquet: column a is damaged/,
  );
  const bad: string[] = [];
  const rows = await Array.fromAsync(file.read({ onBad: (error) => bad.push(error.message) }));
  assert.deepEqual(rows.map(({ row }) => row), [
    ...Array(10).keys(),
    ...Array.from({ length: 10 }, (_, i) => 20 + i),
  ]);
  assert.equal(bad.length, 1);
});
