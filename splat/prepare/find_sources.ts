/** Finds the folders of the known objects below a folder of downloads. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { KNOWN_OBJECTS, type KnownObject } from "./known_objects.ts";
import { listFolder } from "./source_files.ts";

export interface KnownSource extends KnownObject {
  readonly object: string;
  /** Null where there is none. */
  readonly folder: string | null;
}

/**
 * Every known object with its folder, which lies in `sources` or one folder deeper (`nerf_synthetic/lego`) and has the
 * object's name in any case.
 *
 * @throws BenchError when `sources` cannot be read
 */
export async function findSources(sources: string): Promise<KnownSource[]> {
  const near = (await listFolder(sources, "Name the folder that holds nerf_synthetic and the others"))
    .map((name) => join(sources, name));
  const far = await Promise.all(near.map(foldersIn));
  const folders = [...await foldersIn(sources), ...far.flat()];
  return Object.entries(KNOWN_OBJECTS).map(([object, known]) => ({
    object,
    ...known,
    folder: folders.find(({ name }) => name.toLowerCase() === object)?.path ?? null,
  }));
}

/** Sorted by name; none for what is no folder or cannot be read. */
async function foldersIn(folder: string): Promise<{ name: string; path: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}
