/** What is there already is replaced only for those who say so. */
import { lstat } from "node:fs/promises";
import { BenchError } from "../env/errors.ts";

/**
 * To be called before the work is done.
 *
 * @param paths of the files that will be written
 * @param force whether they may be replaced
 * @throws BenchError naming the first that is there already
 */
export async function refuseExisting(paths: readonly string[], force: boolean): Promise<void> {
  if (force) return;
  for (const path of paths) {
    if (!await isThere(path)) continue;
    throw new BenchError({
      what: `Cannot write ${path}`,
      why: "it is there already",
      fix: "Name another place, or replace it with --force",
    });
  }
}

/** A link that leads nowhere is there, too. */
async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(() => true, () => false);
}
