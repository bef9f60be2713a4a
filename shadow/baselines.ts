/** Named states between which a score is read. */
import type { Baseline, TaskInfo } from "../env/environment.ts";
import { poseToRow, START_POSE } from "./pose.ts";
import { hullMask } from "./score/hull_mask.ts";
import { maskToBase64 } from "./stage/mask_image.ts";
import type { ShadowTask } from "./task.ts";

/** The hands as they start, and the featureless blob: the target's convex hull. */
export function shadowBaselines(
  load: (info: TaskInfo) => Promise<ShadowTask>,
): Readonly<Record<string, Baseline>> {
  return {
    rest: () => Promise.resolve(poseToRow(START_POSE)),
    hull: async (info) => ({ mask: maskToBase64(hullMask((await load(info)).target)) }),
  };
}
