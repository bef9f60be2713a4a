/** The recordings of a place. */
import { recordedSets } from "../../eval/find_recordings.ts";
import type { Recording } from "../../eval/recording.ts";

export async function recordingsIn(where: string): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const set of await recordedSets(where)) recordings.push(...await Array.fromAsync(set.read(set.keys)));
  return recordings;
}

/** The first one. */
export async function recordingIn(where: string): Promise<Recording> {
  const [recording] = await recordingsIn(where);
  return recording;
}
