/** `bench play`: a person plays an episode, under the same rules and with the same log as a model. */
import { join } from "node:path";
import { z } from "zod";
import type { EnvironmentDefinition, TaskInfo } from "../env/environment.ts";
import { EXIT } from "../env/errors.ts";
import { type EpisodeRecord, scoreKindSchema } from "../env/records.ts";
import { diskName } from "../tasks/run_folder.ts";
import { planTasks } from "./plan.ts";
import { type Console, HUMAN, humanPlayer } from "./play/human_player.ts";
import { type Progress, runEval } from "./run_eval.ts";
import { oneTask } from "./tasks_command.ts";
import { noteLine } from "./terminal.ts";

/** The options of the command as the command line gives them. */
export const playOptionsSchema = z.object({
  protocol: z.string(),
  /** Episodes of the task, one after the other. */
  runs: z.number(),
  out: z.string(),
  /** Folder that gets a folder of pictures an episode. */
  pictures: z.string(),
  profile: z.string().nullable().default(null),
  /** Null for what is possible. */
  metrics: scoreKindSchema.nullable().default(null),
  lpipsWeights: z.string().nullable().default(null),
  /** GLB file of a hand; null for the default hand. */
  hand: z.string().nullable().default(null),
  device: z.string(),
});
export type PlayCommandOptions = z.infer<typeof playOptionsSchema>;

/** Episodes of a person are filed with those that no effort was asked of. */
const EFFORT = "medium";

/**
 * Plays episodes of one task, each from wherever it was left.
 *
 * @returns the exit code: 0 also when it is left to be continued
 * @throws BenchError for a selector that does not name one task, or a protocol that it does not have
 */
export async function playCommand(
  environment: EnvironmentDefinition,
  selector: string,
  { protocol, runs, out, pictures }: PlayCommandOptions,
  console: Console,
  stop: AbortSignal,
): Promise<number> {
  const task = await oneTask(environment, selector);
  await planTasks(environment, [selector], protocol, EFFORT);
  const folderOf = ({ id }: TaskInfo, run: number) =>
    join(pictures, diskName(environment.episodeId({ model: HUMAN, task: id, effort: EFFORT, run })));
  const { episodes, missing, folder: kept } = await runEval({
    environment,
    players: [humanPlayer(console, folderOf)],
    tasks: [task],
    protocol,
    effort: EFFORT,
    runs,
    concurrency: 1,
    out,
    retryErrors: true,
    stop,
    progress: QUIET,
  });
  if (missing > 0) {
    noteLine(`Left as it is in ${kept}; the same command goes on`);
    return stop.aborted ? EXIT.interrupted : EXIT.fine;
  }
  for (const record of episodes) noteLine(`${record.episode_id}: ${ending(environment, record)}`);
  noteLine(`Steps, pictures and transcripts are in ${kept}`);
  noteLine(`To play again: --runs ${runs + 1}, or another folder with --out`);
  return episodes.some(({ status }) => status === "error") ? EXIT.infrastructure : EXIT.fine;
}

/** The person's own words are on the screen; only what is out of the ordinary is told besides. */
const QUIET: Progress = { note: noteLine, begin: () => {}, finished: () => {}, end: () => {} };

function ending({ columns }: EnvironmentDefinition, record: EpisodeRecord): string {
  if (record.status === "error") return `failed: ${record.error}`;
  const values = columns.flatMap(({ key, title, digits }) => {
    const value = key === "score" ? record.score : record.metrics[key] ?? null;
    return value === null ? [] : [`${title} ${value.toFixed(digits)}`];
  });
  return ["submitted", ...values].join(", ");
}
