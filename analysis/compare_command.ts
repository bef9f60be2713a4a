/** `bench compare`: two runs, or two models or settings of one data set. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { BENCH_IDS } from "../tasks/tables.ts";
import type { Said } from "./analyze_command.ts";
import { compareRuns, comparisonTables, type RunComparison, type Side } from "./compare.ts";
import { loadEpisodes } from "./load_input.ts";
import type { PlayedEpisode } from "./played_episode.ts";
import { printedTables, tableCsv, tableJson } from "./render_table.ts";
import type { ResultTable } from "./result_table.ts";
import { bySettingAndModel } from "./settings.ts";
import { intervalOf, meanOrNull } from "./task_means.ts";

export const COMPARE_FORMATS = ["text", "md", "csv", "json"] as const;

export const compareOptionsSchema = z.object({
  /** Null for each that is there. */
  bench: z.enum(BENCH_IDS).nullable().default(null),
  /** One name for both sides, or A's and B's. */
  models: z.array(z.string()).max(2).default([]),
  settings: z.array(z.string()).max(2).default([]),
  format: z.enum(COMPARE_FORMATS).default("text"),
  failUnder: z.number().nullable().default(null),
  skipBad: z.boolean().default(false),
});
export type CompareOptions = z.infer<typeof compareOptionsSchema>;

/** @returns the exit code: 1 where a mean difference B − A is under `failUnder` */
export async function compareCommand(
  [a, b]: readonly [string, string],
  options: CompareOptions,
  said: Said,
): Promise<number> {
  const load = (where: string) =>
    loadEpisodes(where, { bench: options.bench, skipBad: options.skipBad, notice: said.notice });
  const before = await load(a);
  const after = a === b ? before : await load(b);
  const sides = inBoth(before, after).map(({ bench, before, after }) => ({
    bench,
    before: { where: a, all: bySettingAndModel(before) },
    after: { where: b, all: bySettingAndModel(after) },
  }));
  if (sides.length === 0) {
    const names = (of: Loaded) => of.map(({ bench }) => bench).join(" and ");
    throw cannot(`${a} is of ${names(before)} and ${b} of ${names(after)}`, "Name two runs of one benchmark");
  }
  const [first, last] = [
    { model: options.models.at(0), setting: options.settings.at(0) },
    { model: options.models.at(-1), setting: options.settings.at(-1) },
  ];
  // A model or a setting may be of one benchmark alone.
  const fitting = sides.filter(({ before, after }) =>
    before.all.some((side) => isChosen(side, first)) && after.all.some((side) => isChosen(side, last))
  );
  const compared = (fitting.length > 0 ? fitting : sides.slice(0, 1)).map(({ bench, before, after }) => ({
    bench,
    comparisons: pairSides(chosenSides(before, first), chosenSides(after, last), options),
  }));
  print(compared.flatMap(({ bench, comparisons }) => comparisonTables(bench, comparisons)), options, said);
  return verdict(compared.flatMap(({ comparisons }) => comparisons), options.failUnder, said);
}

type Loaded = Awaited<ReturnType<typeof loadEpisodes>>;

/** Episodes of the benchmarks that two places have. */
function inBoth(before: Loaded, after: Loaded) {
  return before.flatMap(({ bench, episodes }) => {
    const other = after.find((side) => side.bench === bench);
    return other === undefined ? [] : [{ bench, before: episodes, after: other.episodes }];
  });
}

/** What `--models` and `--settings` say of one side. */
interface SideChoice {
  readonly model: string | undefined;
  readonly setting: string | undefined;
}

function isChosen(side: Side, { model, setting }: SideChoice): boolean {
  return (model === undefined || side.model === model) && (setting === undefined || side.setting === setting);
}

/** Models in settings. */
function chosenSides({ where, all }: { where: string; all: readonly Side[] }, choice: SideChoice): Side[] {
  const chosen = all.filter((side) => isChosen(side, choice));
  if (chosen.length > 0) return chosen;
  throw cannot(
    `${where} has no episode of ${
      [choice.model, choice.setting].filter((name) => name !== undefined).join(" in ")
    }`,
    `There is ${all.map(({ model, setting }) => `${model} in ${setting}`).join("; ")}`,
  );
}

/**
 * The one of each side; else those alike in what the options do not set against each other. Full scores are compared
 * with full ones.
 */
function pairSides(
  before: readonly Side[],
  after: readonly Side[],
  { models, settings }: CompareOptions,
): RunComparison[] {
  const alike = (a: Side, b: Side) =>
    (models.length === 2 || a.model === b.model) && (settings.length === 2 || a.setting === b.setting);
  const pairs = before.length === 1 && after.length === 1
    ? [[before[0], after[0]]]
    : before.flatMap((side) => after.filter((other) => alike(side, other)).map((other) => [side, other]));
  if (pairs.length === 0) {
    const common = models.length === 2 ? "setting" : settings.length === 2 ? "model" : "model in a setting";
    throw cannot(
      `the two have no ${common} in common`,
      models.length === 2
        ? "Choose a setting of each with --settings A,B"
        : "Choose a model of each with --models A,B",
    );
  }
  const over = intervalOf();
  const compared = pairs.flatMap(([first, second]) =>
    (["full", "partial"] as const).flatMap((kind) => {
      const [a, b] = [ofKind(first, kind), ofKind(second, kind)];
      const comparison = compareRuns(a, b, kind, over);
      return comparison.pair.tasks.length > 0 ? [comparison] : [];
    })
  );
  if (compared.length > 0) return compared;
  throw cannot("no task has a score of the same kind on both sides", "Name two runs of the same tasks");
}

function ofKind(side: Side, kind: PlayedEpisode["scoreKind"]): Side {
  return { ...side, episodes: side.episodes.filter(({ scoreKind }) => scoreKind === kind) };
}

function print(tables: readonly ResultTable[], { format }: CompareOptions, said: Said): void {
  if (format === "json") return tables.forEach((table) => said.print(tableJson(table)));
  if (format !== "csv") return said.print(printedTables(tables, format));
  const overviews = tables.filter(({ id }) => id === "compare");
  if (overviews.length === 1) return said.print(tableCsv(overviews[0]));
  throw new BenchError({
    what: "Cannot print CSV",
    why: `there are ${overviews.length} tables, for benchmarks and kinds of score do not mix`,
    fix: "Name a benchmark or --models",
  });
}

function verdict(
  comparisons: readonly RunComparison[],
  failUnder: number | null,
  said: Said,
): number {
  if (failUnder === null) return EXIT.fine;
  const missed = comparisons.filter(({ pair }) => !((meanOrNull(pair.gains) ?? NaN) >= failUnder));
  for (const { after, pair } of missed) {
    const difference = meanOrNull(pair.gains)?.toFixed(2) ?? "none";
    said.notice(`${after.model} in ${after.setting}: B − A is ${difference}, wanted ${failUnder} or more`);
  }
  return missed.length > 0 ? EXIT.differences : EXIT.fine;
}

function cannot(why: string, fix: string): BenchError {
  return new BenchError({ what: "Cannot compare", why, fix });
}
