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
  readonly mask: Mask;
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
  const mask = maskWhere((x, y) => (x >= MASK_WIDTH / 2) === (side === "right") && maskAt(shadow, x, y));
  return { wrist: START_POSE[side].position, mask };
}

function bestPlace(hand: HandShadow, target: Mask, heights: readonly number[], covered: Mask | null) {
  let best: { placement: Placement; overlap: number } = {
    placement: { position: hand.wrist, degrees: 0 },
    overlap: -1,
  };
  const consider = (placement: Placement, step: number) => {
    const overlap = overlapOf(hand, placement, target, covered, step);
    if (overlap > best.overlap) best = { placement, overlap };
  };
  for (const z of heights) {
    for (let degrees = -150; degrees <= 180; degrees += 30) {
      for (let x = -0.55; x < 0.56; x += 0.05) {
        for (let y = -0.5; y < 0.51; y += 0.05) consider(placeAt(x, y, z, degrees), COARSE);
      }
    }
  }
  for (const [by, turn, step] of [[0.025, 15, FINE], [0.0125, 7.5, FINE]]) {
    const { placement: { position, degrees } } = best;
    best = { ...best, overlap: -1 };
    const larger = magnification(position[2]);
    for (const dx of [-by, 0, by]) {
      for (const dy of [-by, 0, by]) {
        for (const turned of [-turn, 0, turn]) {
          consider(
            placeAt(position[0] * larger + dx, position[1] * larger + dy, position[2], degrees + turned),
            step,
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

/** Intersection over union with the target, sampled every `step` pixels. */
function overlapOf(
  hand: HandShadow,
  placement: Placement,
  target: Mask,
  covered: Mask | null,
  step: number,
): number {
  const isDark = darkness(hand, placement);
  let both = 0;
  let either = 0;
  for (let y = step / 2; y < MASK_HEIGHT; y += step) {
    for (let x = step / 2; x < MASK_WIDTH; x += step) {
      const wanted = maskAt(target, x, y);
      const dark = (covered !== null && maskAt(covered, x, y)) || isDark(x, y);
      if (wanted && dark) both++;
      if (wanted || dark) either++;
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
function darkness({ wrist, mask }: HandShadow, { position, degrees }: Placement) {
  const [before, now] = [magnification(wrist[2]), magnification(position[2])];
  const [sine, cosine] = [Math.sin(degrees * Math.PI / 180), Math.cos(degrees * Math.PI / 180)];
  return (x: number, y: number): boolean => {
    const dx = (x + 0.5 - MASK_WIDTH / 2) / PIXELS_PER_METRE / now - position[0];
    const dy = (MASK_HEIGHT / 2 - y - 0.5) / PIXELS_PER_METRE / now - position[1];
    const along = cosine * dy - sine * dx;
    if (along < -FOREARM) return false;
    const column = ((cosine * dx + sine * dy) + wrist[0]) * before * PIXELS_PER_METRE + MASK_WIDTH / 2;
    const row = MASK_HEIGHT / 2 - (along + wrist[1]) * before * PIXELS_PER_METRE;
    // Below the screen's border the arm goes on as it is there.
    const [sx, sy] = [Math.floor(column), Math.min(MASK_HEIGHT - 1, Math.floor(row))];
    return sx >= 0 && sx < MASK_WIDTH && sy >= 0 && maskAt(mask, sx, sy);
  };
}
