/** What the data hold: episodes, calls and conversations by setting. */
import type { PlayedEpisode } from "../played_episode.ts";
import { count, type ResultTable, resultTable, text } from "../result_table.ts";
import { inSetting, settingsOf } from "../settings.ts";
import type { TableContext } from "./context.ts";

/** Rows of all settings and of each; sums are null where an episode does not say. */
export function dataCounts({ bench, scoreKind, episodes }: TableContext): ResultTable {
  const settings = settingsOf(episodes);
  return resultTable(
    {
      bench,
      scoreKind,
      id: "data",
      title: "What the data hold",
      notes: [
        "Tool calls are those that ran and those that never ran; compacted conversations had earlier turns summarised.",
      ],
    },
    [
      { name: "all", own: episodes },
      ...settings.map((setting) => ({ name: setting, own: inSetting(episodes, setting) })),
    ],
    [
      text("setting", "Setting", ({ name }) => name),
      count("models", "Models", ({ own }) => distinct(own, ({ model }) => model)),
      count("tasks", "Tasks", ({ own }) => distinct(own, ({ task }) => task)),
      count("episodes", "Episodes", ({ own }) => own.length),
      count("failed", "Failed", ({ own }) => own.filter(({ complete }) => !complete).length),
      count("steps", "Steps", ({ own }) => sum(own, ({ steps }) => steps)),
      count("tool_calls", "Tool calls", ({ own }) => sum(own, toolCalls)),
      count("never_ran", "Never ran", ({ own }) => sum(own, ({ callsNotRun }) => total(callsNotRun))),
      count(
        "cut_off",
        "Cut off",
        ({ own }) => sum(own, ({ callsNotRun }) => callsNotRun === null ? null : callsNotRun.cut_off ?? 0),
      ),
      count("compacted", "Compacted", ({ own }) => counted(own, ({ contextCompacted }) => contextCompacted)),
      count("by_budget", "Ended by budget", ({ own }) => ended(own, "budget")),
      count("by_silence", "Ended without a call", ({ own }) => ended(own, "no_calls")),
    ],
  );
}

/** Sum of a record of counts; null where there is none. */
export function total(counts: Readonly<Record<string, number>> | null): number | null {
  return counts === null ? null : Object.values(counts).reduce((sum, one) => sum + one, 0);
}

export function sum(
  episodes: readonly PlayedEpisode[],
  valueOf: (episode: PlayedEpisode) => number | null,
): number | null {
  const values = episodes.flatMap((episode) => valueOf(episode) ?? []);
  return values.length < episodes.length ? null : values.reduce((all, value) => all + value, 0);
}

function toolCalls({ calls, callsNotRun }: PlayedEpisode): number | null {
  const never = total(callsNotRun);
  return calls === null || never === null ? null : calls + never;
}

function ended(episodes: readonly PlayedEpisode[], by: PlayedEpisode["endedBy"]): number | null {
  return counted(episodes, ({ endedBy }) => endedBy === null ? null : endedBy === by);
}

function counted(
  episodes: readonly PlayedEpisode[],
  holds: (episode: PlayedEpisode) => boolean | null,
): number | null {
  return sum(episodes, (episode) => {
    const yes = holds(episode);
    return yes === null ? null : Number(yes);
  });
}

function distinct(episodes: readonly PlayedEpisode[], keyOf: (episode: PlayedEpisode) => string): number {
  return new Set(episodes.map(keyOf)).size;
}
