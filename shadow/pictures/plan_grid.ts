/** Labelled lines of a view along an axis of the world: a length can be read off anywhere. */
import { drawText, textHeight, textWidth } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import { decimal } from "../../env/numbers.ts";
import { scaled, type Vector3 } from "../../env/vector3.ts";
import { projectPoint, type StageCamera } from "./camera.ts";
import { INSET } from "./framing.ts";
import { strokeLine } from "./ink.ts";
import { STAGE } from "./palette.ts";

/** Whether the picture's axes are axes of the world. */
export function isPlan({ parallel, right, up }: StageCamera): boolean {
  return parallel && worldAxis(right) !== null && worldAxis(up) !== null;
}

/** Lines a round number of metres apart, their coordinates at the left and lower border. */
export function drawPlanGrid(image: Image, camera: StageCamera): void {
  const { width, height } = camera;
  const step = gridStep(camera.scale);
  const columns = gridLines(camera, camera.right, step, 0, width);
  const rows = gridLines(camera, camera.up, step, 1, height);
  for (const { at } of columns) strokeLine(image, [at, 0], [at, height], 1, STAGE.line);
  for (const { at } of rows) strokeLine(image, [0, at], [width, at], 1, STAGE.line);
  const bottom = height - textHeight() - 2;
  const style = { color: STAGE.label, background: STAGE.air };
  for (const { at, label } of rows) {
    const y = Math.round(at - textHeight() / 2) + 1;
    if (y > INSET.top && y < bottom - 2 * textHeight()) drawText(image, 8, y, label, style);
  }
  for (const { at, label } of columns) {
    const x = Math.round(at - textWidth(label) / 2);
    if (x > 4 && x + textWidth(label) < width - 4) drawText(image, x, bottom, label, style);
  }
}

interface GridLine {
  at: number;
  label: string;
}

const LEAST_SPACING = 76;

/** Metres between lines, so that labels do not touch. */
export function gridStep(scale: number): number {
  return [0.1, 0.2, 0.5, 1, 2, 5].find((step) => step * scale >= LEAST_SPACING) ?? 10;
}

/** Lines across the picture's axis 0 (columns) or 1 (rows), `axis` being that axis in the world. */
function gridLines(
  camera: StageCamera,
  axis: Vector3,
  step: number,
  along: 0 | 1,
  length: number,
): GridLine[] {
  const name = worldAxis(axis) ?? "";
  const direction: Vector3 = [Math.abs(axis[0]), Math.abs(axis[1]), Math.abs(axis[2])];
  const lines: GridLine[] = [];
  for (let i = -REACH; i <= REACH; i++) {
    const at = projectPoint(camera, scaled(direction, i * step))?.[along];
    if (at === undefined || at < 0 || at > length) continue;
    lines.push({ at: Math.round(at) + 0.5, label: `${name} ${decimal(i * step, 1)}`.replace("-", "−") });
  }
  return lines;
}

/** Lines on each side of the origin: enough for the widest stage. */
const REACH = 60;

function worldAxis(axis: Vector3): "x" | "y" | "z" | null {
  const at = axis.findIndex((component) => Math.abs(component) === 1);
  return at === -1 ? null : (["x", "y", "z"] as const)[at];
}
