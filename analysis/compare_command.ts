/** `bench compare`: two runs, or two models or settings of one data set. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import type { Said } from "./analyze_command.ts";
import { compareRuns, comparisonTables, type RunComparison, type Side } from "./compare.ts";
import { loadEpisodes } from "./load_input.ts";
import type { PlayedEpisode } from "./played_episode.ts";
import { tableCsv, tableJson, tableText } from "./render_table.ts";
import { bySettingAndModel } from "./settings.ts";
import { intervalOf, meanOrNull } from "./task_means.ts";

export const COMPARE_FORMATS = ["text", "md", "csv", "json"] as const;

export const compareOptionsSchema = z.object({
  bench: z.string().nullable().default(null),
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
  if (before.bench !== after.bench) {
    throw cannot(`${a} is of ${before.bench} and ${b} of ${after.bench}`, "Name two runs of one benchmark");
  }
  const comparisons = pairSides(
    sidesOf(a, before.episodes, options.models.at(0), options.settings.at(0)),
    sidesOf(b, after.episodes, options.models.at(-1), options.settings.at(-1)),
  );
  print(comparisonTables(before.bench, comparisons), options, said);
  return verdict(comparisons, options.failUnder, said);
}

/** Models in settings, of the kinds of score there are. */
function sidesOf(
  where: string,
  episodes: readonly PlayedEpisode[],
  model: string | undefined,
  setting: string | undefined,
): Side[] {
  const all = bySettingAndModel(episodes);
  const chosen = all.filter((side) =>
    (model === undefined || side.model === model) && (setting === undefined || side.setting === setting)
  );
  if (chosen.length > 0) return chosen;
  throw cannot(
    `${where} has no episode of ${[model, setting].filter((name) => name !== undefined).join(" in ")}`,
    `There is ${all.map(({ model, setting }) => `${model} in ${setting}`).join("; ")}`,
  );
}

/** The one of each side, or those that both sides have; full scores are compared with full ones. */
function pairSides(before: readonly Side[], after: readonly Side[]): RunComparison[] {
  const pairs = before.length === 1 && after.length === 1
    ? [[before[0], after[0]]]
    : before.flatMap((side) =>
      after.filter(({ model, setting }) => model === side.model && setting === side.setting)
        .map((other) => [side, other])
    );
  if (pairs.length === 0) {
    throw cannot("the two have no model in the same setting", "Choose a model of each with --models A,B");
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

function print(
  tables: ReturnType<typeof comparisonTables>,
  { format }: CompareOptions,
  said: Said,
): void {
  switch (format) {
    case "csv":
      return said.print(tableCsv(tables[0]));
    case "json":
      return tables.forEach((table) => said.print(tableJson(table)));
    default:
      return said.print(tables.map((table) => tableText(table, format)).join("\n\n"));
  }
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
