/** The drift of scores: its mean, the largest, the worst episodes, and what is beyond the tolerance. */
import { count } from "../env/numbers.ts";
import { SCHEMA_VERSION } from "../env/records.ts";
import { jsonLine } from "./json_output.ts";
import { beyond, type Rescored } from "./rescore.ts";
import { printLine } from "./terminal.ts";

/** Points that rounding a state to three decimals may cost: the published data drifts by 0.22 at most. */
const ROUNDED_TOLERANCE = 0.25;
/** Points for states with all their digits; on the device that recorded them nothing may drift at all. */
const WHOLE_TOLERANCE = 1e-3;

/** Episodes of one benchmark from one source. */
export interface DriftReport {
  bench: string;
  source: string;
  /** Whether no state in it has more than three decimals. */
  rounded: boolean;
  /** Points. */
  tolerance: number;
  /** Mean and largest absolute difference of the scores in points; null where none has one. */
  mean: number | null;
  largest: number | null;
  /** The largest difference first. */
  episodes: Rescored[];
  /** What is beyond the tolerance: by its place the score, or names of metrics. */
  beyond: { episode: Rescored; what: string[] }[];
}

/** @param tolerance points; null for what the digits of the data allow */
export function driftOf(rescored: readonly Rescored[], tolerance: number | null): DriftReport[] {
  const groups = Map.groupBy(rescored, ({ record, source }) => `${record.bench}\n${source}`);
  return [...groups.values()].map((group) => {
    const rounded = group.every((episode) => episode.rounded);
    const allowed = tolerance ?? (rounded ? ROUNDED_TOLERANCE : WHOLE_TOLERANCE);
    const sizes = group.flatMap(({ difference }) => difference === null ? [] : [Math.abs(difference)]);
    const episodes = group.toSorted((a, b) => sizeOf(b) - sizeOf(a));
    return {
      bench: group[0].record.bench,
      source: group[0].source,
      rounded,
      tolerance: allowed,
      mean: sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
      largest: sizes.length === 0 ? null : Math.max(...sizes),
      episodes,
      beyond: episodes.flatMap((episode) => {
        const what = beyond(episode, allowed);
        return what.length === 0 ? [] : [{ episode, what }];
      }),
    };
  });
}

/** A score that is gone is the worst of all. */
function sizeOf({ difference, record, now }: Rescored): number {
  return difference === null
    ? (record.score !== null && now.score === null ? Infinity : 0)
    : Math.abs(difference);
}

export function printDrift(reports: readonly DriftReport[], options: { json: boolean; worst: number }): void {
  for (const report of reports) {
    if (options.json) printJson(report);
    else printText(report, options.worst);
  }
}

function printText(report: DriftReport, worst: number): void {
  const { bench, source, episodes, mean, largest, tolerance, rounded } = report;
  printLine(`${bench}: ${count(episodes.length, "episode")} of ${source} rendered and scored again`);
  printLine(
    `  drift in points: mean ${shown(mean)}, largest ${shown(largest)} (tolerance ${tolerance}${
      rounded ? ", for states rounded to three decimals" : ""
    })`,
  );
  const listed = episodes.slice(0, worst).filter((episode) => sizeOf(episode) > 0);
  for (const { record, now, difference } of listed) {
    printLine(
      `  ${record.setting} ${record.episode_id}: recorded ${score(record.score)}, now ${
        score(now.score)
      }, difference ${shown(difference)}`,
    );
  }
  for (const { episode, what } of report.beyond) {
    printLine(
      `  beyond the tolerance: ${episode.record.setting} ${episode.record.episode_id}: ${
        inWords(episode, what)
      }`,
    );
  }
}

function inWords({ record, now, difference, metrics }: Rescored, what: readonly string[]): string {
  return what.map((name) => {
    if (name === "score") {
      return `score ${score(record.score)}, now ${score(now.score)} (${shown(difference)})`;
    }
    const is = name in now.metrics ? `${now.metrics[name]} (${shown(metrics[name])})` : "none";
    return `${name} ${record.metrics?.[name]}, now ${is}`;
  }).join("; ");
}

const score = (value: number | null): string => value === null ? "none" : value.toFixed(3);

/** Zero only where it is zero. */
function shown(value: number | null): string {
  if (value === null) return "none";
  if (value === 0) return "0";
  return Math.abs(value) < 1e-4 ? value.toExponential(1) : value.toFixed(4);
}

function printJson(report: DriftReport): void {
  const common = { schema_version: SCHEMA_VERSION, bench: report.bench, source: report.source } as const;
  for (const episode of report.episodes) {
    const { record, now, difference, metrics } = episode;
    printLine(jsonLine({
      kind: "rescore",
      ...common,
      episode_id: record.episode_id,
      setting: record.setting,
      task_id: record.task_id,
      score_kind: record.score_kind,
      not_default: [...episode.notDefault],
      recorded: { score: record.score, metrics: record.metrics ?? {} },
      now: { score: now.score, metrics: now.metrics },
      difference,
      metric_differences: metrics,
      beyond: report.beyond.find((other) => other.episode === episode)?.what ?? [],
    }));
  }
  printLine(jsonLine({
    kind: "rescore_total",
    ...common,
    episodes: report.episodes.length,
    rounded: report.rounded,
    tolerance: report.tolerance,
    mean: report.mean,
    largest: report.largest,
    beyond: report.beyond.length,
  }));
}
