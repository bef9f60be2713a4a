/**
 * Tables of tasks made with conventions drawn at random: small procedural objects, fits by gradient descent under the
 * drawn profile, final scenes rounded to three decimals after they were measured. The recorded numbers come from the
 * float64 references, never from the renderer that the search uses, and are rounded to three decimals.
 */
import { type Stream, stream } from "../../../env/random.ts";
import type { Metrics } from "../../../env/records.ts";
import type { Gpu } from "../../../gpu/device.ts";
import type { EvidenceScene, EvidenceTask } from "../../../splat/calibrate/evidence_task.ts";
import { type Knob, profileOf } from "../../../splat/calibrate/knob.ts";
import {
  DEFAULT_CONVENTION,
  FOREIGN_LABEL,
  type MetricConvention,
  metricProfileOf,
  PSNR_KNOBS,
  SSIM_KNOBS,
} from "../../../splat/calibrate/metric_knobs.ts";
import { RENDER_KNOBS } from "../../../splat/calibrate/render_knobs.ts";
import { orbitCamera } from "../../../splat/camera.ts";
import { fitScene } from "../../../splat/fit/fit_scene.ts";
import { DEFAULT_FIT } from "../../../splat/fit/recipe.ts";
import { PROCEDURAL_OBJECTS, proceduralSolids } from "../../../splat/objects/procedural.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { RENDER_PROFILES, type RenderProfile } from "../../../splat/render/profile.ts";
import type { Gaussian, Scene } from "../../../splat/scene.ts";
import type { MetricProfile } from "../../../splat/score/metric_profile.ts";
import { viewMeans } from "../../../splat/score/view_means.ts";
import type { View } from "../../../splat/task.ts";
import { referenceMetrics } from "../../reference/metrics.ts";
import { referenceRender } from "../../reference/render.ts";

export interface RandomTable {
  readonly tasks: readonly EvidenceTask[];
  /** What it was made with. */
  readonly render: RenderProfile;
  readonly metrics: MetricProfile;
  /** Labels of the drawn values by knob. */
  readonly truth: ReadonlyMap<string, string>;
}

const OBJECTS_A_TABLE = 2;

export async function randomTable(seed: number, gpu: Gpu): Promise<RandomTable> {
  const draw = stream(seed, "calibration table");
  const truth = new Map<string, string>();
  const render = drawn(draw, RENDER_KNOBS, RENDER_PROFILES.torch, truth);
  const convention = drawn<MetricConvention>(draw, [...PSNR_KNOBS, ...SSIM_KNOBS], DEFAULT_CONVENTION, truth);
  const metrics = metricProfileOf(convention);
  const first = draw.integer(0, PROCEDURAL_OBJECTS.length);
  const tasks: EvidenceTask[] = [];
  for (let k = 0; k < OBJECTS_A_TABLE; k++) {
    const object = PROCEDURAL_OBJECTS[(first + k * 2) % PROCEDURAL_OBJECTS.length];
    tasks.push(await randomTask(draw, object, render, metrics, gpu));
  }
  return { tasks, render, metrics, truth };
}

/** A profile with a value of each knob, which `truth` is told; only values that profiles can have. */
function drawn<Profile extends object>(
  draw: Stream,
  knobs: readonly Knob<Profile>[],
  base: Profile,
  truth: Map<string, string>,
): Profile {
  const choice = knobs.map(({ name, values }) => {
    const own = values.filter(({ label }) => !label.endsWith(FOREIGN_LABEL));
    const value = draw.integer(0, own.length);
    truth.set(name, own[value].label);
    return value;
  });
  return profileOf(knobs, base, choice);
}

