/** Titles in Roman capitals, written with a broad nib. */
import type { Point } from "./ink.ts";
import { engraveConvex, engraveLine, type Plate } from "./plate.ts";
import { capital } from "./roman_capitals.ts";

/** Writes a line centred on x, its baseline at y: capitals `height` pixels high, small letters as smaller capitals. */
export function drawTitleLine(
  plate: Plate,
  [x, y]: Point,
  text: string,
  height: number,
): void {
  let left = x - titleWidth(text, height) / 2;
  for (const { character, size } of letters(text, height)) {
    const glyph = capital(character);
    if (glyph === null) continue;
    drawGlyph(plate, [left, y], glyph.path, size);
    left += glyph.advance * size + TRACKING * height;
  }
}

/** Pixels from the first letter to the last. */
export function titleWidth(text: string, height: number): number {
  return letters(text, height).reduce((sum, { character, size }) => {
    const glyph = capital(character);
    return glyph === null ? sum : sum + glyph.advance * size + TRACKING * height;
  }, 0);
}

const TRACKING = 0.1;
const SMALL = 0.8;
/** Of the capital's height: the pen's width along and across its edge, and half a serif. */
const NIB = { angle: 28 * Math.PI / 180, width: 0.13, edge: 0.035 };
const SERIF = 0.12;

/** Accents go, since the capitals have none. */
function letters(text: string, height: number): { character: string; size: number }[] {
  return [...text.normalize("NFD")].map((character) => {
    const upper = character.toUpperCase();
    return { character: upper, size: character === upper ? height : SMALL * height };
  });
}

function drawGlyph(plate: Plate, [left, base]: Point, path: string, size: number): void {
  const place = ([x, y]: Point): Point => [left + size * x, base - size * y];
  const nib: Point = [
    NIB.width * size / 2 * Math.cos(NIB.angle),
    -NIB.width * size / 2 * Math.sin(NIB.angle),
  ];
  for (const line of polylines(path)) {
    line.slice(1).forEach((to, i) => {
      const [a, b] = [place(line[i]), place(to)];
      engraveConvex(plate, sweep(a, b, nib));
      engraveLine(plate, a, b, NIB.edge * size);
    });
  }
}

/** What the nib's edge passes over between two points. */
function sweep([ax, ay]: Point, [bx, by]: Point, [nx, ny]: Point): Point[] {
  return [[ax - nx, ay - ny], [ax + nx, ay + ny], [bx + nx, by + ny], [bx - nx, by - ny]];
}

/** The lines of a path, curves as many short ones. */
function polylines(path: string): Point[][] {
  const lines: Point[][] = [];
  for (const [, command, rest] of path.matchAll(/([MLCSH])([^MLCSH]*)/g)) {
    const n = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
    const end: Point = [n[n.length - 2], n[n.length - 1]];
    if (command === "S") lines.push([[end[0] - SERIF, end[1]], [end[0] + SERIF, end[1]]]);
    else if (command === "H") lines.push([[end[0] - SERIF, end[1]], end]);
    else if (command === "M") lines.push([end]);
    else if (command === "L") lines[lines.length - 1].push(end);
    else lines[lines.length - 1].push(...curve(lines[lines.length - 1], n));
  }
  return lines;
}

function curve(line: readonly Point[], [ax, ay, bx, by, cx, cy]: readonly number[]): Point[] {
  const [x, y] = line[line.length - 1];
  return Array.from({ length: CURVE_STEPS }, (_, i) => {
    const t = (i + 1) / CURVE_STEPS;
    const s = 1 - t;
    const blend = (p: number, a: number, b: number, c: number) =>
      s * s * s * p + 3 * s * s * t * a + 3 * s * t * t * b + t * t * t * c;
    return [blend(x, ax, bx, cx), blend(y, ay, by, cy)];
  });
}

const CURVE_STEPS = 14;
