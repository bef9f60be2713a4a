/** `bench tasks list` and `bench tasks show` on the command line. */
import type { Command } from "commander";
import type { EnvironmentDefinition } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { list, plainName, something } from "../eval/option_values.ts";
import { benchmarks, checked, type CliContext, DATA_HELP, openEnvironment } from "./context.ts";

export function addTasks(bench: Command, { environments }: CliContext): void {
  const tasks = bench.command("tasks").summary("list tasks and show one").helpCommand(false);
  const withEnvironment = async <Result>(
    name: string,
    run: (environment: EnvironmentDefinition) => Promise<Result>,
    data?: string,
  ) => {
    // Nothing is scored here, so no weights are looked for.
    const options = {
      device: "auto",
      profile: null,
      metrics: "partial" as const,
      lpipsWeights: null,
      hand: null,
      data,
    };
    const environment = await openEnvironment(environments, name, options);
    try {
      return await run(environment);
    } finally {
      environment.close();
    }
  };
  const names = Object.keys(environments);
  /** The first that has the task; where none has it, the first says so. */
  const benchmarkOf = async (task: string): Promise<string> => {
    for (const name of names) {
      const found = await withEnvironment(name, (environment) => hasTask(environment, task));
      if (found) return name;
    }
    return names[0];
  };
  tasks.command("list")
    .summary("id, kind, title, licence, effort subset and source of each task")
    .argument("[benchmark]", `${names.join(" or ")} (default: every benchmark)`)
    .option("--tasks <list>", "task ids, globs or folders (default: all)", checked(list))
    .option("--data <where>", DATA_HELP, checked(something))
    .option("--json", "print one JSON object a line (docs/json_output.md)")
    .action(async (benchmark: string | undefined, flags: unknown) => {
      const { listOptionsSchema, listTasks } = await import("../eval/tasks_command.ts");
      const options = listOptionsSchema.parse(flags);
      for (const name of benchmarks(environments, benchmark, options.data)) {
        await withEnvironment(name, (environment) => listTasks(environment, options), options.data);
      }
    });
  tasks.command("show")
    .summary("what a model may know of a task, and its opening message")
    .argument("<task>", "id or file")
    .option(
      "--benchmark <name>",
      `${names.join(" or ")} (default: the one that has the task)`,
      checked(plainName),
    )
    .option("--sheet <file>", "write the opening picture as PNG")
    .option("--json", "print one JSON object (docs/json_output.md)")
    .action(async (task: string, flags: { benchmark?: string }) => {
      const { showOptionsSchema, showTask } = await import("../eval/tasks_command.ts");
      const options = showOptionsSchema.parse(flags);
      const { benchmark = await benchmarkOf(task) } = flags;
      await withEnvironment(benchmark, (environment) => showTask(environment, task, options));
    });
}

async function hasTask(environment: EnvironmentDefinition, selector: string): Promise<boolean> {
  try {
    return (await environment.findTasks([selector])).length > 0;
  } catch (error) {
    if (error instanceof BenchError) return false;
    throw error;
  }
}
