import assert from "node:assert/strict";
import { join } from "node:path";
import { fileSource } from "../../tasks/byte_source.ts";
import { openParquet } from "../../tasks/parquet.ts";

const LISTS = join(import.meta.dirname ?? ".", "../fixtures/data/lists");
const rows: unknown[] = (await Deno.readTextFile(join(LISTS, "rows.jsonl"))).trim().split("\n").map((line) =>
  JSON.parse(line)
);

for (const way of ["plain", "small_pages", "version_2", "item_names"]) {
  Deno.test(`read() puts lists together as pyarrow wrote them: ${way}`, async () => {
    const file = await openParquet(await fileSource(join(LISTS, `${way}.parquet`)));
    const read = await Array.fromAsync(file.read());
    assert.equal(read.length, 120);
    for (const { row, value } of read) assert.deepEqual(value, rows[row], `row ${row}`);
  });
}

Deno.test("read() reads a list column of chosen rows alone", async () => {
  const file = await openParquet(await fileSource(join(LISTS, "item_names.parquet")));
  const columns = ["matrix"];
  const some = [];
  for await (const { row, value } of file.read({ columns })) if (row % 50 === 49) some.push(value.matrix);
  const wanted = [49, 99].map((row) => {
    const value = rows[row];
    return typeof value === "object" && value !== null && "matrix" in value ? value.matrix : undefined;
  });
  assert.deepEqual(some, wanted);
});
