/** Recordings of a run folder. */
import { openData } from "../tasks/data_source.ts";
import { readRun, type RecordedEpisode, type RecordedRun } from "../tasks/run_reader.ts";
import { transcriptRow } from "../tasks/transcript_rows.ts";
import type { RecordedSet, Recording, RecordingKey } from "./recording.ts";

/** @throws BenchError when there is no episode at or below the folder */
export async function runRecordings(folder: string): Promise<RecordedSet> {
  return recordedSet(folder, await readRun(folder));
}

function recordedSet(where: string, { episodes, unreadable, unfinished }: RecordedRun): RecordedSet {
  const byPlace = new Map(episodes.map((episode) => [episode.folder, episode]));
  return {
    where,
    keys: episodes.map(({ folder, record }): RecordingKey => ({
      bench: record.bench,
      setting: record.setting,
      episodeId: record.episode_id,
      place: folder,
    })),
    unreadable,
    unfinished,
    async *read(keys) {
      for (const { place } of keys) {
        const episode = byPlace.get(place);
        if (episode !== undefined) yield runRecording(where, episode);
      }
    },
    tables: (bench) => openData(where, { bench, onBad: () => {} }),
  };
}

function runRecording(source: string, episode: RecordedEpisode): Recording {
  const { folder, record, run } = episode;
  return {
    place: folder,
    source,
    record,
    run,
    data: null,
    whole: true,
    async steps() {
      return (await episode.steps()).map((record) => {
        const { image: key } = record;
        if (key === null) return { record, picture: null };
        return { record, picture: { name: `images/${key}.png`, key, load: () => episode.image(key) } };
      });
    },
    async conversation() {
      const { messages } = transcriptRow(record, await episode.transcript());
      const notRun = messages.filter(({ role, step }) => role === "tool" && step === null);
      return { messages, callsNotRun: notRun.length };
    },
    submitted() {
      const state = record.final_state ?? null;
      return Promise.resolve(state === null ? null : { state, ofLastStep: false });
    },
    finalPicture: () => Promise.resolve(false),
  };
}
