/** A floor below the hands, for views from an angle: lines 10 cm apart, and each hand's place on it. */
import type { Color } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { SIDES } from "../pose.ts";
import { LAMP_Z } from "../stage/stage.ts";
import { projectPoint, type StageCamera } from "./camera.ts";
import { type Point, strokeLine } from "./ink.ts";
import { FOOTPRINT_TONES, STAGE } from "./palette.ts";
import type { PosedHands } from "./posed_hands.ts";

/** Nothing when the camera looks from below: the floor would hide the hands. */
export function drawFloor(image: Image, camera: StageCamera, hands: PosedHands): void {
  if (camera.toward[1] < LEAST_SLOPE) return;
  const y = floorHeight(hands);
  const stroke = (from: Vector3, to: Vector3, width: number, color: Color) => {
    const ends = [from, to].map((end) => projectPoint(camera, end)).filter((end): end is Point =>
      end !== null
    );
    if (ends.length === 2) strokeLine(image, ends[0], ends[1], width, color);
  };
  for (let i = -SIDE_LINES; i <= SIDE_LINES; i++) {
    stroke([i * STEP, y, 0], [i * STEP, y, LAMP_Z], i === 0 ? 2 : 1, STAGE.line);
  }
  for (let i = 0; i * STEP <= LAMP_Z; i++) {
    stroke([-SIDE_LINES * STEP, y, i * STEP], [SIDE_LINES * STEP, y, i * STEP], 1, STAGE.line);
  }
  for (const side of SIDES) {
    const { wrist, elbow, fingers } = hands[side].joints;
    const below = ([x, , z]: Vector3): Vector3 => [x, y, z];
    const path = [elbow, wrist, fingers.middle[1], fingers.middle[4]].map(below);
    path.slice(1).forEach((to, i) => stroke(path[i], to, LIMB * camera.scale, FOOTPRINT_TONES[side]));
    stroke(wrist, below(wrist), 1, STAGE.label);
  }
}

/** Sine of the least elevation from which a floor can be read. */
const LEAST_SLOPE = 0.05;
const STEP = 0.1;
/** Lines on each side of the middle. */
const SIDE_LINES = 12;
/** About as thick as a wrist, metres. */
const LIMB = 0.045;

/** The highest multiple of `STEP` that all skin lies above. */
function floorHeight(hands: PosedHands): number {
  let lowest = Infinity;
  for (const side of SIDES) {
    const { skin } = hands[side];
    for (let at = 1; at < skin.length; at += 3) lowest = Math.min(lowest, skin[at]);
  }
  return Math.floor(lowest / STEP) * STEP;
}
