/** A floor below the hands, for views from an angle: lines 10 cm apart, and where each hand is above it. */
import type { Image } from "../../env/image.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { jointPositions } from "../hand/directions.ts";
import type { Hands } from "../hand/hand_model.ts";
import { skinHand } from "../hand/skin.ts";
import { type Pose, SIDES } from "../pose.ts";
import { LAMP_Z } from "../stage/stage.ts";
import { projectPoint, type StageCamera } from "./camera.ts";
import { strokeLine } from "./ink.ts";
import { HAND_TONES, STAGE } from "./palette.ts";

/** Nothing when the camera looks from below: the floor would hide the hands. */
export function drawFloor(image: Image, camera: StageCamera, hands: Hands, pose: Pose): void {
  if (camera.toward[1] < 0.05) return;
  const y = floorHeight(hands, pose);
  const line = (
    from: Vector3,
    to: Vector3,
    width: number,
    color = STAGE.line as readonly [number, number, number],
    opacity = 1,
  ) => {
    const [a, b] = [projectPoint(camera, from), projectPoint(camera, to)];
    if (a !== null && b !== null) strokeLine(image, a, b, width, color, opacity);
  };
  for (let i = -HALF; i <= HALF; i++) line([i * STEP, y, 0], [i * STEP, y, LAMP_Z], i === 0 ? 2 : 1);
  for (let i = 0; i <= LAMP_Z / STEP; i++) line([-HALF * STEP, y, i * STEP], [HALF * STEP, y, i * STEP], 1);
  for (const side of SIDES) {
    const { wrist, elbow, fingers } = jointPositions(hands[side], pose[side]);
    const down = ([x, , z]: Vector3): Vector3 => [x, y, z];
    const tip = fingers.middle[4];
    line(down(elbow), down(wrist), 0.05 * camera.scale, HAND_TONES[side], 0.3);
    line(down(wrist), down(tip), 0.05 * camera.scale, HAND_TONES[side], 0.3);
    line(wrist, down(wrist), 1, STAGE.label, 0.6);
  }
}

const STEP = 0.1;
const HALF = 10;

/** The highest multiple of `STEP` that all skin lies above. */
function floorHeight(hands: Hands, pose: Pose): number {
  let lowest = Infinity;
  for (const side of SIDES) {
    const positions = skinHand(hands[side], pose[side]);
    for (let at = 1; at < positions.length; at += 3) lowest = Math.min(lowest, positions[at]);
  }
  return Math.floor(lowest / STEP) * STEP;
}
