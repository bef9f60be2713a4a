/** Colours of the pictures, sRGB. */
import type { Color } from "../../env/draw.ts";
import type { Side } from "../pose.ts";

/** Of the skin where light falls on it squarely: two tones that no shading brings near each other. */
export const HAND_TONES: Readonly<Record<Side, Color>> = {
  right: [244, 192, 150],
  left: [170, 104, 78],
};

/** Of a hand's letter. */
export const BADGE_TONES: Readonly<Record<Side, Color>> = {
  right: [176, 92, 30],
  left: [74, 34, 26],
};

/** Of a hand's place on the floor. */
export const FOOTPRINT_TONES: Readonly<Record<Side, Color>> = {
  right: [243, 221, 203],
  left: [214, 198, 196],
};

export const STAGE = {
  air: [236, 239, 244],
  line: [214, 219, 228],
  label: [92, 102, 122],
  screen: [252, 247, 232],
  edge: [150, 132, 84],
  lamp: [255, 205, 60],
} as const satisfies Record<string, Color>;

export const MASK_TONES = {
  ink: [24, 22, 28],
  paper: [250, 243, 224],
  missing: [214, 40, 40],
  extra: [36, 92, 220],
  common: [168, 168, 168],
  neither: [255, 255, 255],
} as const satisfies Record<string, Color>;

/** Of `look`'s page. */
export const PAGE = {
  title: [40, 36, 44],
  seam: [96, 96, 104],
  paper: [255, 255, 255],
} as const satisfies Record<string, Color>;

export const BOOK = {
  ink: [38, 30, 26],
  paper: [243, 234, 212],
  aged: [214, 192, 150],
} as const satisfies Record<string, Color>;
