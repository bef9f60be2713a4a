/** `bench prepare`: task files from scenes and photos. */
import { join } from "node:path";
import { z } from "zod";
import { BenchError, EXIT, GpuError } from "../../env/errors.ts";
import { type Gpu, openGpu } from "../../gpu/device.ts";
import { refuseExisting } from "../../tasks/existing_files.ts";
import type { FitProgress } from "../fit/fit_scene.ts";
import { PROCEDURAL_OBJECTS } from "../objects/procedural.ts";
import { type TaskDetails, tryOut, writeTaskFile } from "./build_task.ts";
import { findSources } from "./find_sources.ts";
import { readGaussianPly } from "./gaussian_ply.ts";
import { UP_AXES } from "./normalise_scene.ts";
import { prepareScene, type SceneSource, writePrepared } from "./prepare_scene.ts";
import { isEmbedded, proceduralTasks } from "./procedural_tasks.ts";
import { readCapture, sourceDetails, UNKNOWN_LICENCE } from "./read_capture.ts";

const fitting = z.object({
  out: z.string().default("."),
  /** Whether task files that are there already are replaced. */
  force: z.boolean().default(false),
  device: z.string().default("auto"),
  fit: z.boolean().default(true),
  seed: z.number().int().default(0),
  steps: z.number().int().positive().optional(),
});
const one = fitting.extend({
  path: z.string(),
  name: z.string().optional(),
  title: z.string().optional(),
  licence: z.string().optional(),
});

/** What to prepare, from the command line's arguments and options. */
export const prepareRequestSchema = z.discriminatedUnion("what", [
  one.extend({
    what: z.enum(["nerf-synthetic", "nsvf", "blendedmvs", "colmap"]),
    /** `true` for the layout's own folder of masks. */
    masks: z.union([z.string(), z.literal(true)]).optional(),
  }),
  one.extend({ what: z.literal("ply"), up: z.enum(UP_AXES).default("z") }),
  z.object({ what: z.literal("procedural"), out: z.string().optional(), force: z.boolean().default(false) }),
  fitting.extend({ what: z.literal("all"), sources: z.string() }),
]);
export type PrepareRequest = z.infer<typeof prepareRequestSchema>;
type One = Extract<PrepareRequest, { path: string }>;
type All = Extract<PrepareRequest, { what: "all" }>;

/** How the command tells what it does. */
export interface PrepareSpeaker {
  /** A result. */
  print(line: string): void;
  say(line: string): void;
  /** A line that keeps changing; an empty one ends it. */
  status(line: string): void;
}

/**
 * Prepares tasks, and prints the path of each file as it is finished.
 *
 * @returns the exit code: 1 when an embedded file cannot be made again as it is, 2 when some of all objects are missing
 *   or cannot be used, 130 once `signal` is aborted
 * @throws BenchError for one that cannot be used
 */
export async function prepareCommand(
  request: PrepareRequest,
  speaker: PrepareSpeaker,
  signal: AbortSignal,
): Promise<number> {
  try {
    switch (request.what) {
      case "procedural":
        return await prepareProcedural(request.out, request.force, speaker, signal);
      case "all":
        return await prepareAll(request, speaker, signal);
      default:
        await prepareOne(request, request.device, speaker, signal);
        return EXIT.fine;
    }
  } catch (error) {
    if (error === INTERRUPTED) return EXIT.interrupted;
    throw error;
  } finally {
    speaker.status("");
  }
}

const INTERRUPTED = Symbol("interrupted");

/** Writes the twelve to `out`, or without one compares them with those that the program brings. */
async function prepareProcedural(
  out: string | undefined,
  force: boolean,
  { print, say, status }: PrepareSpeaker,
  signal: AbortSignal,
): Promise<number> {
  if (out !== undefined) {
    await refuseExisting(PROCEDURAL_OBJECTS.flatMap((object) => filesOf(out, object)), force);
  }
  let differences = 0;
  for await (const { id, text } of proceduralTasks()) {
    if (signal.aborted) throw INTERRUPTED;
    status(`Made ${id}`);
    if (out !== undefined) print(await writeTaskFile(out, id, text));
    else if (await isEmbedded({ id, text })) print(`${id}: as embedded, byte for byte`);
    else {
      differences++;
      print(`${id}: other than the embedded file`);
    }
  }
  if (differences > 0) say("With --out FOLDER the files are written");
  return differences > 0 ? EXIT.differences : EXIT.fine;
}

