/** `bench tasks list` and `bench tasks show` on the command line. */
import type { Command } from "commander";
import { list, plainName, something } from "../eval/option_values.ts";
import { chosenBenchmarks, withQuietEnvironment } from "./chosen_benchmarks.ts";
import { checked, type CliContext, DATA_HELP, FORCE_HELP } from "./context.ts";

export function addTasks(bench: Command, context: CliContext): void {
  const { environments } = context;
  const tasks = bench.command("tasks").summary("list tasks and show one").helpCommand(false);
  const names = Object.keys(environments);
  tasks.command("list")
    .summary("id, kind, title, licence, effort subset and source of each task")
    .argument("[benchmark]", `${names.join(" or ")} (default: every benchmark)`)
    .option("--tasks <list>", "task ids, globs or folders (default: all)", checked(list))
    .option("--data <where>", DATA_HELP, checked(something))
    .option("--json", "print one JSON object a line (docs/json_output.md)")
    .action(async (benchmark: string | undefined, flags: unknown) => {
      const { listOptionsSchema, listTasks } = await import("../eval/tasks_command.ts");
      const options = listOptionsSchema.parse(flags);
      for (const { name, tasks } of await chosenBenchmarks(context, benchmark, options)) {
        await withQuietEnvironment(
          environments,
          name,
          (environment) => listTasks(environment, { ...options, tasks }),
          options.data,
        );
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
    .option("--force", FORCE_HELP)
    .option("--json", "print one JSON object (docs/json_output.md)")
    .action(async (task: string, flags: { benchmark?: string }) => {
      const { showOptionsSchema, showTask } = await import("../eval/tasks_command.ts");
      const options = showOptionsSchema.parse(flags);
      const [{ name }] = await chosenBenchmarks(context, flags.benchmark, { tasks: [task] });
      await withQuietEnvironment(environments, name, (environment) => showTask(environment, task, options));
    });
}
