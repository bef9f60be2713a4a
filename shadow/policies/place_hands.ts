/** Where hands that keep their shape should stand, guessed from pictures alone: shadows are moved, turned and scaled. */
import type { Vector3 } from "../../env/vector3.ts";
import { type Side, SIDES, START_POSE } from "../pose.ts";
import { type Mask, maskAt, maskWhere } from "../stage/mask.ts";
import { magnification, MASK_HEIGHT, MASK_WIDTH, PIXELS_PER_METRE } from "../stage/stage.ts";
import type { SeenStage } from "./read_look.ts";

/** A wrist, and how far the hand is turned about z from the start, degrees. */
export interface Placement {
  readonly position: Vector3;
  readonly degrees: number;
}

/** Where each hand should stand; null for one that is better out of the light. */
export type Placements = Readonly<Record<Side, Placement | null>>;

/** One hand's shadow at the start. */
interface HandShadow {
  readonly wrist: Vector3;
  /** 1 where it falls. [384, 512] */
  readonly dark: Uint8Array;
}

/** Pixels between samples: coarse for the search, finer around its best. */
const COARSE = 16;
const FINE = 8;
/** A second hand must gain this much overlap. */
const WORTH_A_HAND = 0.02;
/** Hands at these heights pass each other. */
const HEIGHTS: Readonly<Record<Side, readonly number[]>> = { right: [1, 1.25], left: [0.5, 0.75] };
/** What one hand alone may stand at. */
const ALONE: readonly number[] = [0.4, 0.7, 1, 1.3];

/** The best places for one hand or both, by the overlap that their shadows would have with the target. */
export function placeHands({ target, shadow }: SeenStage): Placements {
  const shadows = Object.fromEntries(SIDES.map((side) => [side, shadowOf(side, shadow)]));
  const alone = SIDES.map((side) => ({ side, ...bestPlace(shadows[side], target, ALONE, null) }));
  const pairs = SIDES.map((first) => {
    const one = bestPlace(shadows[first], target, HEIGHTS[first], null);
    const second = first === "right" ? "left" : "right";
    const covered = maskOf(shadows[first], one.placement);
    return { first, one, second, ...bestPlace(shadows[second], target, HEIGHTS[second], covered) };
  });
  const single = alone[0].overlap >= alone[1].overlap ? alone[0] : alone[1];
  const pair = pairs[0].overlap >= pairs[1].overlap ? pairs[0] : pairs[1];
  const none: Placements = { right: null, left: null };
  if (pair.overlap < single.overlap + WORTH_A_HAND) return { ...none, [single.side]: single.placement };
  return { ...none, [pair.first]: pair.one.placement, [pair.second]: pair.placement };
}

/** At the start the hands' shadows share no column of the screen. */
function shadowOf(side: Side, shadow: Mask): HandShadow {
  const dark = Uint8Array.from({ length: MASK_WIDTH * MASK_HEIGHT }, (_, i) => {
    const [x, y] = [i % MASK_WIDTH, Math.floor(i / MASK_WIDTH)];
    return Number((x >= MASK_WIDTH / 2) === (side === "right") && maskAt(shadow, x, y));
  });
  return { wrist: START_POSE[side].position, dark };
}

function bestPlace(hand: HandShadow, target: Mask, heights: readonly number[], covered: Mask | null) {
  let best: { placement: Placement; overlap: number } = {
    placement: { position: hand.wrist, degrees: 0 },
    overlap: -1,
  };
  const [coarse, fine] = [COARSE, FINE].map((step) => samplesOf(target, covered, step));
  const consider = (placement: Placement, samples: Samples) => {
    const overlap = overlapOf(hand, placement, samples);
    if (overlap > best.overlap) best = { placement, overlap };
  };
  for (const z of heights) {
    for (let degrees = -150; degrees <= 180; degrees += 30) {
      for (let x = -0.55; x < 0.56; x += 0.05) {
        for (let y = -0.5; y < 0.51; y += 0.05) consider(placeAt(x, y, z, degrees), coarse);
      }
    }
  }
  for (const [by, turn] of [[0.025, 15], [0.0125, 7.5]]) {
    const { placement: { position, degrees } } = best;
    best = { ...best, overlap: -1 };
    const larger = magnification(position[2]);
    for (const dx of [-by, 0, by]) {
      for (const dy of [-by, 0, by]) {
        for (const turned of [-turn, 0, turn]) {
          consider(
            placeAt(position[0] * larger + dx, position[1] * larger + dy, position[2], degrees + turned),
            fine,
          );
        }
      }
    }
  }
  return best;
}

