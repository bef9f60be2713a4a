/** The episodes with the highest scores. */
import { number, resultTable, type TableOrOmission, text } from "../result_table.ts";
import { completeOf } from "../task_means.ts";
import { descending, type TableContext } from "./context.ts";

const SHOWN = 10;

export function bestEpisodes({ bench, scoreKind, episodes }: TableContext): TableOrOmission {
  const id = "best_episodes";
  const scored = completeOf(episodes).filter(({ score }) => score !== null);
  if (scored.length === 0) return { id, why: "no episode has a score" };
  const rows = descending(scored, ({ score }) => score).slice(0, SHOWN)
    .map((episode, at) => ({ rank: String(at + 1), episode }));
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: "Best episodes",
    },
    rows,
    [
      text("rank", "Rank", ({ rank }) => rank),
      text("model", "Model", ({ episode }) => episode.model),
      text("setting", "Setting", ({ episode }) => episode.setting),
      text("task", "Task", ({ episode }) => episode.task),
      number("score", "Score", 1, ({ episode }) => episode.score),
      text("episode_id", "Episode", ({ episode }) => episode.id),
    ],
  );
}
