/** A SplatBench task: photos, cameras, prompts, limits. Built from a file or a table row, never changed. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import type { Image } from "../env/image.ts";
import type { TaskInfo } from "../env/environment.ts";
import type { Prompts, ToolSpec } from "../env/observation.ts";
import type { Camera } from "./camera.ts";
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

export type TaskKind = "build" | "reassembly";

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
  /** Prompts and tools that a published task brings, instead of ours. */
  readonly published: { prompts: Prompts; tools: readonly ToolSpec[] } | null;
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
