/** What the three tools that move a hand share. */
import { z } from "zod";
import { type Refusal, refuse } from "../../env/refusal.ts";
import { type HandPose, type Side, SIDES } from "../pose.ts";
import type { ToolContext, ToolResult } from "./tool.ts";

export const handField = z.enum(SIDES, { error: 'must be "right" or "left"' });

/** How the answer begins to a movement that changes nothing. */
export const NOTHING_MOVED = "Nothing moved";

/**
 * The answer to a movement of one hand, checked along the way; one that changes nothing is nothing to undo.
 *
 * @param text what the model is told of it when it is allowed
 */
export function changeHand(
  { planned, pose, studio }: ToolContext,
  side: Side,
  hand: HandPose,
  text: string,
): ToolResult | Refusal {
  if (!planned) {
    return refuse("no_plan", "call plan before the first movement: what the silhouette shows, and how");
  }
  if (isSame(pose[side], hand)) return { text: `${NOTHING_MOVED}: the ${side} hand is so already.` };
  const next = { ...pose, [side]: hand };
  const fault = studio.move(pose, next);
  return fault === null ? { text, moved: { side, pose: next } } : refuse(fault.kind, fault.text);
}

function isSame(a: HandPose, b: HandPose): boolean {
  const same = (from: readonly number[], to: readonly number[]) => from.every((value, i) => value === to[i]);
  return same(a.angles, b.angles) && same(a.position, b.position) && same(a.orientation, b.orientation);
}
