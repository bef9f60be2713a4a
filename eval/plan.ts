/** What a command asks for: which player plays which task how often, and as which episode. */
import type { EnvironmentDefinition, TaskInfo } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { diskName } from "../tasks/run_folder.ts";
import type { Player } from "./player.ts";

/** These play the tasks of the effort subset only, unless tasks are named. */
const SUBSET_EFFORTS: readonly string[] = ["high", "max"];
const SUBSET_PROTOCOLS: readonly string[] = ["early_submit_refused"];
/** Far more than anyone plays, and few enough to plan in a moment. */
const MOST_EPISODES = 100_000;

export interface PlannedEpisode {
  player: Player;
  task: TaskInfo;
  /** 1-based. */
  run: number;
  id: string;
}

/**
 * The tasks that a protocol and an effort play.
 *
 * @param selectors ids, globs or folders; none means all that fit
 * @throws BenchError for a protocol that does not exist or that none of the tasks has
 */
export async function planTasks(
  environment: EnvironmentDefinition,
  selectors: readonly string[],
  protocol: string,
  effort: string,
): Promise<TaskInfo[]> {
  if (!environment.protocols.some(({ id }) => id === protocol)) {
    throw new BenchError({
      what: `Cannot play the protocol ${JSON.stringify(protocol)}`,
      why: `${environment.id} does not have it`,
      fix: `It has ${environment.protocols.map(({ id }) => id).join(", ")}`,
    });
  }
  const found = await environment.findTasks(selectors);
  const subset = selectors.length === 0 &&
    (SUBSET_EFFORTS.includes(effort) || SUBSET_PROTOCOLS.includes(protocol));
  const tasks = found.filter((task) => task.protocols.includes(protocol) && (!subset || task.effortSubset));
  if (tasks.length > 0) return tasks;
  throw new BenchError({
    what: `Cannot play the protocol ${protocol}`,
    why: `none of the ${found.length} tasks chosen has it`,
    fix: "Choose others with --tasks",
  });
}

/**
 * Every episode, by player, task and run.
 *
 * @throws BenchError when they are too many, or two of them would share a folder
 */
export function planEpisodes(
  environment: EnvironmentDefinition,
  players: readonly Player[],
  tasks: readonly TaskInfo[],
  effort: string,
  runs: number,
): PlannedEpisode[] {
  const wanted = players.length * tasks.length * runs;
  if (wanted > MOST_EPISODES) {
    throw new BenchError({
      what: `Cannot play ${wanted} episodes`,
      why: `${MOST_EPISODES} is the most for one command`,
      fix: "Give fewer --runs, --tasks or --models",
    });
  }
  const planned = players.flatMap((player) =>
    tasks.flatMap((task) =>
      Array.from({ length: runs }, (_, at) => {
        const run = at + 1;
        const id = environment.episodeId({ model: player.name, task: task.id, effort, run });
        return { player, task, run, id };
      })
    )
  );
  const byFolder = new Map<string, string>();
  for (const { id } of planned) {
    // Case counts for nothing on some file systems.
    const name = diskName(id).toLowerCase();
    const other = byFolder.get(name);
    if (other !== undefined) {
      throw new BenchError({
        what: `Cannot play both ${other} and ${id}`,
        why: other === id ? "it is asked for twice" : "their folders would have the same name",
        fix: "Name each model and each task once; NAME=ID gives a model another name",
      });
    }
    byFolder.set(name, id);
  }
  return planned;
}
