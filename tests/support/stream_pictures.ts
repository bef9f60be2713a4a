/** Streams rows with pictures of a 2 GB table, and prints the most memory that this process held, in bytes. */
import { openParquet } from "../../tasks/parquet.ts";
import { largeFile } from "./parquet_files.ts";

const file = await openParquet(largeFile(120));
let [rows, peak] = [0, 0];
for await (const _ of file.read({ columns: ["image", "step"] })) {
  if (rows % 16 === 0) peak = Math.max(peak, Deno.memoryUsage().rss);
  if (++rows === Number(Deno.args[0])) break;
}
// deno-lint-ignore no-console
console.log(peak);
