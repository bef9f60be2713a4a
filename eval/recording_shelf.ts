/** The recordings of all places that were named, each once, read when asked for. */
import { BenchError } from "../env/errors.ts";
import { count } from "../env/numbers.ts";
import type { DataSet } from "../tasks/data_source.ts";
import type { BenchId } from "../tasks/tables.ts";
import { BadRows } from "./bad_rows.ts";
import { recordedSets } from "./find_recordings.ts";
import type { RecordedSet, Recording, RecordingKey } from "./recording.ts";
import { noteLine } from "./terminal.ts";

export class RecordingShelf {
  readonly keys: readonly RecordingKey[];
  /** Why others cannot be read, each once. */
  readonly unreadable: readonly string[];
  readonly #setOf: ReadonlyMap<string, RecordedSet>;

  /** @param badRows null where the first bad row is an error */
  private constructor(private readonly sets: readonly RecordedSet[], readonly badRows: BadRows | null) {
    const keys = new Map<string, RecordingKey>();
    const setOf = new Map<string, RecordedSet>();
    for (const set of sets) {
      for (const key of set.keys) {
        keys.set(key.place, key);
        setOf.set(key.place, set);
      }
    }
    this.keys = [...keys.values()];
    this.unreadable = [...new Set(sets.flatMap(({ unreadable }) => unreadable))];
    this.#setOf = setOf;
  }

  /**
   * @param skipBad whether bad rows are told of and left out
   * @throws BenchError when there is nothing, or nothing that can be read
   */
  static async open(where: readonly string[], skipBad: boolean): Promise<RecordingShelf> {
    const badRows = skipBad ? new BadRows() : null;
    const onBad = badRows === null ? undefined : (error: BenchError) => badRows.leaveOut(error);
    const sets: RecordedSet[] = [];
    for (const place of where) {
      const found = await recordedSets(place, onBad);
      sets.push(...found);
      for (const { unfinished } of found) {
        const { length } = unfinished;
        if (length > 0) {
          noteLine(`${place}: leaves out ${count(length, "unfinished episode")}, ${unfinished[0]} the first`);
        }
      }
    }
    return new RecordingShelf(sets, badRows);
  }

  /** @throws BenchError where there is nothing to read, which says why */
  checkNotEmpty(verb: string): void {
    if (this.keys.length + this.unreadable.length > 0) return;
    const unfinished = this.sets.some(({ unfinished }) => unfinished.length > 0);
    const leftOut = this.badRows?.total() ?? null;
    throw new BenchError({
      what: `Cannot ${verb}`,
      why: unfinished
        ? "no episode has come to its end yet"
        : `there is no episode in it${leftOut === null ? "" : `, with ${leftOut}`}`,
      fix: unfinished ? "Finish the run first" : "Name a place with episodes",
    });
  }

  /**
   * Null where it is left out, which was told.
   *
   * @throws BenchError naming what of it cannot be read
   */
  async read(key: RecordingKey): Promise<Recording | null> {
    for await (const recording of this.readAll([key])) return recording;
    if (this.badRows !== null) return null;
    throw new BenchError({ what: `Cannot read ${key.place}`, why: "it is no more there", fix: "Restore it" });
  }

  /** The tables of one of the places. */
  async tables(source: string, bench: BenchId): Promise<DataSet> {
    const set = this.sets.find(({ where }) => where === source);
    if (set !== undefined) return await set.tables(bench);
    throw new BenchError({ what: `Cannot read ${source}`, why: "it is none of the places that were named" });
  }

  /** In the order of the sets that they are of. */
  async *readAll(keys: readonly RecordingKey[]): AsyncGenerator<Recording> {
    for (const [set, ofSet] of Map.groupBy(keys, ({ place }) => this.#setOf.get(place))) {
      if (set !== undefined) yield* set.read(ofSet);
    }
  }
}