/** The wrist at height z whose shadow is at (x, y) on the screen. */
function placeAt(x: number, y: number, z: number, degrees: number): Placement {
  const larger = magnification(z);
  return { position: [x / larger, y / larger, z], degrees };
}

/** What is wanted, and dark already, at the middle of every square of `step` pixels. */
interface Samples {
  readonly step: number;
  readonly wanted: Uint8Array;
  readonly covered: Uint8Array;
}

function samplesOf(target: Mask, covered: Mask | null, step: number): Samples {
  const [columns, rows] = [MASK_WIDTH / step, MASK_HEIGHT / step];
  const sampled = (mask: Mask | null) =>
    Uint8Array.from({ length: columns * rows }, (_, i) => {
      const [x, y] = [(i % columns + 0.5) * step, (Math.floor(i / columns) + 0.5) * step];
      return Number(mask !== null && maskAt(mask, x, y));
    });
  return { step, wanted: sampled(target), covered: sampled(covered) };
}

/** Intersection over union with the target that a hand's shadow would have there. */
function overlapOf(hand: HandShadow, placement: Placement, { step, wanted, covered }: Samples): number {
  const isDark = darkness(hand, placement);
  let both = 0;
  let either = 0;
  let at = 0;
  for (let y = step / 2; y < MASK_HEIGHT; y += step) {
    for (let x = step / 2; x < MASK_WIDTH; x += step, at++) {
      const dark = covered[at] === 1 || isDark(x, y);
      if (dark && wanted[at] === 1) both++;
      if (dark || wanted[at] === 1) either++;
    }
  }
  return either === 0 ? 0 : both / either;
}

function maskOf(hand: HandShadow, placement: Placement): Mask {
  return maskWhere(darkness(hand, placement));
}

/** Arms are about this long, metres; the start shows less of them. */
const FOREARM = 0.2;

/** Whether a pixel would be dark: it is looked up where the same part of the hand fell at the start. */
function darkness({ wrist, dark }: HandShadow, { position, degrees }: Placement) {
  const larger = magnification(wrist[2]);
  const shrunk = larger / magnification(position[2]);
  const sine = Math.sin(degrees * Math.PI / 180), cosine = Math.cos(degrees * Math.PI / 180);
  const pixel = larger * PIXELS_PER_METRE;
  // The way from the wrist's shadow there to the pixel, turned back and shrunk, from the wrist's shadow at the start.
  const middleX = MASK_WIDTH / 2 - 0.5 + position[0] * pixel / shrunk;
  const middleY = MASK_HEIGHT / 2 - 0.5 - position[1] * pixel / shrunk;
  const startX = MASK_WIDTH / 2 + wrist[0] * pixel, startY = MASK_HEIGHT / 2 - wrist[1] * pixel;
  const lowest = startY + FOREARM * pixel;
  return (x: number, y: number): boolean => {
    const dx = (x - middleX) * shrunk, dy = (y - middleY) * shrunk;
    const row = startY + cosine * dy + sine * dx;
    if (row < 0 || row > lowest) return false;
    const column = startX + cosine * dx - sine * dy;
    if (column < 0 || column >= MASK_WIDTH) return false;
    // Below the screen's border the arm goes on as it is there.
    return dark[Math.min(MASK_HEIGHT - 1, row | 0) * MASK_WIDTH + (column | 0)] === 1;
  };
}
