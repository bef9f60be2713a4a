/** What a look shows, read from its pixels as a model would see them. */
import type { Image } from "../../env/image.ts";
import { LOOK_PANELS } from "../pictures/look.ts";
import { MASK_TONES } from "../pictures/palette.ts";
import { type Mask, maskWhere } from "../stage/mask.ts";

export interface SeenStage {
  readonly target: Mask;
  readonly shadow: Mask;
}

/** The two silhouettes of a look; titles leave a few pixels in both. */
export function readLook(image: Image): SeenStage {
  return { target: inkIn(image, LOOK_PANELS.target), shadow: inkIn(image, LOOK_PANELS.shadow) };
}

function inkIn({ width, data }: Image, panel: { x: number; y: number }): Mask {
  const [r, g, b] = MASK_TONES.ink;
  return maskWhere((x, y) => {
    const at = 3 * ((panel.y + y) * width + panel.x + x);
    return data[at] === r && data[at + 1] === g && data[at + 2] === b;
  });
}
