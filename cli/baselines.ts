/** `bench baselines` on the command line. */
import type { Command } from "commander";
import { list, scoreKind, something, wholeOrZero } from "../eval/option_values.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import { chosenBenchmarks } from "./chosen_benchmarks.ts";
import {
  checked,
  type CliContext,
  DATA_HELP,
  gravest,
  HAND_HELP,
  METRICS_HELP,
  openEnvironment,
  PROFILE_HELP,
  WEIGHTS_HELP,
} from "./context.ts";

export function addBaselines(
  bench: Command,
  context: CliContext,
  done: (code: number) => void,
): void {
  const { environments, loadBaselineTables } = context;
  bench.command("baselines")
    .summary("score the fixed points of each task")
    .description(
      "Scores the fixed points of each task, and compares them with recorded ones where there are any.",
    )
    .argument("[benchmark]", `${Object.keys(environments).join(" or ")} (default: every benchmark)`)
    .option(
      "--tasks <list>",
      "task ids, globs or folders; comma list or repeated (default: all)",
      checked(list),
    )
    .option("--data <where>", DATA_HELP, checked(something))
    .option("--profile <which>", PROFILE_HELP, checked(something))
    .option("--metrics <kind>", `${METRICS_HELP}what is possible)`, checked(scoreKind))
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--hand <file>", HAND_HELP, checked(something))
    .option("--device <name>", "auto, gpu, software, or part of an adapter's name", "auto")
    .option(
      "--evaluations <n>",
      "shadow: poses that blind search tries on each plate; 0 leaves it out",
      checked(wholeOrZero),
      6000,
    )
    .option("--seed <n>", "shadow: seed of the blind search", checked(wholeOrZero), 0)
    .option("--json", "print one JSON object a line instead of the tables (docs/json_output.md)")
    .action(async (benchmark: string | undefined, flags: unknown) => {
      const { baselinesCommand, baselinesOptionsSchema } = await import("../eval/baselines_command.ts");
      const options = baselinesOptionsSchema.parse(flags);
      const tables = await loadBaselineTables();
      using interrupt = stopOnInterrupt("Finishing the tasks under way; Ctrl-C again stops at once");
      const codes: number[] = [];
      for (const { name, tasks } of await chosenBenchmarks(context, benchmark, options)) {
        const environment = await openEnvironment(environments, name, { ...options, search: options });
        try {
          codes.push(await baselinesCommand(environment, { ...options, tasks }, tables, interrupt.signal));
        } finally {
          environment.close();
        }
      }
      done(gravest(codes));
    });
}
