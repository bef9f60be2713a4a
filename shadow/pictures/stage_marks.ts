/** What surrounds the hands on a picture: a grid with metres, screen and lamp, and a letter on each forearm. */
import type { Image } from "../../env/image.ts";
import { blankImage } from "../../env/image.ts";
import type { Hands } from "../hand/hand_model.ts";
import type { Pose } from "../pose.ts";
import { drawBadges } from "./badges.ts";
import type { StageCamera } from "./camera.ts";
import { drawFloor } from "./floor_grid.ts";
import { drawPlanGrid, isPlan } from "./plan_grid.ts";
import { drawLamp, drawScreen } from "./lamp_and_screen.ts";
import { STAGE } from "./palette.ts";

/** The stage without hands, except for a screen that would hide them. */
export function drawBehind(camera: StageCamera, hands: Hands, pose: Pose): Image {
  const image = blankImage(camera.width, camera.height, STAGE.air);
  if (isPlan(camera)) drawPlanGrid(image, camera);
  else if (camera.parallel) drawFloor(image, camera, hands, pose);
  if (seesLitSide(camera)) drawScreen(image, camera, "lit");
  drawLamp(image, camera);
  return image;
}

/** Outlines of what lies between camera and hands, and the hands' letters. */
export function drawInFront(image: Image, camera: StageCamera, hands: Hands, pose: Pose): void {
  if (!seesLitSide(camera)) drawScreen(image, camera, "outline");
  drawBadges(image, camera, hands, pose);
}

/** Whether the camera is on the lamp's side of the screen, where all hands are before it; edge-on counts. */
function seesLitSide({ toward }: StageCamera): boolean {
  return toward[2] >= 0;
}
