/** Named states between which a score is read. */
import type { Baseline, TaskInfo } from "../env/environment.ts";
import { type Pose, poseToRow, START_POSE } from "./pose.ts";
import { hullMask } from "./score/hull_mask.ts";
import { maskToBase64 } from "./stage/mask_image.ts";
import type { ShadowTask } from "./task.ts";

/**
 * The hands as they start, the featureless blob (the target's convex hull), and what blind search finds.
 *
 * @param search by CMA-ES; null for a task that it was stopped in
 */
export function shadowBaselines(
  load: (info: TaskInfo) => Promise<ShadowTask>,
  search: (task: ShadowTask, stop: AbortSignal | null) => Promise<Pose | null>,
): Readonly<Record<string, Baseline>> {
  return {
    rest: () => Promise.resolve(poseToRow(START_POSE)),
    hull: async (info) => ({ mask: maskToBase64(hullMask((await load(info)).target)) }),
    cma: async (info, stop) => {
      const found = await search(await load(info), stop ?? null);
      return found === null ? null : poseToRow(found);
    },
  };
}
