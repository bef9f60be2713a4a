/** A data set on the hub, read where it is: only the bytes that are needed come over. */
import { BenchError } from "../env/errors.ts";
import type { ByteSource } from "./byte_source.ts";
import type { HttpOptions } from "./http_request.ts";
import { httpSource } from "./http_source.ts";
import { askHub, type HubDataSet, hubHeaders, hubUrl } from "./hub_api.ts";
import { cachedSnapshot, cacheFolderOf } from "./hub_cache.ts";
import { type HubSettings, hubSettings } from "./hub_settings.ts";
import { folderRepository, type Repository } from "./repository.ts";

const ADDRESS = /^hf:\/\/(?:datasets\/)?([\w.-]+\/[\w.-]+)(?:@([^@\s]+))?$/;

/** Whether a text means a place on the hub. */
export const isHubAddress = (where: string): boolean => where.startsWith("hf://");

/** The parts of `hf://org/name[@revision]`. */
export function hubAddress(where: string): { id: string; revision: string } {
  const match = ADDRESS.exec(where);
  if (match !== null) return { id: match[1], revision: match[2] ?? "main" };
  throw new BenchError({
    what: `Cannot read ${where}`,
    why: "an address on the hub is hf://org/name or hf://org/name@revision",
    fix: "Name it so, e.g. hf://perpetual-research/splatbench",
  });
}

/**
 * The data set at an address, pinned to the commit that its revision means now. With `HF_HUB_OFFLINE` set, the one in
 * the cache of the hub's Python packages.
 *
 * @throws BenchError when the hub has no such data set, (exit code 4) when it cannot be reached
 */
export async function hubRepository(where: string, options: HttpOptions = {}): Promise<Repository> {
  const settings = hubSettings();
  const { id, revision } = hubAddress(where);
  if (settings.offline) {
    const snapshot = await cachedSnapshot(cacheFolderOf(id, settings), revision);
    return await folderRepository(snapshot, snapshot.split(/[\\/]/).at(-1));
  }
  return openHub(await askHub(id, revision, settings, options), settings, options);
}

/** The files of a data set that the hub has listed. */
export function openHub(found: HubDataSet, settings: HubSettings, options: HttpOptions = {}): Repository {
  const open = new Map<string, Promise<ByteSource>>();
  const withToken = { ...options, headers: hubHeaders(settings) };
  return {
    name: `hf://${found.id}@${found.commit}`,
    revision: found.commit,
    paths: found.files.map(({ path }) => path).sort(),
    open(path) {
      const known = open.get(path) ?? httpSource(hubUrl(found, path, settings), withToken);
      open.set(path, known);
      return known;
    },
  };
}
