/** `bench calibrate` on the command line. */
import type { Command } from "commander";
import { something } from "../eval/option_values.ts";
import { noteLine, printLine, showStatus } from "../eval/terminal.ts";
import { checked, PROFILE_HELP, WEIGHTS_HELP } from "./context.ts";

export function addCalibrate(bench: Command, done: (code: number) => void): void {
  const calibrate = bench.command("calibrate")
    .summary("find the conventions behind recorded numbers")
    .description(
      "Finds the conventions that recorded numbers were made with. Each knob gets its evidence and a verdict: decided " +
        "where no other value agrees with the records, else undecided, with the reason. The values go into a file " +
        "for --profile; a section for each kind, those already there stay.",
    )
    .helpCommand(false)
    .addHelpText("after", EXAMPLES);
  const said = { print: printLine, notice: noteLine, status: showStatus };

  const stage = (name: string, summary: string) =>
    calibrate.command(name)
      .summary(summary)
      .argument("<data>", "folder of a data set or of runs, or hf://org/name[@revision]")
      .option("--out <file>", "profile that the values are written into", checked(something), "profile.json")
      .option("--json", "print one JSON object a knob (docs/json_output.md)");
  const splatStage = (name: string, summary: string) =>
    stage(name, summary)
      .option("--profile <which>", `${PROFILE_HELP}: what to start from`, checked(something))
      .option("--lpips-weights <file>", WEIGHTS_HELP)
      .option(
        "--device <name>",
        "auto, gpu, software, or part of an adapter's name",
        checked(something),
        "auto",
      );

  splatStage("metrics", "PSNR, SSIM and LPIPS, from the recorded metrics of empty scenes")
    .action(async (data: string, flags: unknown) => {
      const { calibrateMetricsCommand, calibrateOptionsSchema } = await import(
        "../splat/calibrate/calibrate_command.ts"
      );
      done(await calibrateMetricsCommand(data, calibrateOptionsSchema.parse(flags), said));
    });
  splatStage("render", "the renderer, from recorded fits, starts and final scenes")
    .action(async (data: string, flags: unknown) => {
      const { calibrateOptionsSchema, calibrateRenderCommand } = await import(
        "../splat/calibrate/calibrate_command.ts"
      );
      done(await calibrateRenderCommand(data, calibrateOptionsSchema.parse(flags), said));
    });
  stage("intervals", "the bootstrap behind a leaderboard's 95% intervals")
    .action(async (data: string, flags: unknown) => {
      const { calibrateIntervalsCommand, calibrateIntervalsOptionsSchema } = await import(
        "../analysis/calibrate_intervals_command.ts"
      );
      done(await calibrateIntervalsCommand(data, calibrateIntervalsOptionsSchema.parse(flags), said));
    });
}

const EXAMPLES = `
Examples:
  bench calibrate metrics splatbench
  bench calibrate render splatbench --profile profile.json
  bench calibrate intervals splatbench
  bench eval splat --profile profile.json`;
