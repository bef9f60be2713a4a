/**
 * The tables of both benchmarks: the one place that knows which there are, what their splits are called, and (through
 * the files it names) every column. `readRow` of table.ts reads a row of any of them.
 */
import { SHADOW_TABLES } from "./shadow_tables.ts";
import { SPLAT_TABLES } from "./splat_tables.ts";

/** Configs of the published data sets by benchmark; `leaderboard` is the default one. */
export const TABLES = { splat: SPLAT_TABLES, shadow: SHADOW_TABLES } as const;
export type BenchId = keyof typeof TABLES;

export const BENCH_IDS = ["splat", "shadow"] as const satisfies readonly BenchId[];

export const isBenchId = (name: string): name is BenchId => Object.hasOwn(TABLES, name);

/** What a split of `episodes`, `steps` and `transcripts` holds. */
export interface Setting {
  readonly protocol: string;
  readonly effort: string;
}

/** Published splits of `episodes`, `steps` and `transcripts`; runs of other efforts make `<effort>_effort`. */
export const SETTINGS: Readonly<Record<BenchId, Readonly<Record<string, Setting>>>> = {
  splat: {
    medium_effort: { protocol: "standard", effort: "medium" },
    high_effort: { protocol: "standard", effort: "high" },
    max_effort: { protocol: "standard", effort: "max" },
    early_submit_refused: { protocol: "early_submit_refused", effort: "medium" },
    one_shot: { protocol: "one_shot", effort: "medium" },
  },
  shadow: {
    medium_effort: { protocol: "standard", effort: "medium" },
    high_effort: { protocol: "standard", effort: "high" },
    max_effort: { protocol: "standard", effort: "max" },
  },
};

/** The only split of `leaderboard`, and that of `tasks`. */
export const LEADERBOARD_SPLIT = "results";
export const TASKS_SPLIT = "test";
