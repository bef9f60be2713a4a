/** `bench prepare` on the command line. */
import { type Command, Option } from "commander";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import { plainName, something, wholeNumber, wholeOrZero } from "../eval/option_values.ts";
import { noteLine, printLine, showStatus } from "../eval/terminal.ts";
import { checked, FORCE_HELP } from "./context.ts";

export function addPrepare(bench: Command, done: (code: number) => void): void {
  const prepare = bench.command("prepare")
    .summary("make tasks from photos with cameras, from Gaussians, or from a silhouette")
    .description(
      "For SplatBench makes a build task and a reassembly task of an object: 8 + 8 views far apart, the object upright inside " +
        "[-0.9, 0.9]^3, and fits of 300 and 64 Gaussians as the score's fixed points. `eval --tasks FOLDER` plays them. " +
        "For ShadowBench, `plate` makes a target of a silhouette.",
    )
    .helpCommand(false)
    .addHelpText("after", EXAMPLES);
  const run = async (request: unknown) => {
    const { prepareCommand, prepareRequestSchema } = await import("../splat/prepare/prepare_command.ts");
    using interrupt = stopOnInterrupt("Stopping soon; Ctrl-C again stops at once");
    const said = { print: printLine, say: noteLine, status: showStatus };
    done(await prepareCommand(prepareRequestSchema.parse(request), said, interrupt.signal));
  };
  const fitted = (command: Command) =>
    command
      .option("--out <folder>", "where task files go", checked(something), ".")
      .option("--force", FORCE_HELP)
      .option("--no-fit", "views alone: a build task without a score, no reassembly task")
      .option("--seed <n>", "seed of the fits and of the parts' places", checked(wholeOrZero), 0)
      .option(
        "--steps <n>",
        "steps of each fit (default: 3000, as in the embedded tasks)",
        checked(wholeNumber),
      )
      .option(
        "--device <name>",
        "auto, gpu, software, or part of an adapter's name",
        checked(something),
        "auto",
      );
  const source = (what: string, path: string, summary: string, own: readonly Option[] = []) => {
    const command = fitted(prepare.command(what).summary(summary).description(summary).argument(path))
      .option("--name <name>", "the object's name, which begins the tasks' ids", checked(plainName))
      .option("--title <text>", "what stands after `Build the` (default: the name)", checked(oneLine))
      .option("--licence <text>", "licence of the photos, kept in the tasks", checked(oneLine))
      .action((path: string, flags: Record<string, unknown>) => run({ ...flags, what, path }));
    own.forEach((option) => command.addOption(option));
  };
  source("nerf-synthetic", "<folder>", "NeRF-Synthetic: transforms_*.json and RGBA photos");
  source("nsvf", "<folder>", "NSVF's form of Tanks and Temples and others: rgb/, pose/, intrinsics.txt");
  source("blendedmvs", "<folder>", "BlendedMVS: blended_images/ with masks, cams/");
  source("colmap", "<folder>", "COLMAP: images/ and a sparse model without distortion", [
    new Option("--masks [folder]", "masks, black off the object (default: masks/ in the folder)"),
  ]);
  source("ply", "<file>", "Gaussians of a 3DGS .ply, drawn from the embedded tasks' cameras", [
    new Option("--up <axis>", "the axis that points up; -y in COLMAP's worlds").choices(["z", "y", "-y"])
      .default("z"),
  ]);
  prepare.command("procedural")
    .summary("the embedded twelve, made again")
    .description("Makes the embedded twelve again: compares them, or writes them. Their fits are kept.")
    .option(
      "--out <folder>",
      "write them there (default: compare, exit 1 on a difference)",
      checked(something),
    )
    .option("--force", FORCE_HELP)
    .action((flags: Record<string, unknown>) => run({ ...flags, what: "procedural" }));
  prepare.command("plate")
    .summary("ShadowBench: a silhouette of your own, PNG, JPEG or SVG")
    .description(
      "A target from a picture: what is opaque, or else dark, or on dark ground light. Small holes are filled, dust is " +
        "left out, and the shape is put on the screen; a side that the picture cuts off stays at the screen's side.",
    )
    .argument("<image>")
    .option(
      "--out <file>",
      "the task file; its preview lies beside it (default: <id>.json)",
      checked(something),
    )
    .option("--id <name>", "the task's id (default: the picture's name)", checked(plainName))
    .option("--title <text>", "what tables call it (default: the id)", checked(oneLine))
    .option("--hint <text>", "the line that peek_book gives", checked(oneLine))
    .option("--licence <text>", "licence of the picture, kept in the task", checked(oneLine))
    .option("--threshold <gray>", "0 to 255: up to this gray is dark (default: Otsu's)", checked(grayValue))
    .addOption(
      new Option("--shape <tone>", "which part is the shape (default: the one with less of the border)")
        .choices(["dark", "light"]),
    )
    .option("--size <percent>", "of the screen's width and height (default: 80)", checked(percent))
    .option("--force", FORCE_HELP)
    .action(async (image: string, flags: Record<string, unknown>) => {
      const { plateRequestSchema, preparePlate } = await import(
        "../shadow/prepare/prepare_plate_command.ts"
      );
      await preparePlate(plateRequestSchema.parse({ ...flags, image }), { print: printLine, say: noteLine });
    });
  fitted(
    prepare.command("all")
      .summary("all 30 tasks")
      .description(
        "All 30 tasks; an object that is missing, or cannot be used, is named and stops no others.",
      ),
  )
    .requiredOption(
      "--sources <folder>",
      "holds lego, ..., Ignatius, ..., or folders of them",
      checked(something),
    )
    .action((flags: Record<string, unknown>) => run({ ...flags, what: "all" }));
}

function grayValue(value: string): number {
  const gray = wholeOrZero(value);
  if (gray <= 255) return gray;
  throw new RangeError("It must be a whole number from 0 to 255.");
}

function percent(value: string): number {
  const share = wholeNumber(value);
  if (share <= 100) return share;
  throw new RangeError("It must be a whole number from 1 to 100.");
}

/** Text that prompts and tables show as it is. */
function oneLine(value: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(value)) {
    throw new RangeError("It must be one line without control characters.");
  }
  return something(value);
}

const EXAMPLES = `
Examples:
  bench prepare nerf-synthetic nerf_synthetic/lego --out lego && bench eval splat --tasks lego
  bench prepare colmap my_shoe --title 'running shoe' --licence 'CC BY 4.0' --out shoe
  bench prepare plate fox.png --title Fox --out plates/fox.json && bench eval shadow --tasks plates
  bench prepare all --sources downloads --out tasks30`;
