/**
 * What a recorded episode shows by its log alone: budgets, the rule on plans, joint ranges and the limits of a call.
 * It is all that can be said of poses of another hand.
 */
import type { AuditFinding } from "../env/environment.ts";
import type { StepRecord } from "../env/records.ts";
import { type Pose, poseFromRow } from "./pose.ts";
import { poseRowSchema } from "../tasks/shadow_rows.ts";
import { callLimitFault, rangeFault } from "./rules.ts";
import { TOOL_BY_NAME } from "./tools/table.ts";

/** @returns what breaks a rule, in the order of steps */
export function auditSteps(steps: readonly StepRecord[]): AuditFinding[] {
  const findings: AuditFinding[] = [];
  let before: StepRecord | null = null;
  let pose: Pose | null = null;
  let planned = false;
  for (const step of steps) {
    const found = (field: string, recorded: string, wanted: string) =>
      findings.push({ step: step.step, field, recorded, wanted });
    if (before !== null) compareBudgets(before, step, found);
    const next = poseOf(step);
    if (next === "bad") found("state", "no pose", "46 angles, 2 positions, 2 quaternions");
    else if (next !== null) {
      checkPose(pose, next, step, planned, found);
      pose = next;
    }
    planned ||= step.tool === "plan" && step.accepted;
    before = step;
  }
  return findings;
}

type Found = (field: string, recorded: string, wanted: string) => void;

/** Each step uses a call, and what its tool costs where it was accepted. */
function compareBudgets(before: StepRecord, step: StepRecord, found: Found): void {
  const cost = { calls: 1, ...(step.accepted ? TOOL_BY_NAME.get(step.tool)?.cost : {}) };
  for (const [name, left] of Object.entries(before.budgets)) {
    const wanted = left - (new Map(Object.entries(cost)).get(name) ?? 0);
    const is = step.budgets[name];
    if (is !== wanted || is < 0) {
      found(`budgets.${name}`, String(is), wanted < 0 ? "none left" : String(wanted));
    }
  }
}

function checkPose(from: Pose | null, to: Pose, step: StepRecord, planned: boolean, found: Found): void {
  const range = rangeFault(to);
  if (range !== null) found("state", range.text, "within range");
  if (from === null) return;
  // An undo goes back to where the hands have been.
  const limit = step.tool === "undo" ? null : callLimitFault(from, to);
  if (limit !== null) found("state", limit.text, "within the limits of a call");
  if (!planned && MOVEMENTS.has(step.tool)) found("tool", step.tool, "a plan before it");
}

const MOVEMENTS: ReadonlySet<string> = new Set(["set_fingers", "move_hand", "turn_hand"]);

function poseOf({ state }: StepRecord): Pose | "bad" | null {
  if (state === null) return null;
  const parsed = poseRowSchema.safeParse(state);
  return parsed.success ? poseFromRow(parsed.data) : "bad";
}
