/** Which benchmarks a command line is about. */
import type { EnvironmentDefinition } from "../env/environment.ts";
import { closestTasks } from "../env/closest.ts";
import { BenchError, NoSuchTask } from "../env/errors.ts";
import { type CliContext, openEnvironment } from "./context.ts";

type Environments = CliContext["environments"];

/** A benchmark and the task selectors that are its own. */
export interface ChosenBenchmark {
  name: string;
  tasks: string[];
}

/** What tells the benchmarks apart where none is named. */
export interface Wanted {
  /** Task ids, globs or folders. */
  tasks?: readonly string[];
  /** Scripted policies. */
  policies?: readonly string[];
  /** A data set whose tasks to play. */
  data?: string;
}

/**
 * The benchmark named, or those of the data set, or every one that has some of the tasks and all of the policies wanted.
 * Policies that no benchmark has, and files that none can read, are left to the first, whose error tells of them.
 *
 * @throws BenchError for a task that no benchmark has, and for a data set that cannot be read
 */
export async function chosenBenchmarks(
  { environments, benchmarksOf }: Pick<CliContext, "environments" | "benchmarksOf">,
  named: string | undefined,
  { tasks = [], policies = [], data }: Wanted,
): Promise<ChosenBenchmark[]> {
  if (named !== undefined) return [{ name: named, tasks: [...tasks] }];
  const names = Object.keys(environments);
  if (data !== undefined) return (await benchmarksOf(data)).map((name) => ({ name, tasks: [...tasks] }));
  if (tasks.length === 0 && policies.length === 0) return names.map((name) => ({ name, tasks: [] }));
  const known = await Promise.all(
    names.map((name) =>
      withQuietEnvironment(environments, name, async (environment) => ({
        name,
        plays: policies.every((policy) => Object.hasOwn(environment.policies, policy)),
        ...await tasksOf(environment, tasks),
      }))
    ),
  );
  const fitting = known.filter((bench) => bench.plays && (tasks.length === 0 || bench.tasks.length > 0));
  const unknown = tasks.filter((task) => !fitting.some((bench) => bench.tasks.includes(task)));
  const nobodys = unknown.find((task) => known.every(({ others }) => others.has(task)));
  if (nobodys !== undefined) throw noSuchTask(nobodys, known);
  if (fitting.length === 0) return [{ name: names[0], tasks: [...tasks] }];
  return fitting.map(({ name, tasks }, i) => ({ name, tasks: i === 0 ? [...tasks, ...unknown] : tasks }));
}

/** For what needs no device and no score: no weights are looked for, nothing is said of them. */
export async function withQuietEnvironment<Result>(
  environments: Environments,
  name: string,
  use: (environment: EnvironmentDefinition) => Promise<Result>,
  data?: string,
): Promise<Result> {
  const environment = await openEnvironment(environments, name, {
    device: "auto",
    profile: null,
    metrics: "partial",
    lpipsWeights: null,
    hand: null,
    data,
  });
  try {
    return await use(environment);
  } finally {
    environment.close();
  }
}

interface FoundTasks {
  tasks: string[];
  /** Ids of all tasks of the benchmark, by each selector that means none of them. */
  others: Map<string, readonly string[]>;
}

async function tasksOf(
  environment: EnvironmentDefinition,
  selectors: readonly string[],
): Promise<FoundTasks> {
  const others: FoundTasks["others"] = new Map();
  const found = await Promise.all(selectors.map(async (selector) => {
    try {
      return (await environment.findTasks([selector])).length > 0 ? [selector] : [];
    } catch (error) {
      if (error instanceof NoSuchTask) others.set(selector, error.ids);
      // Another benchmark's, or nobody's.
      if (error instanceof BenchError) return [];
      throw error;
    }
  }));
  return { tasks: found.flat(), others };
}

function noSuchTask(
  task: string,
  known: readonly { name: string; others: FoundTasks["others"] }[],
): BenchError {
  const idsOf = ({ others }: (typeof known)[number]) => others.get(task) ?? [];
  const close = closestTasks(task, known.flatMap(idsOf));
  return new BenchError({
    what: `Cannot find the task ${task}`,
    why: "no benchmark has it, and it is no file and no folder",
    fix: close.length > 0
      ? `Did you mean ${close.join(" or ")}?`
      : known.map((bench) => `${bench.name} has ${idsOf(bench).join(", ")}`).join("; "),
  });
}
