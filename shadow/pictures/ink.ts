/** Smooth lines, discs and polygons on pictures. Coordinates are pixels, their centres at +0.5; all clips at the borders. */
import type { Color } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";

export type Point = readonly [x: number, y: number];

/** A line with round ends. */
export function strokeLine(
  image: Image,
  [ax, ay]: Point,
  [bx, by]: Point,
  width: number,
  color: Color,
  opacity = 1,
): void {
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const reach = width / 2 + 0.5;
  /** Columns near the part of the line that lies near row y: a box around a long slanted line would be mostly empty. */
  const span = (y: number): Span => {
    const ends = [y - reach, y + reach].map((edge) => dy === 0 ? 0 : clamp((edge - ay) / dy));
    const [from, to] = dy === 0 ? [ax, bx] : ends.map((t) => ax + t * dx);
    return [Math.min(from, to) - reach, Math.max(from, to) + reach];
  };
  paint(image, [Math.min(ay, by) - reach, Math.max(ay, by) + reach], span, color, opacity, (x, y) => {
    const along = squared === 0 ? 0 : clamp(((x - ax) * dx + (y - ay) * dy) / squared);
    return reach - Math.hypot(x - ax - along * dx, y - ay - along * dy);
  });
}

/** A disc. */
export function fillDisc(image: Image, [cx, cy]: Point, radius: number, color: Color): void {
  const reach = radius + 0.5;
  paint(
    image,
    [cy - reach, cy + reach],
    () => [cx - reach, cx + reach],
    color,
    1,
    (x, y) => reach - Math.hypot(x - cx, y - cy),
  );
}

/** A convex polygon, corners in either order. */
export function fillConvex(image: Image, corners: readonly Point[], color: Color, opacity = 1): void {
  const area = corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    return sum + x * nextY - y * nextX;
  }, 0);
  const sides = corners.map(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    const k = Math.sign(area) / Math.max(1e-9, Math.hypot(nextX - x, nextY - y));
    return { x, y, a: -k * (nextY - y), b: k * (nextX - x) };
  });
  const around = (values: number[]): Span => [Math.min(...values) - 1, Math.max(...values) + 1];
  const columns = around(corners.map(([x]) => x));
  paint(
    image,
    around(corners.map(([, y]) => y)),
    () => columns,
    color,
    opacity,
    (px, py) =>
      0.5 + sides.reduce((least, { x, y, a, b }) => Math.min(least, a * (px - x) + b * (py - y)), 1),
  );
}

type Span = readonly [from: number, to: number];

/** Blends `color` over pixels by a coverage, which is clamped to [0, 1], times the opacity. */
function paint(
  image: Image,
  [top, bottom]: Span,
  columns: (y: number) => Span,
  color: Color,
  opacity: number,
  coverage: (x: number, y: number) => number,
): void {
  const last = Math.min(image.height - 1, Math.floor(bottom));
  for (let y = Math.max(0, Math.floor(top)); y <= last; y++) {
    const [left, right] = columns(y + 0.5);
    const end = Math.min(image.width - 1, Math.floor(right));
    for (let x = Math.max(0, Math.floor(left)); x <= end; x++) {
      const share = opacity * clamp(coverage(x + 0.5, y + 0.5));
      if (share > 0) blend(image, (y * image.width + x) * 3, color, share);
    }
  }
}

function blend({ data }: Image, at: number, color: Color, share: number): void {
  for (let c = 0; c < 3; c++) data[at + c] = Math.round(data[at + c] + share * (color[c] - data[at + c]));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
