/** The stage: lamp, screen and scored mask. x right, y up, z toward the lamp; the screen is the plane z = 0. */

/** Metres. */
export const LAMP_Z = 2.5;
export const SCREEN_WIDTH = 0.8;
export const SCREEN_HEIGHT = 0.6;

/** Pixels of the mask; row 0 is at the top, a pixel's value is that of its centre. */
export const MASK_WIDTH = 512;
export const MASK_HEIGHT = 384;
export const PIXELS_PER_METRE = MASK_WIDTH / SCREEN_WIDTH;

/** Skin may not come nearer to the screen, or to the lamp, than this; metres. */
export const SKIN_MIN_Z = 0.005;
export const SKIN_MAX_Z = 2.3;

/** Where a wrist may be, metres, inclusive. */
export const WRIST_BOX = { x: [-1, 1], y: [-0.8, 0.8], z: [0.1, 2.2] } as const;

/** How many times larger a shadow is than what casts it, at height z above the screen. */
export function magnification(z: number): number {
  return LAMP_Z / (LAMP_Z - z);
}
