/** `bench calibrate intervals`: a leaderboard's bounds in, the recipe behind them out. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { SCHEMA_VERSION } from "../env/records.ts";
import { type DataSet, openData } from "../tasks/data_source.ts";
import { writeProfileFile } from "../tasks/profile_file.ts";
import {
  type BoundsRow,
  calibrateIntervals,
  type IntervalCalibration,
  OUR_RECIPE,
} from "./calibrate_intervals.ts";
import { intervalsSection } from "./interval_profile.ts";
import { textTable } from "./text_table.ts";

export const calibrateIntervalsOptionsSchema = z.object({
  /** File that the recipe is written into. */
  out: z.string(),
  json: z.boolean().default(false),
});
export type CalibrateIntervalsOptions = z.infer<typeof calibrateIntervalsOptionsSchema>;

export interface Said {
  print(text: string): void;
  notice(text: string): void;
  /** A line that keeps changing; an empty one ends it. */
  status(text: string): void;
}

/** @returns the exit code: 1 where no recipe that was tried gives the bounds, or ours cannot have it */
export async function calibrateIntervalsCommand(
  where: string,
  { out, json }: CalibrateIntervalsOptions,
  { print, notice, status }: Said,
): Promise<number> {
  const rows = await boundsRows(await openData(where));
  const decimals = decimalsOf(rows.flatMap(({ low, high }) => [low, high]));
  const found = calibrateIntervals(rows, decimals, status);
  status("");
  const { findings, recipe, agreeing, tried, byChance } = found;
  if (json) {
    for (const { evidence, ...finding } of findings) {
      const values = evidence.map(({ label, possible, gap }) => ({ value: label, possible, gap }));
      const common = { kind: "calibration", schema_version: SCHEMA_VERSION, stage: "intervals" };
      print(JSON.stringify({ ...common, ...finding, evidence: values }));
    }
  } else print(calibrationText(found, decimals));
  notice(
    `${agreeing} of ${tried} recipes give all ${2 * rows.length} bounds to ${decimals} decimals; ` +
      `${byChance.toPrecision(1)} would by chance`,
  );
  if (agreeing === 0) {
    notice("No profile is written: none of the recipes gives the bounds");
    return EXIT.differences;
  }
  const foreign = (["unit", "order", "percentile"] as const).filter((knob) =>
    recipe[knob] !== OUR_RECIPE[knob]
  );
  if (foreign.length > 0) {
    notice(`No profile is written: ours always have ${foreign.map((knob) => OUR_RECIPE[knob]).join(", ")}`);
    return EXIT.differences;
  }
  await writeProfileFile(out, { intervals: intervalsSection(recipe) });
  notice(`Wrote intervals to ${out}; use it with bench analyze --profile ${out}`);
  return EXIT.fine;
}

/** A paragraph a knob, with the bounds' distance for each value. */
export function calibrationText({ findings }: IntervalCalibration, decimals: number): string {
  return findings.map(({ knob, verdict, value, evidence }) => {
    const left = evidence.filter(({ possible }) => possible).map(({ label }) => label);
    const told = {
      decided: `${value}, decided`,
      undecided: left.length > 1
        ? `undecided between ${
          left.join(", ")
        }: their bounds agree to the ${decimals} decimals that are recorded`
        : `undecided; ${value} gives the bounds, and so may others by chance`,
      unexplained: `unexplained; ${value} is nearest`,
    }[verdict];
    const table = textTable(
      [{ title: "", align: "left" }, { title: "median |bound − recorded|", align: "right" }],
      evidence.map(({ label, gap }) => [`${label === value ? ">" : " "} ${label}`, gap.toFixed(4)]),
    );
    return `${knob}: ${told}\n${table}\n`;
  }).join("\n");
}

/** Rows of the leaderboard that have bounds and whose episodes are here, in its order. */
async function boundsRows(data: DataSet): Promise<BoundsRow[]> {
  const what = `Cannot calibrate intervals with ${data.where}`;
  if (!await data.has("leaderboard") || !await data.has("episodes")) {
    throw new BenchError({
      what,
      why: "it has no leaderboard, or no episodes",
      fix: "Name a data set with both; `bench analyze --out` writes the leaderboard of a run",
    });
  }
  const scores = await scoresByRow(data);
  const rows = (await Array.fromAsync(data.leaderboard())).flatMap((row): BoundsRow[] => {
    const { model_name, setting, score_low: low, score_high: high } = row;
    const tasks = scores.get(rowKey(model_name, setting ?? "medium_effort"));
    return tasks === undefined || low === undefined || high === undefined ? [] : [{ low, high, tasks }];
  });
  if (rows.length > 0) return rows;
  throw new BenchError({
    what,
    why: "no row of its leaderboard has bounds and episodes of its model and setting",
    fix: "Name a data set whose leaderboard is made of its episodes",
  });
}

async function scoresByRow(data: DataSet): Promise<Map<string, Map<string, number[]>>> {
  const byRow = new Map<string, Map<string, number[]>>();
  const columns = ["model_name", "setting", "task_id", "score", "status"] as const;
  for await (const { model_name, setting, task_id, score, status } of data.episodes(undefined, { columns })) {
    if (score === null || (status !== undefined && status !== "complete")) continue;
    const key = rowKey(model_name, setting);
    const tasks = byRow.get(key) ?? new Map<string, number[]>();
    byRow.set(key, tasks);
    tasks.set(task_id, [...tasks.get(task_id) ?? [], score]);
  }
  return byRow;
}

const rowKey = (model: string, setting: string): string => `${model}\u0000${setting}`;

/** Decimals that all values have at most; full precision counts as nine. */
function decimalsOf(values: readonly number[]): number {
  const has = (decimals: number) =>
    values.every((value) => {
      const rounded = Number(value.toFixed(decimals));
      return rounded === value || Math.fround(rounded) === value;
    });
  return [0, 1, 2, 3, 4, 5, 6].find(has) ?? 9;
}
