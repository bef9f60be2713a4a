/** A task for lists: what a model may know of it, and its opening. */
import type { TaskDescription } from "../env/environment.ts";
import { maskPicture } from "./pictures/mask_picture.ts";
import { promptsFor } from "./prompts.ts";
import { maskArea } from "./stage/mask.ts";
import type { ShadowTask } from "./task.ts";

/** The picture is the target alone: the hands beside it would take a device. */
export function describeTask(task: ShadowTask): TaskDescription {
  return {
    facts: {
      kind: "silhouette",
      target_pixels: maskArea(task.target),
      limits: task.limits,
      brings_own_page: task.bookPage !== null,
      brings_own_prompts: task.published !== null,
    },
    opening: { text: promptsFor(task).user, image: maskPicture(task.target) },
  };
}
