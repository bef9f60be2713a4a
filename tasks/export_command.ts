/** `bench export run`: a run, or another data set, in the published layout. */
import { z } from "zod";
import { count } from "../env/numbers.ts";
import { openData } from "./data_source.ts";
import { exportData } from "./export_data.ts";
import { EXPORT_FORMATS } from "./export_file.ts";

/** The options of the command as the command line gives them. */
export const exportOptionsSchema = z.object({
  out: z.string(),
  format: z.enum(EXPORT_FORMATS),
  bench: z.enum(["splat", "shadow"]).optional(),
  skipBad: z.boolean().default(false),
});

/**
 * Exports what is at a place that `openData` reads, and returns what to print.
 *
 * @param say told of each file, and of all that is left out for being bad
 * @throws BenchError for bad rows unless they are to be skipped, where nothing is left without them, and where files
 *   cannot be written
 * @throws DOMException when the signal aborts; nothing is written then
 */
export async function exportCommand(
  where: string,
  { out, format, bench, skipBad }: z.infer<typeof exportOptionsSchema>,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  let bad = 0;
  const onBad = (error: Error) => {
    bad += 1;
    say(`Left out: ${error.message}`);
  };
  const data = await openData(where, { bench, onBad: skipBad ? onBad : undefined });
  const wrote = (path: string, rows: number) => say(`${path}: ${count(rows, "row")}`);
  const files = await exportData(data, out, { format, wrote, onlyOfEpisodes: skipBad, signal });
  const left = bad > 0 ? `; ${bad} left out for being bad` : "";
  return `${out}: ${count(files.size, "file")} of ${data.where}${left}`;
}
