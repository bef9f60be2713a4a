/** A task for lists: what a model may know of it, and its opening. */
import type { TaskDescription } from "../env/environment.ts";
import { promptsFor } from "./prompts.ts";
import { maskArea } from "./stage/mask.ts";
import type { ShadowTask } from "./task.ts";

/** Without the picture: its hands take a device. */
export function describeTask(task: ShadowTask): TaskDescription {
  return {
    facts: {
      kind: "silhouette",
      target_pixels: maskArea(task.target),
      limits: task.limits,
      brings_own_page: task.bookPage !== null,
      brings_own_prompts: task.published !== null,
    },
    opening: { text: promptsFor(task).user, image: null },
  };
}
