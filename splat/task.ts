/** A SplatBench task: photos, cameras, prompts, limits. Built from a file or a table row, never changed. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import type { Image } from "../env/image.ts";
import type { TaskInfo } from "../env/environment.ts";
import type { Prompts, ToolSpec } from "../env/observation.ts";
import type { Camera } from "./camera.ts";
import type { Vector3 } from "../env/vector3.ts";
import type { Scene } from "./scene.ts";

/** One photo and the camera that took it; the camera's size is the photo's. */
export interface View {
  readonly photo: Image;
  readonly camera: Camera;
}

/** What an episode may use. */
export interface Limits {
  readonly gaussians: number;
  readonly calls: number;
  readonly renders: number;
  /** Most views that one picture shows. */
  readonly viewsPerPicture: number;
}

export const STANDARD_LIMITS: Limits = { gaussians: 300, calls: 40, renders: 16, viewsPerPicture: 8 };

/** A scene that gradient descent found from the reference views. */
export interface TaskFit {
  /** How many Gaussians it has. */
  readonly gaussians: number;
  readonly scene: Scene;
  /** sha256 of the recipe that it was fitted by. */
  readonly recipeHash: string;
}

/** The size of the fit that earns 100. */
export const FULL_FIT = 300;

export type TaskKind = "build" | "reassembly";

/** How a reassembly moved one part from its true pose: x' = pivot + Rz(degrees) (x − pivot) + translate. */
export interface PartMove {
  /** Label of the part in the start scene. */
  readonly group: string;
  readonly pivot: Vector3;
  readonly translate: Vector3;
  readonly degrees: number;
}

export interface SplatTask {
  readonly info: TaskInfo;
  /** Name of the object, e.g. `table`. */
  readonly object: string;
  readonly kind: TaskKind;
  /** Views the model sees, in the order it knows them by: 0, 1, …. */
  readonly reference: readonly View[];
  /** Views that only the scorer sees. */
  readonly heldOut: readonly View[];
  readonly limits: Limits;
  /** Scene the episode starts from: empty for a build. */
  readonly start: Scene;
  /** Fits of different sizes; without one of `FULL_FIT` Gaussians the task has no score. */
  readonly fits: readonly TaskFit[];
  /** What was done to the parts of a reassembly, for scoring only; none for a build. */
  readonly parts: readonly PartMove[];
  /** Prompts and tools that a published task brings, instead of ours. */
  readonly published: { prompts: Prompts; tools: readonly ToolSpec[] } | null;
}

/** The fit of this size; null where the task has none. */
export function fitOf({ fits }: SplatTask, gaussians: number): TaskFit | null {
  return fits.find((fit) => fit.gaussians === gaussians) ?? null;
}

/**
 * For the doors that a script without types may come through.
 *
 * @throws BenchError for an id, a row or nothing at all where a task is wanted
 */
export function requireTask(task: SplatTask): void {
  const parsed = taskShape.safeParse(task);
  if (parsed.success) return;
  const [{ path, message }] = parsed.error.issues;
  throw new BenchError({
    what: "Cannot play what is no task",
    why: `${path.join(".") || "it"}: ${message}`,
    fix: 'Load one first, e.g. await loadTask("table__sculpt")',
  });
}

/** Enough of it to tell a task from what is none; `load_task.ts` has checked the rest. */
const taskShape = z.object({
  info: z.object({ id: z.string() }),
  reference: z.array(z.object({})).min(1),
  heldOut: z.array(z.object({})).min(1),
  limits: z.object({ gaussians: z.number(), calls: z.number(), renders: z.number() }),
  start: z.array(z.object({})),
});
