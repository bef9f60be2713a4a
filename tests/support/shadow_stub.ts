/** ShadowBench without a device: the hands are real, their pictures are blank. */
import type { EpisodeOptions } from "../../env/environment.ts";
import { blankImage } from "../../env/image.ts";
import { type ShadowEnvironment, shadowEnvironment, type ShadowOptions } from "../../shadow/environment.ts";
import type { ShadowEpisode } from "../../shadow/episode.ts";
import type { Hands } from "../../shadow/hand/hand_model.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import { LOOK_PANELS, lookPicture } from "../../shadow/pictures/look.ts";
import { DEFAULT_SCORE } from "../../shadow/score/score_profile.ts";
import { type OpenPictures, StagePool } from "../../shadow/stage_pool.ts";
import { type Limits, type ShadowTask, STANDARD_LIMITS } from "../../shadow/task.ts";
import { maskWhere } from "../../shadow/stage/mask.ts";

export const hands: Hands = await loadHands();

/** Small blank pictures, or looks whose fourth panel is blank. */
export function stubPictures(kind: "blank" | "look" = "blank"): OpenPictures {
  const { width, height } = LOOK_PANELS.hands;
  return {
    device: "stub",
    look: (target, shadow, _pose, view) =>
      Promise.resolve(
        kind === "blank"
          ? blankImage(8, 6)
          : lookPicture({ target, shadow, hands: blankImage(width, height), view }),
      ),
    close: () => {},
  };
}

export function stubEnvironment(
  kind: "blank" | "look" = "blank",
  options: ShadowOptions = {},
): ShadowEnvironment {
  return shadowEnvironment({ openPictures: () => Promise.resolve(stubPictures(kind)), ...options });
}

/** A target with a hole: a frame of 40 × 30 pixels inside 80 × 60. */
export const FRAME = maskWhere((x, y) =>
  x >= 200 && x < 280 && y >= 150 && y < 210 && !(x >= 220 && x < 260 && y >= 165 && y < 195)
);

export function stubTask(limits: Partial<Limits> = {}): ShadowTask {
  return {
    info: {
      id: "stub",
      title: "Stubby frame",
      source: "embedded",
      contentHash: "stub",
      licence: "MIT",
      effortSubset: true,
      protocols: ["standard"],
    },
    target: FRAME,
    targetSvg: "<svg/>",
    hint: "A frame has a hole.",
    bookPage: blankImage(8, 6),
    witness: null,
    hand: null,
    limits: { ...STANDARD_LIMITS, ...limits },
    published: null,
  };
}

const pool = new StagePool(
  () => Promise.resolve(hands),
  () => Promise.resolve(stubPictures()),
  DEFAULT_SCORE,
);

/** An episode whose environment is shared with all others of the test file. */
export async function stubPlay(
  task: ShadowTask = stubTask(),
  options: Partial<EpisodeOptions> = {},
): Promise<ShadowEpisode> {
  const { ShadowEpisode } = await import("../../shadow/episode.ts");
  return new ShadowEpisode(task, await pool.studio(task), { id: "stub", protocol: "standard", ...options });
}
