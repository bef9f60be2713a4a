/** Any scene to a build task and a reassembly task. */
import { join } from "node:path";
import { BenchError } from "../../env/errors.ts";
import { type Gpu, openGpu } from "../../gpu/device.ts";
import { once } from "../../env/once.ts";
import { withoutPhotos } from "../../tasks/shared_photos.ts";
import type { TaskFile } from "../../tasks/task_file.ts";
import type { FitProgress } from "../fit/fit_scene.ts";
import { type FitChanges, fitTask } from "../fit/task_fits.ts";
import { taskFromFile } from "../load_task.ts";
import { taskFileText } from "../../tasks/task_text.ts";
import { reassemblyTask } from "../reassembly/reassembly_task.ts";
import { DEFAULT_RENDER_PROFILE } from "../render/profile.ts";
import { Renderer } from "../render/renderer.ts";
import type { ViewMetrics } from "../render/renderer_types.ts";
import { metricsOf } from "../rendered_view.ts";
import { type Scene, sceneFromRows } from "../scene.ts";
import { DEFAULT_METRICS } from "../score/metric_profile.ts";
import { metricWithoutSpan } from "../score/splat_score.ts";
import { viewMeans } from "../score/view_means.ts";
import { FULL_FIT, type View } from "../task.ts";
import { buildTask, type TaskDetails, writeTaskFile } from "./build_task.ts";
import { type SceneSource, sceneViews } from "./scene_views.ts";
import { fileExists } from "./source_files.ts";

export type { SceneSource } from "./scene_views.ts";

export interface PrepareOptions {
  /** `auto`, `gpu`, `software`, part of an adapter's name, or an open device, which stays open; `auto` when absent. */
  readonly device?: string | Gpu;
  /** Without its fits a task has no score and cannot be taken apart; true when absent. */
  readonly fit?: boolean;
  /** Seed of fits and of the scramble; 0 when absent. */
  readonly seed?: number;
  /** Steps of each fit; those of the recipe when absent. */
  readonly steps?: number;
  /** Called every 100 steps with the size of the fit. What it throws ends the preparation. */
  readonly onProgress?: (gaussians: number, progress: FitProgress) => void;
}

export interface PreparedScene {
  readonly build: TaskFile;
  /** Made of the build's fit of 300; null without one. */
  readonly reassembly: TaskFile | null;
  /** PSNR or SSIM in which the fit of 300 is no better than an empty scene, so that neither has a score; or null. */
  readonly flat: string | null;
}

/**
 * The tasks of a scene, with fits of 300 and 64 Gaussians. A capture brings its photos and is normalised; solids and
 * Gaussians, inside [−0.9, 0.9]³, are photographed from the standard rig. The fits take minutes on a software device.
 *
 * @throws BenchError for a scene that is empty or leaves the cube, a capture that cannot be used or a name that is no
 *   id, GpuError when there is no device
 */
export async function prepareScene(
  source: SceneSource,
  details: TaskDetails,
  options: PrepareOptions = {},
): Promise<PreparedScene> {
  const { device = "auto" } = options;
  if (typeof device !== "string") {
    return await prepareOn(() => Promise.resolve(device), source, details, options);
  }
  const opened: Gpu[] = [];
  const open = once(async () => {
    const gpu = await openGpu(device);
    opened.push(gpu);
    return gpu;
  });
  try {
    return await prepareOn(open, source, details, options);
  } finally {
    opened.forEach((gpu) => gpu.close());
  }
}

/**
 * Writes both task files, of which the build's holds photos and fits of both. Returns their paths.
 *
 * @throws BenchError when the folder cannot be written, or holds a reassembly of other photos that would stay
 */
export async function writePrepared(
  out: string,
  { build, reassembly }: Pick<PreparedScene, "build" | "reassembly">,
): Promise<string[]> {
  const stale = join(out, `${build.object}__assemble.json`);
  if (reassembly === null && await fileExists(stale)) {
    throw new BenchError({
      what: `Cannot write the build task of ${build.object} without its reassembly`,
      why: `${stale} is of an earlier build`,
      fix: "Remove it, choose another folder with --out, or prepare with fits",
    });
  }
  const paths = [await writeTaskFile(out, build.task_id, taskFileText(build))];
  if (reassembly !== null) {
    const text = taskFileText(withoutPhotos(reassembly, build.task_id));
    paths.push(await writeTaskFile(out, reassembly.task_id, text));
  }
  return paths;
}

async function prepareOn(
  gpu: () => Promise<Gpu>,
  source: SceneSource,
  details: TaskDetails,
  { fit = true, seed = 0, steps, onProgress }: PrepareOptions,
): Promise<PreparedScene> {
  const views = await sceneViews(
    source,
    async () => await Renderer.open(await gpu(), DEFAULT_RENDER_PROFILE, DEFAULT_METRICS),
  );
  const bare = buildTask(views, details);
  if (!fit) return { build: bare, reassembly: null, flat: null };
  // The photos as whoever plays the task decodes them.
  const { reference, heldOut } = taskFromFile(bare, bare.task_id);
  const changes: FitChanges = { seed, ...(steps === undefined ? {} : { steps }) };
  const fits = await fitTask(await gpu(), reference, onProgress, changes);
  const build = { ...bare, fits };
  const full = fits.find(({ gaussians }) => gaussians === FULL_FIT);
  if (full === undefined) return { build, reassembly: null, flat: null };
  const scene = sceneFromRows(full.scene);
  return {
    build,
    reassembly: reassemblyTask(build, scene, seed),
    flat: await flatMetric(await gpu(), heldOut, scene),
  };
}

async function flatMetric(gpu: Gpu, views: readonly View[], fit: Scene): Promise<string | null> {
  const renderer = await Renderer.open(gpu, DEFAULT_RENDER_PROFILE, DEFAULT_METRICS);
  const photos = renderer.photos(views.map(({ photo }) => photo));
  const cameras = views.map(({ camera }) => camera);
  try {
    const [none, full] = (await renderer.render(
      [[], fit].map((scene) => ({ scene, cameras, photos, pixels: false })),
    )).map((seen) => viewMeans(DEFAULT_METRICS, seen.map(metricsOf)));
    const measured = ({ psnr, ssim }: ViewMetrics) => ({ psnr, ssim });
    return metricWithoutSpan("partial", { empty: measured(none), fit: measured(full) });
  } finally {
    photos.destroy();
  }
}
