/** How episodes use their budgets and tools. */
import type { PlayedEpisode } from "../played_episode.ts";
import {
  type ColumnOf,
  count,
  number,
  resultTable,
  share,
  type TableOrOmission,
  text,
} from "../result_table.ts";
import { bySettingAndModel, type ModelInSetting } from "../settings.ts";
import { completeOf, episodeMean, shareOf } from "../task_means.ts";
import type { TableContext } from "./context.ts";
import { total } from "./data_counts.ts";

/** Means an episode; budgets by name, in code-unit order. */
export function budgetUse({ bench, scoreKind, episodes }: TableContext): TableOrOmission {
  const id = "budget_use";
  const rows = bySettingAndModel(episodes).filter(({ episodes: own }) => completeOf(own).length > 0);
  if (rows.length === 0) return { id, why: "no episode came to its end" };
  const budgets = names(episodes, ({ budgetUsed }) => budgetUsed).filter((name) => name !== "calls");
  return resultTable(
    { bench, scoreKind, id, title: "Budgets and tokens, means per episode" },
    rows,
    [
      ...groupColumns,
      perEpisode("calls", "Calls", ({ calls }) => calls),
      ...budgets.map((name) =>
        perEpisode(
          name,
          capital(name),
          ({ budgetUsed }) => budgetUsed === null ? null : budgetUsed[name] ?? 0,
        )
      ),
      perEpisode("refused", "Refused", ({ refusals }) => total(refusals)),
      perEpisode("never_ran", "Never ran", ({ callsNotRun }) => total(callsNotRun)),
      perEpisode("output_tokens", "Output tokens", ({ outputTokens }) => outputTokens, 0),
      share(
        "submitted",
        "Submitted",
        ({ episodes: own }) => shareOf(own, ({ endedBy }) => endedBy === null ? null : endedBy === "submit"),
      ),
      share(
        "whole_budget",
        "Used every call",
        ({ episodes: own }) => shareOf(own, ({ endedBy }) => endedBy === null ? null : endedBy === "budget"),
      ),
    ],
  );
}

/** Calls of each tool an episode, those refused included. */
export function toolUse({ bench, scoreKind, episodes }: TableContext): TableOrOmission {
  const id = "tool_use";
  const tools = names(episodes, ({ toolCalls }) => toolCalls);
  if (tools.length === 0) return { id, why: "the episodes have no column tool_calls, or no call" };
  return resultTable(
    { bench, scoreKind, id, title: "Calls of each tool, means per episode" },
    bySettingAndModel(episodes),
    [
      ...groupColumns,
      ...tools.map((tool) =>
        perEpisode(tool, tool, ({ toolCalls }) => toolCalls === null ? null : toolCalls[tool] ?? 0)
      ),
    ],
  );
}

/** Refusals by cause, all episodes of a model in a setting together. */
export function refusalCounts({ bench, scoreKind, episodes }: TableContext): TableOrOmission {
  const id = "refusals";
  const causes = names(episodes, ({ refusals }) => refusals);
  if (causes.length === 0) return { id, why: "the episodes have no column refusals, or no refusal" };
  const sums = (own: readonly PlayedEpisode[], cause: string) =>
    own.reduce((all, { refusals }) => all + (refusals?.[cause] ?? 0), 0);
  return resultTable(
    { bench, scoreKind, id, title: "Refused calls by cause" },
    [{ setting: "all", model: "all", episodes }, ...bySettingAndModel(episodes)],
    [
      ...groupColumns,
      ...causes.map((cause): ColumnOf<ModelInSetting> =>
        count(cause, cause, ({ episodes: own }) => sums(own, cause))
      ),
    ],
  );
}

export const groupColumns: ColumnOf<ModelInSetting>[] = [
  text("setting", "Setting", ({ setting }) => setting),
  text("model", "Model", ({ model }) => model),
];

function perEpisode(
  key: string,
  title: string,
  valueOf: (episode: PlayedEpisode) => number | null,
  digits = 1,
): ColumnOf<ModelInSetting> {
  return number(key, title, digits, ({ episodes: own }) => episodeMean(own, valueOf));
}

function names(
  episodes: readonly PlayedEpisode[],
  countsOf: (episode: PlayedEpisode) => Readonly<Record<string, number>> | null,
): string[] {
  return [...new Set(episodes.flatMap((episode) => Object.keys(countsOf(episode) ?? {})))].sort();
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}
