/** `bench prepare plate`: a target of a silhouette that the user brings. */
import { basename, dirname, extname } from "node:path";
import { mkdir } from "node:fs/promises";
import { z } from "zod";
import { BenchError } from "../../env/errors.ts";
import { encodePng } from "../../env/png.ts";
import { refuseExisting } from "../../tasks/existing_files.ts";
import { writing } from "../../tasks/file_errors.ts";
import { writeWhole } from "../../tasks/json_lines.ts";
import { parseShadowTaskFile } from "../../tasks/shadow_task_file.ts";
import { TASK_SCHEMA_VERSION } from "../../tasks/task_fields.ts";
import { maskPicture } from "../pictures/mask_picture.ts";
import { hullMask } from "../score/hull_mask.ts";
import { prepareTarget } from "../score/target.ts";
import { type Mask, maskArea } from "../stage/mask.ts";
import { maskToBase64 } from "../stage/mask_image.ts";
import { outlineSvg } from "../targets/trace_outline.ts";
import { findShape } from "./find_shape.ts";
import { placeShape } from "./place_shape.ts";
import { readPicture } from "./read_picture.ts";

/** The arguments and options of the command as the command line gives them. */
export const plateRequestSchema = z.object({
  image: z.string(),
  out: z.string().optional(),
  id: z.string().optional(),
  title: z.string().optional(),
  hint: z.string().default("The book shows no hands for this plate."),
  licence: z.string().optional(),
  threshold: z.number().int().min(0).max(255).optional(),
  shape: z.enum(["dark", "light"]).optional(),
  /** Percent of the screen's width and height. */
  size: z.number().min(1).max(100).default(80),
  /** Whether files that are there already are replaced. */
  force: z.boolean().default(false),
});
export type PlateRequest = z.infer<typeof plateRequestSchema>;

/** How the command tells what it does. */
export interface PlateSpeaker {
  /** A result. */
  print(line: string): void;
  say(line: string): void;
}

/**
 * Writes a task file `fox.json` and its preview `fox_preview.png`, and prints their paths.
 *
 * @throws BenchError for a picture in which no silhouette is found, for an id or a place that cannot be used, and for
 *   files that are there already
 */
export async function preparePlate(request: PlateRequest, { print, say }: PlateSpeaker): Promise<void> {
  const { image, hint, threshold = null, shape = null, size, force } = request;
  const { id = idOf(image), title = id, licence = UNKNOWN_LICENCE } = request;
  const out = request.out ?? `${id}.json`;
  if (extname(out) !== ".json") {
    throw new BenchError({
      what: `Cannot write ${out}`,
      why: "a task file's name ends in .json",
      fix: `Give --out ${out}.json`,
    });
  }
  const preview = `${out.slice(0, -".json".length)}_preview.png`;
  await refuseExisting([out, preview], force);
  const found = findShape(await readPicture(image), { threshold, shape }, image);
  const mask = placeShape(found.bitmap, size / 100, image);
  const task = parseShadowTaskFile({
    schema_version: TASK_SCHEMA_VERSION,
    bench: "shadow",
    task_id: id,
    title,
    hint,
    licence,
    effort_subset: true,
    target: maskToBase64(mask),
    target_svg: outlineSvg(mask),
  }, `made of ${image}`);
  say(`${id}: ${found.how}; ${describe(mask)}`);
  if (licence === UNKNOWN_LICENCE) say(`${id}: its licence is not known; --licence states it`);
  await writing(out, () => mkdir(dirname(out), { recursive: true }));
  await writeWhole(preview, await encodePng(maskPicture(mask)));
  await writeWhole(out, JSON.stringify(task, null, 2) + "\n");
  print(out);
  print(preview);
}

const UNKNOWN_LICENCE = "not stated by the source";

/**
 * A file's name as an id: what an id may not hold becomes an underscore.
 *
 * @throws BenchError where nothing of the name is left
 */
function idOf(image: string): string {
  const name = basename(image, extname(image));
  const id = name.replace(/[^A-Za-z0-9._-]+/g, "_");
  if (/[A-Za-z0-9]/.test(id)) return id;
  throw new BenchError({
    what: `Cannot call a task as the picture ${image}`,
    why:
      "an id is of letters a to z, digits, dots, dashes and underscores, and its name has no letter or digit of these",
    fix: "Give the task's id with --id",
  });
}

function describe(mask: Mask): string {
  const { area, holes } = prepareTarget(mask);
  const inHull = Math.round(100 * area / maskArea(hullMask(mask)));
  const count = holes.length === 1 ? "1 hole" : `${holes.length} holes`;
  return `${area} pixels on the screen, ${count}, ${inHull} % of its convex hull`;
}
