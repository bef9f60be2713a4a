/** Rows of data sets of either benchmark, typed: what both have, and what one has as optional. */
import type { z } from "zod";
import type { TABLES } from "./tables.ts";

export type TableName = keyof (typeof TABLES)["splat"];

type Splat<Name extends TableName> = z.output<(typeof TABLES)["splat"][Name]["schema"]>;
type Shadow<Name extends TableName> = z.output<(typeof TABLES)["shadow"][Name]["schema"]>;

/** Columns of both as SplatBench's, columns of one benchmark optional. */
type Either<A, B> =
  & Pick<A, keyof A & keyof B>
  & Partial<Omit<A, keyof B>>
  & Partial<Omit<B, keyof A>>;
type Flat<Row> = { [Column in keyof Row]: Row[Column] };

export type LeaderboardRow = Flat<Either<Splat<"leaderboard">, Shadow<"leaderboard">>>;
export type EpisodeRow = Flat<Either<Splat<"episodes">, Shadow<"episodes">>>;
type AnyStep = Either<Splat<"steps">, Shadow<"steps">>;
/** `image` is there only where pictures were asked for. */
export type StepRow = Flat<Omit<AnyStep, "image"> & Partial<Pick<AnyStep, "image">>>;
export type TranscriptRow = Flat<Either<Splat<"transcripts">, Shadow<"transcripts">>>;
export type TaskRow = Flat<Either<Splat<"tasks">, Shadow<"tasks">>>;

export interface Rows {
  leaderboard: LeaderboardRow;
  episodes: EpisodeRow;
  steps: StepRow;
  transcripts: TranscriptRow;
  tasks: TaskRow;
}

/** Columns of pictures, which are read only when asked for. */
export const IMAGE_COLUMNS: ReadonlySet<string> = new Set([
  "image",
  "final_shadow",
  "reference_images",
  "held_out_images",
  "target",
  "book_page",
  "first_image",
]);