/** What is missing is named first, before hours of fits; one that cannot be used stops no others. */
async function prepareAll(request: All, speaker: PrepareSpeaker, signal: AbortSignal): Promise<number> {
  const { sources, out, fit, device, force } = request;
  const found = await findSources(sources);
  await tryOut(out);
  // The embedded ones are written last, hours later.
  await refuseExisting(PROCEDURAL_OBJECTS.flatMap((object) => filesOf(out, object)), force);
  for (const { object, layout, folder } of found) {
    if (folder === null) speaker.say(`${object}: missing, no folder of that name in ${sources} (${layout})`);
  }
  let trouble = found.some(({ folder }) => folder === null);
  const gpu = fit ? await openGpu(device) : null;
  try {
    for (const { layout, folder } of found) {
      if (folder === null) continue;
      try {
        await prepareOne({ ...request, what: layout, path: folder }, gpu ?? device, speaker, signal);
      } catch (error) {
        if (!(error instanceof BenchError) || error instanceof GpuError) throw error;
        trouble = true;
        speaker.say(error.message);
      }
    }
  } finally {
    gpu?.close();
  }
  await prepareProcedural(out, force, speaker, signal);
  return trouble ? EXIT.usage : EXIT.fine;
}

async function prepareOne(
  request: One,
  device: string | Gpu,
  { print, say, status }: PrepareSpeaker,
  signal: AbortSignal,
): Promise<void> {
  const details = detailsOf(request);
  const { object } = details;
  status(`${object}: reading`);
  const source = await readScene(request);
  if (signal.aborted) throw INTERRUPTED;
  await refuseExisting(filesOf(request.out, object), request.force);
  await tryOut(request.out);
  say(`${object}: ${sizeOf(source)}`);
  if (details.licence === UNKNOWN_LICENCE) say(`${object}: its licence is not known; --licence states it`);
  status(`${object}: choosing views`);
  const { fit, seed, steps } = request;
  const onProgress = (gaussians: number, { step, steps, loss }: FitProgress) => {
    if (signal.aborted) throw INTERRUPTED;
    const line = `${object}: fit of ${gaussians}, step ${step} of ${steps}, loss ${loss.toFixed(4)}`;
    status(line);
    if (step % NOTED_STEPS === 0 || step === steps) say(line);
  };
  const prepared = await prepareScene(source, details, { device, fit, seed, steps, onProgress });
  if (signal.aborted) throw INTERRUPTED;
  for (const path of await writePrepared(request.out, prepared)) print(path);
  if (prepared.flat !== null) {
    say(`${object}: no score, its fit is no better than an empty scene in ${prepared.flat}`);
  }
  if (prepared.reassembly === null) say(`${object}: no score and no reassembly task, which need a fit`);
}

const NOTED_STEPS = 1000;

function filesOf(out: string, object: string): string[] {
  return ["sculpt", "assemble"].map((kind) => join(out, `${object}__${kind}.json`));
}

function detailsOf({ what, path, name, title, licence }: One): TaskDetails {
  const known = sourceDetails(what, path);
  const object = name ?? known.object;
  // Another name for an object that nobody knows is its title, too.
  const ownTitle = known.title === known.object ? object : known.title;
  return { object, title: title ?? ownTitle, licence: licence ?? known.licence };
}

async function readScene(request: One): Promise<SceneSource> {
  if (request.what === "ply") {
    return { kind: "gaussians", scene: await readGaussianPly(request.path, request.up) };
  }
  const { what, path, masks } = request;
  return { kind: "capture", capture: await readCapture(what, path, masks === true ? undefined : masks) };
}

function sizeOf(source: SceneSource): string {
  switch (source.kind) {
    case "capture":
      return `${source.capture.views.length} photos with cameras`;
    case "gaussians":
      return `${source.scene.length} Gaussians`;
    case "solids":
      return `${source.solids.length} solids`;
  }
}
