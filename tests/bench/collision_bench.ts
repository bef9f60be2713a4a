/** What contact checks of two hands cost. */
import { type Stream, stream } from "../../env/random.ts";
import { add, scaled, unit } from "../../env/vector3.ts";
import { PoseChecker } from "../../shadow/collision/pose_checker.ts";
import type { Hands } from "../../shadow/hand/hand_model.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import { type Pose, SIDES } from "../../shadow/pose.ts";
import { CALL_LIMIT } from "../../shadow/rules.ts";
import { skinContacts } from "../reference/skin_contacts.ts";
import { randomPose } from "../support/shadow_poses.ts";
import type { BenchRow } from "./bench_row.ts";

/** Milliseconds that the project asks for. */
const POSE_MS = 2;
const MOVE_MS = 60;

/** Hands within 20 cm of each other; free ones cost most, since nothing ends their check early. */
export async function collisionBench(): Promise<BenchRow[]> {
  const hands = await loadHands();
  const checker = new PoseChecker(hands);
  const draw = stream(0, "bench", "collision");
  const poses = Array.from({ length: 600 }, () => randomPose(draw, 0.2));
  const free = poses.filter((pose) => checker.pose(pose) === null);
  const [all, freeOnly] = [poses, free].map((some) =>
    median(some.map((pose) => time(() => checker.pose(pose))))
  );
  const moves = free.map((pose) => [pose, fullMove(draw, pose)] as const)
    .filter(([from, to]) => checker.move(from, to) === null);
  const move = median(moves.map(([from, to]) => time(() => checker.move(from, to))));
  return [
    {
      name: `full check of a pose of two hands, against ${POSE_MS} ms`,
      ratio: POSE_MS / freeOnly,
      wanted: 1,
      detail: `median of ${free.length} free poses ${freeOnly.toFixed(2)} ms, of all ${poses.length} ${
        all.toFixed(2)
      } ms`,
    },
    {
      name: `a move of 15 cm, against ${MOVE_MS} ms`,
      ratio: MOVE_MS / move,
      wanted: 1,
      detail: `median of ${moves.length} moves that are allowed ${move.toFixed(1)} ms`,
    },
    againstTrees(hands, checker, free.slice(0, 40)),
  ];
}

function againstTrees(hands: Hands, checker: PoseChecker, poses: Pose[]): BenchRow {
  const ours = median(poses.map((pose) => time(() => checker.pose(pose))));
  const theirs = median(poses.map((pose) => time(() => skinContacts(hands, pose))));
  return {
    name: "full check of a pose, against three-mesh-bvh",
    ratio: theirs / ours,
    wanted: null,
    detail: `${ours.toFixed(2)} and ${theirs.toFixed(1)} ms, building its trees included`,
  };
}

/** One hand as far as a call may bring it, in any direction. */
function fullMove(draw: Stream, pose: Pose): Pose {
  const side = SIDES[draw.integer(0, 2)];
  const way = scaled(unit([draw.normal(), draw.normal(), draw.normal()]), CALL_LIMIT.moveMetres);
  return { ...pose, [side]: { ...pose[side], position: add(pose[side].position, way) } };
}

function time(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
