/** The letters R and L on the forearms. */
import { drawText, textWidth } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import { add, scaled, type Vector3 } from "../../env/vector3.ts";
import { type Side, SIDES } from "../pose.ts";
import { projectPoint, type StageCamera } from "./camera.ts";
import { fillDisc, type Point } from "./ink.ts";
import { BADGE_TONES } from "./palette.ts";
import type { PosedHand, PosedHands } from "./posed_hands.ts";

/** Which hand a picture shows at a pixel, both coordinates whole. */
export type HandAt = (x: number, y: number) => Side | null;

/** Draws each letter on its own hand; none on a hand that the other hides. */
export function drawBadges(image: Image, camera: StageCamera, hands: PosedHands, handAt: HandAt): void {
  const [right, left] = SIDES.map((side) => badgePlace(camera, hands[side], (x, y) => handAt(x, y) === side));
  if (right !== null) drawBadge(image, right, "right");
  if (left !== null) drawBadge(image, left, "left");
}

/** The place on a hand, of a few, where most of a letter would lie on what is seen of the hand. */
function badgePlace(
  camera: StageCamera,
  { joints }: PosedHand,
  isOwn: (x: number, y: number) => boolean,
): Point | null {
  const { wrist, elbow, fingers } = joints;
  const places = [
    ...FOREARM_PLACES.map((share) => between(wrist, elbow, share)),
    between(wrist, fingers.middle[1], 0.5),
  ].map((place) => projectPoint(camera, place)).filter((place) => place !== null);
  const own = places.map(([x, y]) =>
    PROBES.filter(([dx, dy]) => isOwn(Math.floor(x + dx), Math.floor(y + dy))).length
  );
  const most = Math.max(...own);
  return most < LEAST_OWN ? null : places[own.indexOf(most)];
}

/** Of `PROBES`; fewer would put the letter on the other hand. */
const LEAST_OWN = 3;
/** Shares of the way from wrist to elbow. */
const FOREARM_PLACES = [0.36, 0.55, 0.75, 0.15];
const RADIUS = 12;
const PROBES: readonly Point[] = [[0, 0], [-8, 0], [8, 0], [0, -8], [0, 8]];
const WHITE = [255, 255, 255] as const;

function drawBadge(image: Image, [x, y]: Point, side: Side): void {
  const letter = side === "right" ? "R" : "L";
  fillDisc(image, [x, y], RADIUS, WHITE);
  fillDisc(image, [x, y], RADIUS - 1.5, BADGE_TONES[side]);
  drawText(image, Math.round(x - textWidth(letter) / 2), Math.round(y) - 7, letter, { color: WHITE });
}

function between(a: Vector3, b: Vector3, share: number): Vector3 {
  return add(scaled(a, 1 - share), scaled(b, share));
}
