/** What surrounds the hands on a picture: grid or floor, screen and lamp, and a letter on each forearm. */
import { blankImage, type Image } from "../../env/image.ts";
import { drawBadges, type HandAt } from "./badges.ts";
import type { StageCamera } from "./camera.ts";
import { drawFloor } from "./floor_grid.ts";
import { drawLamp, drawScreen } from "./lamp_and_screen.ts";
import { STAGE } from "./palette.ts";
import { drawPlanGrid, isPlan } from "./plan_grid.ts";
import type { PosedHands } from "./posed_hands.ts";

/** The stage behind the hands. All skin lies between screen and lamp, so that no depths need to be compared. */
export function drawBehind(camera: StageCamera, hands: PosedHands): Image {
  const image = blankImage(camera.width, camera.height, STAGE.air);
  if (isPlan(camera)) drawPlanGrid(image, camera);
  else if (camera.parallel) drawFloor(image, camera, hands);
  if (isLampSide(camera)) drawScreen(image, camera, "lit");
  else drawLamp(image, camera);
  return image;
}

/** What lies between camera and hands, and the hands' letters. */
export function drawInFront(image: Image, camera: StageCamera, hands: PosedHands, handAt: HandAt): void {
  if (isLampSide(camera)) drawLamp(image, camera);
  else drawScreen(image, camera, "outline");
  drawBadges(image, camera, hands, handAt);
}

/** Edge-on counts: neither can hide anything then. */
function isLampSide({ toward }: StageCamera): boolean {
  return toward[2] >= 0;
}
