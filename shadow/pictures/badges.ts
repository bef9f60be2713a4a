/** The letters R and L on the forearms. */
import { drawText, textWidth } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import { add, scaled } from "../../env/vector3.ts";
import { jointPositions } from "../hand/directions.ts";
import type { Hands } from "../hand/hand_model.ts";
import { type Pose, type Side, SIDES } from "../pose.ts";
import { projectPoint, type StageCamera } from "./camera.ts";
import { fillDisc, type Point } from "./ink.ts";
import { BADGE_TONES } from "./palette.ts";

/** Draws them a third of the way from wrist to elbow, beside each other where one would hide the other. */
export function drawBadges(image: Image, camera: StageCamera, hands: Hands, pose: Pose): void {
  const [right, left] = SIDES.map((side) => badgePlace(camera, hands, pose, side));
  const places = apart(right, left);
  SIDES.forEach((side, i) => {
    const at = places[i];
    if (at !== null) drawBadge(image, at, side);
  });
}

/** Where on its forearm a hand's letter belongs. */
export function badgePlace(camera: StageCamera, hands: Hands, pose: Pose, side: Side): Point | null {
  const { wrist, elbow } = jointPositions(hands[side], pose[side]);
  return projectPoint(camera, add(scaled(wrist, 1 - ALONG), scaled(elbow, ALONG)));
}

const ALONG = 0.36;
const RADIUS = 12;

function drawBadge(image: Image, [x, y]: Point, side: Side): void {
  const letter = side === "right" ? "R" : "L";
  fillDisc(image, [x, y], RADIUS, [255, 255, 255]);
  fillDisc(image, [x, y], RADIUS - 1.5, BADGE_TONES[side]);
  const left = Math.round(x - textWidth(letter) / 2);
  drawText(image, left, Math.round(y) - 7, letter, { color: [255, 255, 255] });
}

function apart(a: Point | null, b: Point | null): [Point | null, Point | null] {
  if (a === null || b === null) return [a, b];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const distance = Math.hypot(dx, dy);
  const least = 2 * RADIUS + 2;
  if (distance >= least) return [a, b];
  const [ux, uy] = distance < 1 ? [1, 0] : [dx / distance, dy / distance];
  const push = (least - distance) / 2;
  return [[a[0] - push * ux, a[1] - push * uy], [b[0] + push * ux, b[1] + push * uy]];
}
