/** Poses all over the stage, and what tests see of a painting before the stage is drawn around it. */
import { normalize } from "../../../env/quaternion.ts";
import { type Stream, stream } from "../../../env/random.ts";
import type { Gpu } from "../../../gpu/device.ts";
import { CONTROLS } from "../../../shadow/hand/controls.ts";
import type { Hands } from "../../../shadow/hand/hand_model.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import type { StageCamera } from "../../../shadow/pictures/camera.ts";
import type { PaintPass } from "../../../shadow/pictures/paint_pass.ts";
import { type HandPose, type Pose, SIDES } from "../../../shadow/pose.ts";

/** Wrists anywhere between screen and lamp, hands turned any way, joints anywhere in range. */
export function stagePoses(count: number, name: string): Pose[] {
  const draws = stream(0, "stage poses", name);
  return Array.from({ length: count }, () => ({ right: anyHand(draws), left: anyHand(draws) }));
}

/** World positions of both hands. [vertices, 3] each */
export function skins(hands: Hands, pose: Pose): Float64Array[] {
  return SIDES.map((side) => skinHand(hands[side], pose[side]));
}

/** Of each pixel: how many of its four samples hands cover, and whether the last of them is the left's. */
export interface Seen {
  readonly covered: Uint8Array;
  readonly left: boolean[];
}

export async function seenBy(gpu: Gpu, pass: PaintPass, pose: Pose, camera: StageCamera): Promise<Seen> {
  const painting = pass.paint([{ pose, camera }]);
  const [bytes] = await gpu.submit("test", painting.commands, [painting.pixels]);
  painting.destroy();
  const flags = new Uint8Array(bytes).filter((_, i) => i % 4 === 3);
  return { covered: flags.map((flag) => flag & 127), left: [...flags].map((flag) => flag >= 128) };
}

function anyHand(draws: Stream): HandPose {
  return {
    angles: CONTROLS.map(({ min, max }) => draws.range(min, max) * Math.PI / 180),
    position: [draws.range(-1, 1), draws.range(-0.8, 0.8), draws.range(0.3, 1.9)],
    orientation: normalize([draws.normal(), draws.normal(), draws.normal(), draws.normal()]),
  };
}
