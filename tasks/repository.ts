/** The files of a data set, wherever they are. */
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type ByteSource, fileSource } from "./byte_source.ts";
import { reading } from "./file_errors.ts";

export interface Repository {
  /** Where it is, for people. */
  readonly name: string;
  /** Commit of the data set; null where nobody knows. */
  readonly revision: string | null;
  /** Paths of its files with `/`, sorted. */
  readonly paths: readonly string[];
  open(path: string): Promise<ByteSource>;
}

/** @throws BenchError when the folder cannot be read */
export async function folderRepository(folder: string, revision: string | null = null): Promise<Repository> {
  const paths: string[] = [];
  await walk(folder, folder, paths);
  return {
    name: folder,
    revision,
    paths: paths.sort(),
    open: (path) => fileSource(join(folder, ...path.split("/"))),
  };
}

/** Hidden folders hold what others keep beside the data, e.g. `.git` and `.cache`. */
async function walk(root: string, folder: string, paths: string[]): Promise<void> {
  for (const entry of await reading(folder, () => readdir(folder, { withFileTypes: true }))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) await walk(root, path, paths);
    // The hub's cache holds links to files.
    else paths.push(relative(root, path).split(sep).join("/"));
  }
}

/** The whole text of a small file. */
export async function readText(source: ByteSource): Promise<string> {
  return new TextDecoder().decode(await source.read(0, source.byteLength));
}
