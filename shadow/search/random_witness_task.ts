/** Random targets for training: the shadow of a random pose that hands can reach, with the calls that lead to it. */
import { BenchError } from "../../env/errors.ts";
import { type Stream, stream } from "../../env/random.ts";
import type { ShadowTaskFile } from "../../tasks/shadow_task_file.ts";
import { PoseChecker } from "../collision/pose_checker.ts";
import type { Hands } from "../hand/hand_model.ts";
import { loadHands } from "../hand/load_hand.ts";
import { type Pose, type Side, SIDES } from "../pose.ts";
import { hullMask } from "../score/hull_mask.ts";
import { outlineOf } from "../score/outline.ts";
import { DEFAULT_SCORE } from "../score/score_profile.ts";
import { castShadow } from "../stage/cast_shadow.ts";
import { type Mask, maskArea } from "../stage/mask.ts";
import { taskOfPath } from "../targets/make_task.ts";
import { type PlannedPath, planPath } from "./plan_path.ts";
import { JOINTS, samplePose } from "./sample_pose.ts";

export interface RandomTaskOptions {
  /** Hands that cast a shadow, 2 by default; another waits beside the screen. */
  readonly hands?: 1 | 2;
  /** Joints away from rest, of all shown hands together: 1 to 23 a hand, 8 by default. */
  readonly difficulty?: number;
}

type Chosen = Required<RandomTaskOptions>;

/**
 * A task file with a target that is no animal: `random__h1_d8_s5` for one hand, difficulty 8, seed 5. Any integer is a
 * seed; the same seed, options and hands give the same task on every machine. `create(task)` plays it; as JSON on disk
 * it is a task like any other.
 *
 * The pose is legal, and the path in it (at most 60 calls) leads there from the start. Its shadow has 4,000 to 60,000
 * pixels, is no blob (at most 0.85 of its convex hull), and at most a tenth of its edge is cut off by the screen's
 * border.
 *
 * @param model the hands; by default those of the benchmark
 * @throws BenchError for a seed or difficulty that there is not
 */
export async function randomWitnessTask(
  seed: number,
  { hands: count = 2, difficulty = 8 }: RandomTaskOptions = {},
  model?: Hands,
): Promise<ShadowTaskFile> {
  const options: Chosen = { hands: count, difficulty };
  checkOptions(seed, options);
  const hands = model ?? await loadHands();
  return taskOfPath(
    {
      task_id: `random__h${count}_d${difficulty}_s${seed}`,
      title: count === 1 ? "Random shape of one hand" : "Random shape of two hands",
      hint: `${count === 1 ? "One hand casts" : "Both hands cast"} this shadow; ${difficulty} of ${
        count * JOINTS
      } joints are bent.`,
      effort_subset: true,
    },
    randomPath(seed, options, hands),
    hands,
  );
}

const AREA = { least: 4000, most: 60000 } as const;
/** Largest share of a shadow in its convex hull. */
const MOST_BLOB = 0.85;
/** Least share of a shadow's edge that is not the screen's border. */
const LEAST_OUTLINE = 0.9;
/** One of six poses or so will do. */
const MOST_TRIES = 2000;

function randomPath(
  seed: number,
  { hands: count, difficulty }: Chosen,
  hands: Hands,
): PlannedPath {
  const draws = stream(seed, "random witness", count, difficulty);
  const checker = new PoseChecker(hands);
  for (let i = 0; i < MOST_TRIES; i++) {
    const pose = samplePose(hands, shownHands(count, draws), difficulty, draws);
    if (!isGood(checker, hands, pose)) continue;
    const path = planPath(checker, pose);
    if (path !== null) return path;
  }
  throw new BenchError({
    what: `Cannot make a random task of seed ${seed}`,
    why: `none of ${MOST_TRIES} random poses of this hand is legal and casts a shadow that is a task`,
    fix: "Try another difficulty",
  });
}

function shownHands(count: 1 | 2, draws: Stream): readonly Side[] {
  return count === 2 ? SIDES : [SIDES[draws.integer(0, 2)]];
}

function isGood(checker: PoseChecker, hands: Hands, pose: Pose): boolean {
  return checker.pose(pose) === null && isShape(castShadow(hands, pose));
}

/** Whether a shadow is of a size that can be matched, no blob, and on the screen. */
export function isShape(mask: Mask): boolean {
  const area = maskArea(mask);
  if (!(area >= AREA.least && area <= AREA.most)) return false;
  if (area > MOST_BLOB * maskArea(hullMask(mask))) return false;
  const edge = (border: "same" | "light") => maskArea(outlineOf(mask, { ...DEFAULT_SCORE.outline, border }));
  return edge("same") >= LEAST_OUTLINE * edge("light");
}

function checkOptions(seed: number, { hands, difficulty }: Chosen): void {
  const most = hands * JOINTS;
  const why = !Number.isSafeInteger(seed)
    ? `the seed is ${seed}, and must be a whole number`
    : hands !== 1 && hands !== 2
    ? `${hands} hands, and there are one or two`
    : !(Number.isInteger(difficulty) && difficulty >= 1 && difficulty <= most)
    ? `the difficulty is ${difficulty}, and must be a whole number from 1 to ${most} joints`
    : null;
  if (why !== null) throw new BenchError({ what: "Cannot make a random task", why });
}
