/** Recordings at any place that a person may name. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { BenchError } from "../env/errors.ts";
import { openData } from "../tasks/data_source.ts";
import { globPattern } from "../tasks/glob.ts";
import { isHubAddress } from "../tasks/hub_repository.ts";
import { RUN_FILES } from "../tasks/run_folder.ts";
import { isBenchId } from "../tasks/tables.ts";
import { dataRecordings } from "./data_recordings.ts";
import type { RecordedSet, RecordingKey } from "./recording.ts";
import { runRecordings } from "./run_recordings.ts";

/**
 * Everything that is recorded at a place, nothing of it read yet but what there is.
 *
 * @param where a run folder at any level, what `openData` takes, or a folder with data sets in `splat/` and `shadow/`
 * @param onBad told of bad rows, which are left out then; without it the first one is thrown
 * @throws BenchError when there is nothing, or nothing that can be read
 */
export async function recordedSets(
  where: string,
  onBad?: (error: BenchError) => void,
): Promise<RecordedSet[]> {
  if (isHubAddress(where)) return [await recordedData(where, onBad)];
  const entry = await stat(where).catch(() => null);
  if (entry?.isDirectory() !== true) return [await recordedData(where, onBad)];
  if (await holdsRuns(where)) return [await runRecordings(where)];
  const below = await dataSetsBelow(where);
  const folders = below.length > 0 ? below : [where];
  return await Promise.all(folders.map((folder) => recordedData(folder, onBad)));
}

async function recordedData(
  where: string,
  onBad: ((error: BenchError) => void) | undefined,
): Promise<RecordedSet> {
  const data = await openData(where, { onBad });
  const { bench } = data;
  // The same commit of it, where it is on the hub.
  return await dataRecordings(data, onBad === undefined ? data : await openData(data.where, { bench }));
}

/** Whether episodes of `bench eval` are at or below a folder: at most four levels down. */
async function holdsRuns(folder: string, levels = 4): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => RUN_MARKS.has(name))) return true;
  if (levels === 0) return false;
  for (const entry of entries) {
    if (entry.isDirectory() && await holdsRuns(join(folder, entry.name), levels - 1)) return true;
  }
  return false;
}

const RUN_MARKS: ReadonlySet<string> = new Set([
  RUN_FILES.run,
  RUN_FILES.episode,
  RUN_FILES.steps,
  RUN_FILES.transcript,
]);

/** Folders of data sets, one a benchmark. */
async function dataSetsBelow(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(isBenchId).sort();
  const found = await Promise.all(names.map(async (name) => {
    const readme = await stat(join(folder, name, "README.md")).catch(() => null);
    return readme === null ? [] : [join(folder, name)];
  }));
  return found.flat();
}

/** What a person chose of the recordings there are. */
export interface RecordingChoice {
  /** Globs over episode ids; any of them may match. None means all. */
  episodes: readonly string[];
  /** Settings; none means all. */
  settings: readonly string[];
}

/** @throws BenchError when the choice leaves nothing of something */
export function chosenKeys(
  keys: readonly RecordingKey[],
  { episodes, settings }: RecordingChoice,
  verb: string,
): RecordingKey[] {
  const patterns = episodes.map(globPattern);
  const chosen = keys.filter(({ episodeId, setting }) =>
    (settings.length === 0 || settings.includes(setting)) &&
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(episodeId)))
  );
  if (chosen.length > 0 || keys.length === 0) return chosen;
  const there = [...new Set(keys.map(({ setting }) => setting))];
  const missing = settings.filter((setting) => !there.includes(setting));
  throw new BenchError({
    what: `Cannot ${verb}`,
    why: missing.length > 0
      ? `there is no setting ${missing.join(", ")}; there is ${there.join(", ")}`
      : `none of ${keys.length} ${keys.length === 1 ? "episode" : "episodes"} matches ${episodes.join(", ")}`,
    fix: `An episode's id is like ${keys[0].episodeId}`,
  });
}
