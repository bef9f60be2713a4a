/** Plays the calls of a step log, where the model's own messages are not to be had. */
import type { Episode } from "../env/environment.ts";
import type { EndedBy } from "../env/records.ts";
import type { Difference } from "./difference.ts";
import type { StepColumns } from "./recording.ts";

/**
 * Plays every recorded call in the order of `step`, and stops at one that does not run now.
 *
 * @param endedBy how the episode ended; null where that is not known
 * @returns the call that stopped it
 */
export async function playSteps(
  episode: Episode,
  steps: readonly StepColumns[],
  endedBy: EndedBy | null,
): Promise<Difference | null> {
  await episode.observe();
  const submitted = endedBy === null || endedBy === "submit" || endedBy === "error";
  for (const [at, { step, tool = "", arguments: args }] of steps.entries()) {
    // Nobody called the opening, nor a submit at the end that is the environment's own.
    if (step === 0 || (at === steps.length - 1 && tool === "submit" && !submitted)) continue;
    // The last call within the budget may have ended it already.
    if (episode.done && tool === "submit") continue;
    const { notRun } = await episode.call(tool, args);
    if (notRun !== null) return { step, field: "tool", recorded: `${tool} ran`, now: `never ran: ${notRun}` };
  }
  return null;
}
