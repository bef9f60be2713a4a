/** How fast poses are scored: ratios from one run. */
import type { Gpu } from "../../gpu/device.ts";
import { PoseChecker } from "../../shadow/collision/pose_checker.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import { START_POSE } from "../../shadow/pose.ts";
import { ShadowRenderer } from "../../shadow/score/shadow_renderer.ts";
import { prepareTarget, scoreShadow } from "../../shadow/score/shadow_score.ts";
import { GENERATION, PlateSearch } from "../../shadow/search/plate_search.ts";
import { castShadow } from "../../shadow/stage/cast_shadow.ts";
import type { BenchRow } from "./bench_row.ts";
import { leastMs } from "./least_ms.ts";

/** Legal poses of a blind search's first generation, scored in one readback on the device against one at a time on the host. */
export async function shadowBench(gpu: Gpu): Promise<BenchRow[]> {
  const hands = await loadHands();
  const renderer = await ShadowRenderer.open(gpu, hands);
  const checker = new PoseChecker(hands);
  const shadow = castShadow(hands, START_POSE);
  const rows: BenchRow[] = [];
  // All plates together, as the search runs, and what a single submit takes.
  for (const { plates, wanted } of [{ plates: 20, wanted: 2 }, { plates: 4, wanted: null }]) {
    const requests = Array.from({ length: plates }, (_, plate) => {
      const poses = new PlateSearch(plate).propose().filter((pose) => checker.pose(pose) === null);
      return { target: prepareTarget(shadow), poses };
    });
    const count = requests.reduce((sum, { poses }) => sum + poses.length, 0);
    const deviceMs = await leastMs(() => renderer.scoresOfMany(requests));
    const masksMs = await leastMs(() => renderer.masks(requests.flatMap(({ poses }) => poses)));
    const hostMs = await leastMs(() => {
      for (const { target, poses } of requests) {
        for (const pose of poses) scoreShadow(target, castShadow(hands, pose), pose);
      }
    });
    const each = (ms: number) => `${(ms / count).toFixed(2)} ms`;
    rows.push({
      name:
        `shadows and scores of a generation of ${GENERATION} for each of ${plates} plates, against one at a time on the host`,
      ratio: hostMs / deviceMs,
      wanted,
      detail: `${each(deviceMs)} and ${each(hostMs)} a pose; masks read back ${each(masksMs)}`,
    });
  }
  return rows;
}
