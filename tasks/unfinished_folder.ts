/** A folder that shows nothing of what is written into it until all of it is there. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { writing } from "./file_errors.ts";

/** Hidden, so that no reader of data sets takes it for one; in the folder itself, so that files are never copied. */
export const UNFINISHED = ".unfinished";

/**
 * Fills a folder all at once. What an earlier call left when it was killed is removed.
 *
 * @param folder empty but for that, or not there; it is gone again on failure if it was not there
 * @param fill writes into the folder it is given
 * @param last name of the file that comes last
 * @throws what `fill` throws, and BenchError where the folder cannot be written
 */
export async function fillWhole<Result>(
  folder: string,
  last: string,
  fill: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = join(folder, UNFINISHED);
  const isNew = await Deno.stat(folder).then(() => false, () => true);
  try {
    await writing(folder, async () => {
      await rm(unfinished, { recursive: true, force: true });
      await mkdir(unfinished, { recursive: true });
    });
    const result = await fill(unfinished);
    await writing(folder, () => Promise.resolve(moveOut(unfinished, folder, last)));
    return result;
  } catch (error) {
    await rm(isNew ? folder : unfinished, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

/** Without a pause, so that no signal comes between. */
function moveOut(from: string, to: string, last: string): void {
  const names = [...Deno.readDirSync(from)].map(({ name }) => name).filter((name) => name !== last);
  for (const name of [...names, last]) Deno.renameSync(join(from, name), join(to, name));
  Deno.removeSync(from);
}
