/** From an author's pose to a task file: target, drawing, path and reference scores are made, not written. */
import { z } from "zod";
import { BenchError } from "../../env/errors.ts";
import { normalize } from "../../env/quaternion.ts";
import type { ShadowTaskFile } from "../../tasks/shadow_task_file.ts";
import { TASK_SCHEMA_VERSION } from "../../tasks/task_fields.ts";
import { PoseChecker } from "../collision/pose_checker.ts";
import { ALIASES, CONTROLS } from "../hand/controls.ts";
import type { Hands } from "../hand/hand_model.ts";
import { metricsOf } from "../metrics.ts";
import { type HandPose, type Pose, poseToRow, type Side, SIDES, START_POSE } from "../pose.ts";
import { hullMask } from "../score/hull_mask.ts";
import { prepareTarget, scoreShadow } from "../score/shadow_score.ts";
import { type PlannedPath, planPath } from "../search/plan_path.ts";
import { parked } from "../search/sample_pose.ts";
import { castShadow } from "../stage/cast_shadow.ts";
import { maskToBase64 } from "../stage/mask_image.ts";
import { outlineSvg } from "./trace_outline.ts";

const vector3 = z.tuple([z.number(), z.number(), z.number()]);

const handSchema = z.strictObject({
  /** Metres. */
  position: vector3,
  /** (w, x, y, z), of any length but 0. */
  orientation: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  /** Degrees by control; the others are at rest. */
  joints: z.partialRecord(z.enum(ALIASES), z.number()).optional(),
});

/** What an author writes: one file a target in this folder. */
export const authoredTargetSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  hint: z.string(),
  /** A hand that is left out waits beside the screen. */
  hands: z.strictObject({ right: handSchema.optional(), left: handSchema.optional() }),
  effort_subset: z.boolean().default(true),
});
export type AuthoredTarget = z.infer<typeof authoredTargetSchema>;

const LICENCE = "CC BY 4.0";

/**
 * The task of a target.
 *
 * @throws BenchError for a pose that hands may not be in, or that no calls were found to lead to
 */
export function taskOfTarget(target: AuthoredTarget, hands: Hands): ShadowTaskFile {
  const { id, title, hint, effort_subset } = target;
  const checker = new PoseChecker(hands);
  const wanted = poseOf(target);
  const fault = checker.pose(wanted);
  if (fault !== null) throw badTarget(id, fault.text);
  const path = planPath(checker, wanted);
  if (path === null) throw badTarget(id, "no way from the start to the pose was found");
  return taskOfPath({ task_id: id, title, hint, effort_subset }, path, hands);
}

/** What a person says of a target. */
export type TargetWords = Pick<ShadowTaskFile, "task_id" | "title" | "hint" | "effort_subset">;

/** The task whose target is the shadow of the pose that a path reaches. */
export function taskOfPath(
  words: TargetWords,
  { calls, reached }: PlannedPath,
  hands: Hands,
): ShadowTaskFile {
  const mask = castShadow(hands, reached);
  const prepared = prepareTarget(mask);
  const recorded = (scored: ReturnType<typeof scoreShadow>) => ({
    score: scored.score,
    metrics: metricsOf(scored, 0),
  });
  return {
    schema_version: TASK_SCHEMA_VERSION,
    bench: "shadow",
    ...words,
    licence: LICENCE,
    target: maskToBase64(mask),
    target_svg: outlineSvg(mask),
    witness: {
      pose: poseToRow(reached),
      path: calls.map((call) => ({ tool: call.name, arguments: { ...call.arguments } })),
    },
    hand: { name: hands.right.name, hash: hands.right.hash },
    baselines: {
      rest: recorded(scoreShadow(prepared, castShadow(hands, START_POSE), START_POSE)),
      hull: recorded(scoreShadow(prepared, hullMask(mask), START_POSE)),
    },
  };
}

/** The pose that an author wrote down. */
export function poseOf({ hands }: AuthoredTarget): Pose {
  const [right, left] = SIDES.map((side) => handOf(side, hands[side]));
  return { right, left };
}

function handOf(side: Side, hand: AuthoredTarget["hands"][Side]): HandPose {
  if (hand === undefined) return parked(side);
  const { position, orientation, joints = {} } = hand;
  const degrees: Readonly<Record<string, number | undefined>> = joints;
  return {
    angles: CONTROLS.map(({ name }) => (degrees[name] ?? 0) * Math.PI / 180),
    position,
    orientation: normalize(orientation),
  };
}

function badTarget(id: string, why: string): BenchError {
  return new BenchError({
    what: `Cannot make the target ${id}`,
    why,
    fix: "tests/tools/try_shadow.ts tries poses out",
  });
}
