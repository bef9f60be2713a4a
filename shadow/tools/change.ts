/** What the three tools that move a hand share. */
import { z } from "zod";
import { type Refusal, refuse } from "../../env/refusal.ts";
import { type HandPose, type Side, SIDES } from "../pose.ts";
import type { ToolContext, ToolResult } from "./tool.ts";

export const handField = z.enum(SIDES, { error: 'must be "right" or "left"' });

/**
 * The answer to a movement of one hand, checked along the way.
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
  const next = { ...pose, [side]: hand };
  const fault = studio.move(pose, next);
  return fault === null ? { text, moved: { side, pose: next } } : refuse(fault.kind, fault.text);
}
