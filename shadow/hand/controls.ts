/** The 23 joint controls of a hand: names, published order and ranges. Angles are relative to the relaxed rest pose. */

export const FINGERS = ["index", "middle", "ring", "little"] as const;
export type Finger = typeof FINGERS[number];

export interface Control {
  /** As tools and prompts name it. */
  readonly name: string;
  /** Degrees, inclusive. */
  readonly min: number;
  readonly max: number;
  /** Which way + goes. */
  readonly positive: string;
}

const FINGER_SPREADS: Record<Finger, { min: number; max: number; positive: string }> = {
  index: { min: -14, max: 18, positive: "away from the middle finger" },
  middle: { min: -14, max: 14, positive: "toward the thumb" },
  ring: { min: -14, max: 18, positive: "away from the middle finger" },
  little: { min: -14, max: 25, positive: "away from the middle finger" },
};

/** In published order (`ALIASES`). Ranges: `docs/hands.md`, "Joint ranges". */
export const CONTROLS: readonly Control[] = [
  { name: "wrist.flex", min: -55, max: 60, positive: "toward the palm" },
  { name: "wrist.bend", min: -25, max: 18, positive: "toward the thumb" },
  {
    name: "forearm.roll",
    min: -70,
    max: 75,
    positive: "supination: the thumb turns away from the other hand",
  },
  { name: "thumb.abd", min: -15, max: 40, positive: "out of the plane of the palm" },
  { name: "thumb.flex", min: -25, max: 35, positive: "across the palm" },
  { name: "thumb.mcp", min: -8, max: 45, positive: "curl" },
  { name: "thumb.ip", min: -15, max: 65, positive: "curl" },
  ...FINGERS.flatMap((finger) => [
    { name: `${finger}.mcp`, min: -25, max: 82, positive: "curl toward the palm" },
    { name: `${finger}.spread`, ...FINGER_SPREADS[finger] },
    { name: `${finger}.pip`, min: -6, max: 95, positive: "curl toward the palm" },
    { name: `${finger}.dip`, min: -5, max: 65, positive: "curl toward the palm" },
  ]),
];

/** Control names in the order of a pose's angles, one hand. */
export const ALIASES: readonly string[] = CONTROLS.map(({ name }) => name);

/** Index of a control in a hand's angles; the caller knows its name. */
export function controlIndex(name: string): number {
  return INDEX.get(name) ?? NaN;
}

const INDEX: ReadonlyMap<string, number> = new Map(ALIASES.map((name, i) => [name, i]));

/** The least share of its upper range that a finger's spread keeps, however bent, and the bend that takes all else. */
const SPREAD_FLOOR = 0.15;
const SPREAD_BEND_DEG = 80;

/** Largest spread of a finger in degrees while its knuckle (mcp) is bent by `mcpDeg`; only the upper side shrinks. */
export function spreadLimitDeg(finger: Finger, mcpDeg: number): number {
  return FINGER_SPREADS[finger].max * Math.max(SPREAD_FLOOR, 1 - Math.max(0, mcpDeg) / SPREAD_BEND_DEG);
}
