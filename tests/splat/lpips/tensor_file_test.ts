/** Readers of weight files; `tests/golden/lpips/formats.py` made the files with torch and safetensors. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BenchError } from "../../../env/errors.ts";
import { openTensorFile } from "../../../splat/score/lpips/open_tensor_file.ts";
import { encodeSafetensors } from "../../../splat/score/lpips/safetensors.ts";
import { fileSource } from "../../../tasks/byte_source.ts";
import expected from "../../golden/lpips/formats.json" with { type: "json" };
import { memorySource } from "../../support/memory_source.ts";

const folder = join(import.meta.dirname ?? ".", "../../golden/lpips");
const FILES = ["formats.safetensors", "formats.pth"];

for (const name of FILES) {
  Deno.test(`openTensorFile() reads ${name} as the library that wrote it`, async () => {
    const file = await openTensorFile(await fileSource(join(folder, name)));
    assert.deepEqual(file.shapes.get("features.0.weight"), [2, 3, 2, 2]);
    assert.deepEqual(file.shapes.get("empty"), [0, 3]);
    const tensors = await file.read(["features.0.weight", "half", "features.0.bias", "empty"]);
    for (const key of ["features.0.weight", "features.0.bias", "empty"] as const) {
      assert.deepEqual([...tensors.get(key)?.values ?? []], expected[key], key);
    }
    const half = [...tensors.get("half")?.values ?? []];
    // Python writes infinity as "inf".
    const wanted = expected.half.map((text) => text === "inf" ? Infinity : Number(text));
    assert.ok(
      half.length === wanted.length && half.every((value, at) => Object.is(value, wanted[at])),
      `${half}`,
    );
    await assert.rejects(file.read(["count"]), /count is (of type I64|not of float32 or float16)/);
    await assert.rejects(file.read(["missing"]), /it has no tensor missing/);
  });

  Deno.test(`openTensorFile() refuses ${name} cut off anywhere, in one line`, async () => {
    const bytes = await Deno.readFile(join(folder, name));
    for (let length = 0; length < bytes.length - 1; length += length < 64 ? 1 : 37) {
      const broken = openTensorFile(memorySource(bytes.slice(0, length))).then((file) =>
        file.read(["features.0.weight", "features.0.bias", "half"])
      );
      await assert.rejects(broken, (error) => error instanceof BenchError && !error.message.includes("\n"));
    }
  });
}

Deno.test("openTensorFile() reads a part of a storage and refuses a transposed tensor", async () => {
  const file = await openTensorFile(await fileSource(join(folder, "formats.pth")));
  assert.deepEqual([...(await file.read(["part"])).get("part")?.values ?? []], expected.part);
  await assert.rejects(file.read(["turned"]), /turned is stored transposed/);
});

Deno.test("openTensorFile() notices a flipped bit in the values of torch.save", async () => {
  const bytes = await Deno.readFile(join(folder, "formats.pth"));
  const first = new Uint8Array(Float32Array.of(expected["features.0.weight"][0]).buffer);
  const at = bytes.findIndex((_, place) => first.every((byte, i) => bytes[place + i] === byte));
  assert.notEqual(at, -1);
  bytes[at] ^= 1;
  const file = await openTensorFile(memorySource(bytes));
  await assert.rejects(file.read(["features.0.weight"]), /CRC-32 is wrong/);
});

Deno.test("openTensorFile() reads the directory, the pickle, and each run of wanted tensors once", async () => {
  const source = memorySource(await Deno.readFile(join(folder, "formats.pth")));
  const file = await openTensorFile(source);
  const before = source.reads.length;
  await file.read(["features.0.weight", "features.0.bias", "half"]);
  assert.equal(source.reads.length, before + 1);
});

Deno.test("openTensorFile() says what it cannot read", async () => {
  const text = new TextEncoder();
  const cases: [Uint8Array, RegExp][] = [
    [
      text.encode("<!doctype html><title>Not found</title>"),
      /neither a safetensors file nor a zip of torch.save/,
    ],
    [
      Uint8Array.of(
        0x80,
        2,
        0x8a,
        10,
        0x6c,
        0xfc,
        0x9c,
        0x46,
        0xf9,
        0x20,
        0x6a,
        0xa8,
        0x50,
        0x19,
        0x2e,
        0x80,
      ),
      /before version 1\.6/,
    ],
    [Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, ...text.encode("{nothing")), /its header is damaged/],
    [text.encode("PK\u0005\u0006" + "\0".repeat(18)), /a zip, but not one of torch\.save/],
  ];
  for (const [bytes, message] of cases) await assert.rejects(openTensorFile(memorySource(bytes)), message);
});

Deno.test("encodeSafetensors() writes a file that reads back the same, its values at a multiple of 8", async () => {
  const bytes = await Deno.readFile(join(folder, "formats.safetensors"));
  const file = await openTensorFile(memorySource(bytes));
  const tensors = await file.read(["features.0.bias", "features.0.weight"]);
  const own = encodeSafetensors(tensors);
  const again = await openTensorFile(memorySource(own));
  assert.deepEqual(await again.read(["features.0.bias", "features.0.weight"]), tensors);
  assert.equal((8 + new DataView(own.buffer).getUint32(0, true)) % 8, 0);
});
