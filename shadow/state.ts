/** States that are scored: a pose with its peeks, or a silhouette that no hand casts. */
import { z } from "zod";
import type { ScoredState } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { type PoseRow, poseRowSchema } from "../tasks/shadow_rows.ts";
import type { Hands } from "./hand/hand_model.ts";
import { metricsOf } from "./metrics.ts";
import { type Pose, poseFromRow, START_POSE } from "./pose.ts";
import { scoreShadow, type Target } from "./score/shadow_score.ts";
import { castShadow } from "./stage/cast_shadow.ts";
import type { Mask } from "./stage/mask.ts";
import { maskFromBase64 } from "./stage/mask_image.ts";

const peeks = z.int().nonnegative().default(0);
const stateSchema = z.union([
  poseRowSchema.extend({ peeks }),
  /** PNG, base64, 512 × 384, black on white; wrists are scored as at the start. */
  z.strictObject({ mask: z.string() }),
]);

/** What a state shows. */
export interface ShownState {
  readonly pose: Pose;
  readonly peeks: number;
  /** The silhouette, where it is not that of the pose. */
  readonly mask: Mask | null;
}

/**
 * A state from outside.
 *
 * @throws BenchError that names the task and what is wrong
 */
export function stateOf(state: unknown, taskId: string): ShownState {
  const parsed = stateSchema.safeParse(state);
  if (!parsed.success) throw badState(taskId, reason(state));
  const { data } = parsed;
  const fault = "mask" in data ? null : absurdity(data);
  if (fault !== null) throw badState(taskId, fault);
  if (!("mask" in data)) return { pose: poseFromRow(data), peeks: data.peeks, mask: null };
  try {
    return { pose: START_POSE, peeks: 0, mask: maskFromBase64(data.mask) };
  } catch (error) {
    throw badState(taskId, `mask: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Host scores are exact on every device. */
export function scoreState(target: Target, hands: Hands, { pose, peeks, mask }: ShownState): ScoredState {
  const scored = scoreShadow(target, mask ?? castShadow(hands, pose), pose, peeks);
  return { score: scored.score, metrics: metricsOf(scored, peeks) };
}

/** Beyond two whole turns a number is no angle of a joint, radians. */
const MOST_ANGLE = 4 * Math.PI;
/** Metres: many times the stage. */
const MOST_PLACE = 100;
/** Published quaternions are rounded. */
const UNIT_TOLERANCE = 0.01;

/** Numbers that no pose has, recorded or not; poses that only break the rules are scored. */
function absurdity({ q, positions, quaternions }: PoseRow): string | null {
  const joint = q.findIndex((angle) => Math.abs(angle) > MOST_ANGLE);
  if (joint >= 0) return `q[${joint}]: ${q[joint]} rad is no angle of a joint`;
  for (const i of [0, 1] as const) {
    const axis = positions[i].findIndex((at) => Math.abs(at) > MOST_PLACE);
    if (axis >= 0) return `positions[${i}][${axis}]: ${positions[i][axis]} m is no place of a wrist`;
    const length = Math.hypot(...quaternions[i]);
    if (Math.abs(length - 1) > UNIT_TOLERANCE) {
      return `quaternions[${i}]: its length is ${length.toPrecision(3)}, and must be 1`;
    }
  }
  return null;
}

/** What a pose that is none lacks. */
function reason(state: unknown): string {
  const parsed = poseRowSchema.extend({ peeks }).safeParse(state);
  if (parsed.success) return "it is no pose";
  const [{ path, message }] = parsed.error.issues;
  const place = path.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("")
    .slice(1);
  return `${place === "" ? "it" : place}: ${message}`;
}

function badState(taskId: string, why: string): BenchError {
  return new BenchError({
    what: `Cannot score a pose of ${taskId}`,
    why,
    fix:
      "A state is {q: 46 radians, positions, quaternions, peeks?}, right hand first, or {mask: a base64 PNG}",
  });
}
