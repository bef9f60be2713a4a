/** The two fixed things of the stage, or where they are when the picture does not reach them. */
import { drawText, textHeight, textWidth } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { clipPolygon } from "../stage/clip_polygon.ts";
import { LAMP_Z, SCREEN_HEIGHT, SCREEN_WIDTH } from "../stage/stage.ts";
import { projectPoint, type StageCamera } from "./camera.ts";
import { INSET } from "./framing.ts";
import { fillConvex, fillDisc, type Point, strokeLine } from "./ink.ts";
import { STAGE } from "./palette.ts";

/** The screen's lit side, or its outline where hands are behind it. */
export function drawScreen(image: Image, camera: StageCamera, how: "lit" | "outline"): void {
  const corners = SCREEN_CORNERS.map((corner) => projectPoint(camera, corner) ?? OUTSIDE);
  if (how === "lit") fillConvex(image, corners, STAGE.screen);
  corners.forEach((corner, i) => strokeLine(image, corners.at(i - 1) ?? corner, corner, 2, STAGE.edge));
  const seen = clipToPicture(corners, camera);
  if (seen.length === 0) pointTo(image, camera, middle(corners), "screen");
  else nameShape(image, camera, seen, "screen");
}

/** The lamp; not in views along its axis, where it would be in or behind the hands. */
export function drawLamp(image: Image, camera: StageCamera): void {
  if (Math.abs(camera.toward[2]) > ALONG_AXIS) return;
  const at = projectPoint(camera, [0, 0, LAMP_Z]) ?? OUTSIDE;
  if (clipToPicture([at], camera).length === 0) return pointTo(image, camera, at, "lamp");
  fillDisc(image, at, 8, STAGE.edge);
  fillDisc(image, at, 6, STAGE.lamp);
  nameShape(image, camera, [[at[0] - 8, at[1] - 8], [at[0] + 8, at[1] + 8]], "lamp");
}

const ALONG_AXIS = 0.97;
const OUTSIDE: Point = [-1e6, -1e6];
const [HALF_WIDTH, HALF_HEIGHT] = [SCREEN_WIDTH / 2, SCREEN_HEIGHT / 2];
const SCREEN_CORNERS: readonly Vector3[] = [
  [-HALF_WIDTH, HALF_HEIGHT, 0],
  [HALF_WIDTH, HALF_HEIGHT, 0],
  [HALF_WIDTH, -HALF_HEIGHT, 0],
  [-HALF_WIDTH, -HALF_HEIGHT, 0],
];

/** Corners of what the picture shows of a convex shape. */
function clipToPicture(corners: readonly Point[], { width, height }: StageCamera): Point[] {
  const sides: ((p: Vector3) => number)[] = [
    ([x]) => x,
    ([, y]) => y,
    ([x]) => width - x,
    ([, y]) => height - y,
  ];
  const flat = corners.map(([x, y]): Vector3 => [x, y, 0]);
  return sides.reduce<readonly Vector3[]>(clipPolygon, flat).map(([x, y]) => [x, y]);
}

function middle(points: readonly Point[]): Point {
  const sum = points.reduce(([x, y], p) => [x + p[0], y + p[1]], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

/** The name in the shape's upper right corner, or to the left of a shape too thin for it. */
function nameShape(image: Image, { width, height }: StageCamera, shape: readonly Point[], name: string) {
  const [xs, ys] = [shape.map(([x]) => x), shape.map(([, y]) => y)];
  const [left, right, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys)];
  const inside = right - left > textWidth(name) + 2 * GAP;
  const x = Math.round(inside ? right - textWidth(name) - GAP : left - textWidth(name) - GAP);
  const y = Math.round(top) + GAP;
  drawText(
    image,
    Math.max(GAP, Math.min(x, width - textWidth(name) - GAP)),
    Math.max(GAP, Math.min(y, height - 2 * textHeight() - GAP)),
    name,
    { color: STAGE.edge },
  );
}

/** An arrow with a name, in the corner of the picture that lies that way. */
function pointTo(image: Image, { width, height }: StageCamera, target: Point, name: string): void {
  const [dx, dy] = [target[0] - width / 2, target[1] - height / 2];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const [atLeft, atTop] = [ux < -0.5, uy < -0.7];
  const centre: Point = [
    atLeft ? ARROW : width - ARROW,
    atTop ? INSET.top + ARROW : height - INSET.bottom - ARROW,
  ];
  const along = (distance: number, across: number): Point => [
    centre[0] + distance * ux - across * uy,
    centre[1] + distance * uy + across * ux,
  ];
  strokeLine(image, along(-10, 0), along(4, 0), 3, STAGE.edge);
  fillConvex(image, [along(11, 0), along(1, 7), along(1, -7)], STAGE.edge);
  const x = atLeft ? 2 * ARROW : width - 2 * ARROW - textWidth(name);
  drawText(image, x, Math.round(centre[1] - textHeight() / 2) + 1, name, { color: STAGE.edge });
}

const GAP = 6;
/** Half the room of an arrow. */
const ARROW = 14;
