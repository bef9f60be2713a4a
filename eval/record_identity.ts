/** Whose record an `episode.json` is, against whose it should be. */
import type { EpisodeRecord } from "../env/records.ts";
import { UnreadableFile } from "../tasks/file_errors.ts";
import { brief } from "./difference.ts";

/** What is known of an episode's record before it is read. */
export type RecordIdentity = Pick<
  EpisodeRecord,
  "bench" | "model_name" | "task_id" | "setting" | "protocol" | "run" | "env_fingerprint" | "profile_hash"
>;

/** @throws UnreadableFile naming the first field that belongs to another episode */
export function checkIdentity(record: EpisodeRecord, wanted: RecordIdentity, folder: string): void {
  const found = new Map<string, unknown>(Object.entries(record));
  for (const [field, value] of Object.entries(wanted)) {
    if (found.get(field) === value) continue;
    throw new UnreadableFile({
      what: `Cannot count the episode in ${folder}`,
      why: `its ${field} is ${brief(found.get(field))}, and that of the run is ${brief(value)}`,
      fix: "Restore its files, or remove the folder to play it again",
    });
  }
}
