/** `bench rescore` on the command line. */
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { BenchError } from "../env/errors.ts";
import { list, notNegative, scoreKind, something, wholeOrZero } from "../eval/option_values.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import {
  checked,
  type CliContext,
  HAND_HELP,
  METRICS_HELP,
  recordedEnvironment,
  WEIGHTS_HELP,
} from "./context.ts";

export function addRescore(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("rescore")
    .summary("render every submitted scene or pose again and compare its score")
    .description(
      "Renders every submitted scene or pose again, scores it, and compares with the recorded score and metrics: " +
        "differences by episode, their mean, the largest, and the worst episodes. Exits 1 beyond the tolerance.",
    )
    .argument(
      "[where...]",
      "run folders at any level, data set folders, files of a table, or hf://org/name (default: data/sample)",
    )
    .option("--episodes <globs>", "only episodes whose id matches; comma list or repeated", checked(list))
    .option("--settings <list>", "only these settings, e.g. medium_effort", checked(list))
    .option(
      "--tolerance <points>",
      "largest difference of a score (default: 0.25 where data is rounded to three decimals, else 0.001)",
      checked(notNegative),
    )
    .option("--worst <n>", "how many of the worst episodes to list", checked(wholeOrZero), 5)
    .option("--state <file>", "keep results in a file, and go on from those in it", checked(something))
    .option("--shape", "splat: also measure mirror images and build size; needs --out")
    .option("--out <folder>", "where --shape writes the episodes with the column", checked(something))
    .option(
      "--profile <which>",
      "conventions: a name or a file (default: those that were recorded)",
      checked(something),
    )
    .option("--metrics <kind>", `${METRICS_HELP}as recorded)`, checked(scoreKind))
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--hand <file>", HAND_HELP, checked(something))
    .option(
      "--device <name>",
      "auto, gpu, software, or part of an adapter's name",
      checked(something),
      "auto",
    )
    .option("--skip-bad", "leave out rows that cannot be read, and say so")
    .option("--json", "print one JSON object an episode and one in all (docs/json_output.md)")
    .addHelpText("after", EXAMPLES)
    .action(async (where: string[], flags: unknown) => {
      const { rescoreCommand, rescoreOptionsSchema } = await import("../eval/rescore_command.ts");
      const options = rescoreOptionsSchema.parse(flags);
      using interrupt = stopOnInterrupt("Finishing the batch under way; Ctrl-C again stops at once");
      const open = recordedEnvironment(environments, options);
      const places = where.length > 0 ? where : [await sampleData()];
      done(await rescoreCommand(open, { where: places, ...options }, interrupt.signal));
    });
}

/** The sample comes with a checkout, and not with the package. */
async function sampleData(): Promise<string> {
  const place = new URL("../data/sample/", import.meta.url);
  const folder = place.protocol === "file:" ? fileURLToPath(place) : null;
  if (folder !== null && await Deno.stat(folder).then(() => true, () => false)) return folder;
  throw new BenchError({
    what: "Cannot rescore the sample data",
    why: "it comes with a checkout of the project, and not with the package",
    fix: "Name a run, a data set folder or hf://org/name",
  });
}

const EXAMPLES = `
Examples:
  bench rescore
  bench rescore runs --settings medium_effort
  bench rescore hf://perpetual-research/splatbench --state rescore.jsonl
  bench rescore runs/splat --shape --out shaped && bench analyze shaped`;
