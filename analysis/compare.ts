/** Two runs on the same tasks: what the second gains, and the smallest gain they could have told from none. */
import type { ScoreKind } from "../env/records.ts";
import type { PlayedEpisode } from "./played_episode.ts";
import {
  type ColumnOf,
  count,
  interval,
  number,
  type ResultTable,
  resultTable,
  share,
  text,
} from "./result_table.ts";
import type { MeanOverTasks } from "./summary.ts";
import { completeOf, type IntervalOf, meanOrNull, type Paired, paired, taskMeans } from "./task_means.ts";

/** Episodes of one model in one setting. */
export interface Side {
  readonly model: string;
  readonly setting: string;
  readonly episodes: readonly PlayedEpisode[];
}

export interface RunComparison {
  readonly before: Side;
  readonly after: Side;
  readonly scoreKind: ScoreKind;
  readonly pair: Paired;
  readonly gain: MeanOverTasks | null;
  /** Points; null for fewer than two tasks. */
  readonly resolvable: number | null;
  /** Complete episodes with a score on tasks that only one side has. */
  readonly unpaired: number;
}

/** Standard normal quantiles at 97.5% and 80%: a two-sided test at 5% that finds the difference four times in five. */
const [AT_5_PERCENT, POWER_80] = [1.959963984540054, 0.8416212335729143];

export function compareRuns(
  before: Side,
  after: Side,
  scoreKind: ScoreKind,
  over: IntervalOf,
): RunComparison {
  const pair = paired(taskMeans(before.episodes), taskMeans(after.episodes));
  const gain = over(pair.gains);
  const common = new Set(pair.tasks);
  return {
    before,
    after,
    scoreKind,
    pair,
    gain,
    resolvable: resolvable(gain),
    unpaired: completeOf([...before.episodes, ...after.episodes])
      .filter(({ task, score }) => score !== null && !common.has(task)).length,
  };
}

/**
 * The smallest true difference that these tasks would have shown four times in five: (1.96 + 0.84) standard errors, the
 * standard error being half the width of the 95% interval over 1.96.
 */
function resolvable(gain: MeanOverTasks | null): number | null {
  if (gain === null || gain.low === null || gain.high === null) return null;
  return (gain.high - gain.low) / 2 / AT_5_PERCENT * (AT_5_PERCENT + POWER_80);
}

/** One row a comparison, then one table by task for each. */
export function comparisonTables(bench: string, comparisons: readonly RunComparison[]): ResultTable[] {
  return [...Map.groupBy(comparisons, ({ scoreKind }) => scoreKind)].flatMap(([scoreKind, own]) => [
    overview(bench, scoreKind, own),
    byTask(bench, scoreKind, own),
  ]);
}

function overview(
  bench: string,
  scoreKind: ScoreKind,
  comparisons: readonly RunComparison[],
): ResultTable {
  const unpaired = comparisons.reduce((sum, { unpaired }) => sum + unpaired, 0);
  return resultTable(
    {
      bench,
      scoreKind,
      id: "compare",
      title: "B against A, paired by task",
      notes: [
        "Resolvable: the smallest true difference that these tasks would have shown four times in five at 5%.",
        ...unpaired > 0 ? [`Left out: ${unpaired} episodes on tasks that only one side has a score of.`] : [],
      ],
    },
    comparisons,
    [
      ...sides,
      number("before", "A's score", 1, ({ pair }) => meanOrNull(pair.before)),
      number("after", "B's score", 1, ({ pair }) => meanOrNull(pair.after)),
      interval("difference", "B − A", ({ gain }) => gain, { signed: true }),
      share("wins", "B better on", ({ pair }) => pair.better),
      count("ties", "Ties", ({ pair }) => pair.gains.filter((gain) => gain === 0).length),
      number("resolvable", "Resolvable", 1, ({ resolvable }) => resolvable),
      text("verdict", "Verdict", ({ gain }) => verdict(gain)),
    ],
  );
}

function byTask(bench: string, scoreKind: ScoreKind, comparisons: readonly RunComparison[]): ResultTable {
  const rows = comparisons.flatMap((comparison) =>
    comparison.pair.tasks.map((task, at) => ({ ...comparison, task, at }))
  );
  return resultTable(
    { bench, scoreKind, id: "compare_tasks", title: "B against A by task" },
    rows,
    [
      ...sides,
      text("task", "Task", ({ task }) => task),
      number("before", "A", 1, ({ pair, at }) => pair.before[at]),
      number("after", "B", 1, ({ pair, at }) => pair.after[at]),
      {
        key: "difference",
        title: "B − A",
        format: { kind: "number", digits: 1, signed: true },
        cell: ({ pair, at }) => pair.gains[at],
      },
    ],
  );
}

const sides: ColumnOf<RunComparison>[] = [
  text("a", "A", ({ before }) => nameOf(before)),
  text("b", "B", ({ after }) => nameOf(after)),
];

function nameOf({ model, setting }: Side): string {
  return `${model}, ${setting}`;
}

function verdict(gain: MeanOverTasks | null): string {
  if (gain === null || gain.low === null || gain.high === null) return "too few tasks";
  if (gain.low > 0) return "B is better";
  return gain.high < 0 ? "A is better" : "within noise";
}
