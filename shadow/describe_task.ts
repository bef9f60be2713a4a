/** A task for lists: what a model may know of it, and its opening. */
import type { TaskDescription } from "../env/environment.ts";
import type { Image } from "../env/image.ts";
import { promptsFor } from "./prompts.ts";
import type { ShadowTask } from "./task.ts";
import { maskArea } from "./stage/mask.ts";

/** @param image the opening picture, or null where no device was opened */
export function describeTask(task: ShadowTask, image: Image | null): TaskDescription {
  return {
    facts: {
      kind: task.published === null ? "silhouette" : "plate",
      target_pixels: maskArea(task.target),
      limits: task.limits,
      brings_own_page: task.bookPage !== null,
      brings_own_prompts: task.published !== null,
    },
    opening: { text: promptsFor(task).user, image },
  };
}
