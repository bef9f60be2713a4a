/** The two fixed things of the stage, or where they are when the picture does not reach them. */
import { drawText, textHeight, textWidth } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { LAMP_Z, SCREEN_HEIGHT, SCREEN_WIDTH } from "../stage/stage.ts";
import { projectPoint, type StageCamera } from "./camera.ts";
import { INSET } from "./framing.ts";
import { fillConvex, fillDisc, type Point, strokeLine } from "./ink.ts";
import { STAGE } from "./palette.ts";

/** The screen, its lit side or, where hands are behind it, its outline. */
export function drawScreen(image: Image, camera: StageCamera, how: "lit" | "outline"): void {
  const corners = CORNERS.map((corner) => projectPoint(camera, corner)).filter((corner) => corner !== null);
  if (how === "lit") fillConvex(image, corners, STAGE.screen);
  corners.forEach((corner, i) => {
    strokeLine(image, corner, corners[(i + 1) % corners.length], 2, STAGE.screenEdge);
  });
  nameThing(image, camera, "screen", corners);
}

/** The lamp, except along its own axis, where it would hide in or behind the hands. */
export function drawLamp(image: Image, camera: StageCamera): void {
  if (!camera.parallel || Math.abs(camera.toward[2]) > 0.97) return;
  const at = projectPoint(camera, [0, 0, LAMP_Z]);
  if (at === null) return;
  fillDisc(image, at, 8, STAGE.screenEdge);
  fillDisc(image, at, 6, STAGE.lamp);
  nameThing(image, camera, "lamp", [at]);
}

const CORNERS: readonly Vector3[] = [[-1, 1], [1, 1], [1, -1], [-1, -1]].map((
  [x, y],
) => [x * SCREEN_WIDTH / 2, y * SCREEN_HEIGHT / 2, 0]);

/** A thing's name beside it, or an arrow to it at the border. */
function nameThing(
  image: Image,
  { width, height }: StageCamera,
  name: string,
  shape: readonly Point[],
): void {
  const inside = ([x, y]: Point) => x >= 0 && x < width && y >= 0 && y < height;
  const style = { color: STAGE.screenEdge };
  const visible = shape.filter(inside);
  if (visible.length > 0) {
    const [x, y] = visible.reduce((low, point) => point[1] > low[1] ? point : low);
    const left = Math.min(width - textWidth(name) - 6, Math.max(6, Math.round(x - textWidth(name) - 8)));
    const top = Math.min(height - 2 * textHeight() - 8, Math.round(y) - textHeight() - 4);
    drawText(image, left, top, name, style);
    return;
  }
  const centre: Point = [width / 2, height / 2];
  const mean: Point = [0, 1].map((k) => shape.reduce((sum, p) => sum + p[k], 0) / shape.length) as never;
  const [dx, dy] = [mean[0] - centre[0], mean[1] - centre[1]];
  const [left, right, top, bottom] = [14, width - 14, INSET.top + 14, height - 34];
  const share = Math.min(
    dx === 0 ? Infinity : ((dx > 0 ? right : left) - centre[0]) / dx,
    dy === 0 ? Infinity : ((dy > 0 ? bottom : top) - centre[1]) / dy,
  );
  const tip: Point = [centre[0] + share * dx, centre[1] + share * dy];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  strokeLine(image, [tip[0] - 22 * ux, tip[1] - 22 * uy], tip, 3, STAGE.screenEdge);
  fillConvex(image, [
    [tip[0] + 4 * ux, tip[1] + 4 * uy],
    [tip[0] - 8 * ux - 7 * uy, tip[1] - 8 * uy + 7 * ux],
    [tip[0] - 8 * ux + 7 * uy, tip[1] - 8 * uy - 7 * ux],
  ], STAGE.screenEdge);
  const textX = Math.min(
    width - textWidth(name) - 6,
    Math.max(6, Math.round(tip[0] - 30 * ux - (ux > 0 ? textWidth(name) : 0))),
  );
  drawText(
    image,
    Math.abs(ux) > 0.5 ? (ux > 0 ? width - textWidth(name) - 6 : 6) : textX + 16,
    Math.round(tip[1] - (Math.abs(ux) > 0.5 ? 30 : 10)),
    name,
    style,
  );
}
