/** Writes the episodes of a run or data set again, with the shapes of their final states in `details.shape`. */
import { BenchError } from "../env/errors.ts";
import { count } from "../env/numbers.ts";
import type { DataSet, EpisodeRow } from "../tasks/data_source.ts";
import { exportData, refuseFull } from "../tasks/export_data.ts";
import { isBenchId } from "../tasks/tables.ts";
import type { RecordingKey } from "./recording.ts";
import type { RecordingShelf } from "./recording_shelf.ts";
import type { Rescored } from "./rescore.ts";
import { noteLine } from "./terminal.ts";

/**
 * What would stop `writeShapes` is said before anything is measured.
 *
 * @throws BenchError where no episode has a scene, or the folder is full
 */
export async function checkShapes(keys: readonly RecordingKey[], out: string): Promise<void> {
  if (keys.length > 0 && !keys.some(({ bench }) => bench === "splat")) throw noShapes();
  await refuseFull(out);
}

/** @throws BenchError where nothing was measured, or the folder cannot be written */
export async function writeShapes(
  shelf: RecordingShelf,
  rescored: readonly Rescored[],
  out: string,
): Promise<void> {
  const measured = rescored.filter(({ shape }) => shape !== null);
  const [first] = measured;
  if (first === undefined || !isBenchId(first.record.bench)) {
    throw noShapes();
  }
  const shapes = new Map(measured.map((episode) => [keyOf(episode.record), episode.shape]));
  const data = await shelf.tables(first.source, first.record.bench);
  await exportData(withShapes(data, shapes), out, { format: "parquet" });
  noteLine(`${out}: ${count(measured.length, "episode")} with shapes; bench analyze tabulates them`);
}

function noShapes(): BenchError {
  return new BenchError({
    what: "Cannot measure shapes",
    why: "only final scenes of SplatBench have them, and there is none",
    fix: "Name a run or data set of SplatBench",
  });
}

const keyOf = ({ setting, episode_id }: { setting: string; episode_id: string }) =>
  `${setting}\n${episode_id}`;

/** Its episodes with the shapes; other tables stay where they are. */
function withShapes(data: DataSet, shapes: ReadonlyMap<string, Rescored["shape"]>): DataSet {
  return {
    ...data,
    has: (table) => table === "episodes" ? data.has(table) : Promise.resolve(false),
    async *episodes(setting, options) {
      for await (const row of data.episodes(setting, options)) yield withShape(row, shapes);
    },
  };
}

function withShape<Row extends Partial<EpisodeRow> & { setting: string }>(
  row: Row,
  shapes: ReadonlyMap<string, Rescored["shape"]>,
): Row {
  const shape = shapes.get(keyOf({ setting: row.setting, episode_id: row.episode_id ?? "" }));
  return shape === undefined ? row : { ...row, details: { ...row.details, shape } };
}
