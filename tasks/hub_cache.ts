/** What the Python packages of the hub keep on disk. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { BenchError } from "../env/errors.ts";
import type { HubSettings } from "./hub_settings.ts";

const COMMIT = /^[0-9a-f]{40}$/;

/** Whether a folder is `models--…` or `datasets--org--name` of the cache, with its snapshots inside. */
export async function isHubCache(folder: string): Promise<boolean> {
  return (await stat(join(folder, "snapshots")).catch(() => null))?.isDirectory() === true;
}

/**
 * The folder of a snapshot.
 *
 * @param folder `datasets--org--name` of the cache
 * @param revision commit, branch or tag; the branch `main`, or else the only snapshot there is, when absent
 * @throws BenchError when it is not there
 */
export async function cachedSnapshot(folder: string, revision?: string): Promise<string> {
  const named = revision ?? "main";
  const ref = await readFile(join(folder, "refs", named), "utf8").catch(() => null);
  const there: string[] = await readdir(join(folder, "snapshots")).catch(() => []);
  const commit = ref?.trim() ?? (revision === undefined && there.length === 1 ? there[0] : named);
  if (there.includes(commit)) return join(folder, "snapshots", commit);
  throw new BenchError({
    what: `Cannot read revision ${named} in ${folder}`,
    why: there.length === 0 ? "it holds no snapshot" : `the snapshots there are ${there.join(", ")}`,
    fix: "Name one of them, or download it first",
  });
}

/** The folder that the cache has for a data set; it need not exist. */
export function cacheFolderOf(id: string, { cache }: HubSettings): string {
  return join(cache, `datasets--${id.replaceAll("/", "--")}`);
}

/** The commit that a folder of data is of; null where nothing says so. */
export async function localRevision(folder: string): Promise<string | null> {
  if (COMMIT.test(basename(folder))) return basename(folder);
  // `hf download --local-dir` notes the commit of each file as the first line of a file beside the data.
  const notes = join(folder, ".cache", "huggingface", "download");
  for (const entry of await readdir(notes, { recursive: true }).catch(() => [])) {
    if (!entry.endsWith(".metadata")) continue;
    const commit = (await readFile(join(notes, entry), "utf8")).split("\n")[0];
    if (COMMIT.test(commit)) return commit;
  }
  return null;
}