async function randomTask(
  draw: Stream,
  object: typeof PROCEDURAL_OBJECTS[number],
  render: RenderProfile,
  metrics: MetricProfile,
  gpu: Gpu,
): Promise<EvidenceTask> {
  const solids = proceduralSolids(object);
  const view = (azimuthDeg: number): View => {
    const elevationDeg = draw.range(-10, 50);
    // Near enough that some objects leave the picture.
    const orbit = { azimuthDeg, elevationDeg, distance: draw.range(2.6, 3.6), fovDeg: 38 };
    const camera = { ...orbitCamera(orbit, 53, 44), cx: 27.5, cy: 21.2 };
    return { camera, photo: renderSolids(solids, camera).image };
  };
  const reference = [0, 60, 120, 180, 240, 300].map(view);
  const heldOut = [30, 150, 270].map(view);
  const fit = async (gaussians: number): Promise<Scene> => {
    const recipe = { ...DEFAULT_FIT, gaussians, steps: 200, render };
    return rounded((await fitScene(gpu, reference, recipe)).scene, 4);
  };
  const fits = [await fit(40), await fit(16)];
  const measure = (scene: Scene) => measured(scene, heldOut, render, metrics);
  const recorded = (scene: Scene): EvidenceScene => ({
    origin: "task",
    scene,
    metrics: measure(scene),
    score: null,
  });
  const final = (scene: Scene): EvidenceScene => ({
    origin: "episode",
    scene: rounded(scene, 3),
    metrics: measure(scene),
    score: null,
  });
  return {
    id: `${object}__sculpt`,
    reference,
    heldOut,
    empty: measure([]),
    fits,
    scenes: [
      ...fits.map(recorded),
      recorded(rounded(scrambled(draw, fits[0]), 4)),
      final(built(draw, fits[1], 0.02)),
      final(built(draw, fits[0], 0.08)),
    ],
  };
}

/** Means over the views, with three decimals. */
function measured(
  scene: Scene,
  views: readonly View[],
  render: RenderProfile,
  metrics: MetricProfile,
): Metrics {
  const { psnr, ssim } = viewMeans(
    metrics,
    views.map(({ camera, photo }) =>
      referenceMetrics(metrics, referenceRender(scene, camera, render).rgbt, photo)
    ),
  );
  return { psnr: Number(psnr.toFixed(3)), ssim: Number(ssim.toFixed(3)) };
}

function rounded(scene: Scene, decimals: number): Scene {
  const round = (value: number) => Number(value.toFixed(decimals));
  return scene.map((gaussian) => ({
    ...gaussian,
    mean: [round(gaussian.mean[0]), round(gaussian.mean[1]), round(gaussian.mean[2])],
    scale: [round(gaussian.scale[0]), round(gaussian.scale[1]), round(gaussian.scale[2])],
    quaternion: [
      round(gaussian.quaternion[0]),
      round(gaussian.quaternion[1]),
      round(gaussian.quaternion[2]),
      round(gaussian.quaternion[3]),
    ],
    color: [round(gaussian.color[0]), round(gaussian.color[1]), round(gaussian.color[2])],
    opacity: round(gaussian.opacity),
  }));
}

/** Thirds of a scene, each moved somewhere. */
function scrambled(draw: Stream, scene: Scene): Scene {
  const moves = [0, 1, 2].map(() => [draw.range(-0.4, 0.4), draw.range(-0.4, 0.4), draw.range(-0.4, 0.4)]);
  return scene.map((gaussian, i): Gaussian => {
    const [x, y, z] = gaussian.mean;
    const [dx, dy, dz] = moves[i % 3];
    return { ...gaussian, mean: [x + dx, y + dy, z + dz] };
  });
}

/** A fit with every number shaken, as a model might build it. */
function built(draw: Stream, scene: Scene, spread: number): Scene {
  const near = (value: number) => value + spread * draw.normal();
  const inUnit = (value: number) => Math.min(1, Math.max(0, value));
  return scene.map((gaussian): Gaussian => {
    const [x, y, z] = gaussian.mean;
    const [sx, sy, sz] = gaussian.scale;
    const [r, g, b] = gaussian.color;
    const grown = Math.exp(spread * 4 * draw.normal());
    return {
      ...gaussian,
      mean: [near(x), near(y), near(z)],
      scale: [sx * grown, sy * grown, sz * grown],
      color: [inUnit(near(r)), inUnit(near(g)), inUnit(near(b))],
      opacity: inUnit(gaussian.opacity + 0.2),
    };
  });
}
