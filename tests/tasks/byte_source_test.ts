import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { fileSource } from "../../tasks/byte_source.ts";
import { download } from "../../tasks/download.ts";

const oneLine = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof BenchError);
  assert.match(error.message, pattern);
  assert.ok(!error.message.includes("\n"));
  return true;
};

Deno.test("fileSource() reads a range, and says in one line what is no file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/bytes`, Uint8Array.of(1, 2, 3, 4, 5));
    const source = await fileSource(`${folder}/bytes`);
    assert.deepEqual([source.byteLength, ...await source.read(1, 4)], [5, 2, 3, 4]);
    await assert.rejects(fileSource(folder), oneLine(/^Cannot read .*: it is no file/));
    await assert.rejects(fileSource(`${folder}/none`), oneLine(/^Cannot read .*\/none: .*Restore it/));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("download() names BENCH_CACHE when its folder cannot be made", async () => {
  const file = await Deno.makeTempFile();
  try {
    await assert.rejects(
      download("http://127.0.0.1:9/weights", `${file}/inside/weights`, { sha256: null }),
      oneLine(/^Cannot write .*inside\/weights: .*set BENCH_CACHE/),
    );
  } finally {
    await Deno.remove(file);
  }
});
