/** A task for lists: what a model may know of it, and its opening. */
import type { TaskDescription } from "../env/environment.ts";
import type { ScoreKind } from "../env/records.ts";
import { openingSheet } from "./opening.ts";
import { promptsFor } from "./prompts.ts";
import { taskVariant } from "./protocols.ts";
import type { SplatTask } from "./task.ts";

/** @param kind of the scores that the opening speaks of */
export function describeTask(task: SplatTask, kind: ScoreKind): TaskDescription {
  const { width, height } = task.reference[0].photo;
  const { gaussians, calls, renders } = task.limits;
  const variant = taskVariant(task, "standard");
  return {
    facts: {
      kind: task.kind,
      object: task.object,
      reference_views: task.reference.length,
      held_out_views: task.heldOut.length,
      photo_size: [width, height],
      limits: { gaussians, calls, renders },
      start_gaussians: task.start.length,
      fits: task.fits.map((fit) => fit.gaussians),
      brings_own_prompts: task.published !== null,
    },
    opening: { text: promptsFor(variant, kind).user, image: openingSheet(variant) },
  };
}
