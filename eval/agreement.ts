/**
 * When a replayed value counts as the recorded one. On the device that recorded it: when they are identical. On
 * another, whose pixels may round the other way: within the bands declared here.
 */
import type { MetricColumn } from "../env/environment.ts";
import { canonicalJson } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import type { Metrics } from "../env/records.ts";

/** Another device's pictures: most channel values this close … */
const PIXEL_TOLERANCE = 2;
/** … and at most this share of the pixels further off: printed digits that flip, edges that round. */
const PIXELS_BEYOND = 0.005;
/** Digits of hidden metrics that no table prints; another device is within one unit of the last. */
export const METRIC_DIGITS = 3;
/** Decimals that published numbers are rounded to. */
const ROUNDED_DIGITS = 3;

/** Texts that differ in their numbers only, each within one unit of its last printed digit. */
export function textsAgree(recorded: string, now: string, exact: boolean): boolean {
  if (recorded === now) return true;
  if (exact) return false;
  const a = recorded.split(NUMBER);
  const b = now.split(NUMBER);
  return a.length === b.length && a.every((piece, at) => {
    // `split` with a group: odd places hold the numbers.
    return piece === b[at] || (at % 2 === 1 && withinLastDigit(piece, b[at]));
  });
}

const NUMBER = /(-?\d+(?:\.\d+)?)/;

function withinLastDigit(recorded: string, now: string): boolean {
  const digits = decimals(recorded);
  if (digits === 0 || decimals(now) !== digits) return false;
  return within(Number(recorded), Number(now), digits);
}

function decimals(number: string): number {
  const point = number.indexOf(".");
  return point < 0 ? 0 : number.length - point - 1;
}

/**
 * The first hidden metric that disagrees; null when none does.
 *
 * @param rounded whether what is recorded was rounded as published numbers are
 */
export function metricThatDisagrees(
  recorded: Metrics,
  now: Metrics,
  columns: readonly MetricColumn[],
  exact: boolean,
  rounded = false,
): string | null {
  const keys = [...new Set([...Object.keys(recorded), ...Object.keys(now)])].sort();
  return keys.find((key) => {
    const digits = columns.find((column) => column.key === key)?.digits ?? METRIC_DIGITS;
    return !numbersAgree(recorded[key] ?? null, now[key] ?? null, digits, exact, rounded);
  }) ?? null;
}

/** Two scores or metrics that are shown with this many digits; null only agrees with null. */
export function numbersAgree(
  recorded: number | null,
  now: number | null,
  digits: number,
  exact: boolean,
  rounded = false,
): boolean {
  if (recorded === null || now === null) return recorded === now;
  if (rounded && roundsTo(recorded, now)) return true;
  return exact ? recorded === now : within(recorded, now, digits);
}

/** Whether a number is what remained of another one when it was published. */
export function roundsTo(recorded: number, now: number): boolean {
  return within(2 * recorded, 2 * now, ROUNDED_DIGITS);
}

/** Whether no number in a JSON value has more digits than published ones. */
export function isRounded(value: unknown): boolean {
  if (typeof value === "number") return Number(value.toFixed(ROUNDED_DIGITS)) === value;
  return !isContainer(value) || Object.values(value).every(isRounded);
}

function within(recorded: number, now: number, digits: number): boolean {
  // Half a millionth of a unit, so that 0.30 and 0.31 are one unit apart in floating point, too.
  return Math.abs(recorded - now) <= 10 ** -digits * 1.0000005;
}

/** Where two pictures differ, in words; null when they agree. */
export function pictureDifference(recorded: Image, now: Image, exact: boolean): string | null {
  const { width, height } = recorded;
  if (width !== now.width || height !== now.height) {
    return `${now.width} × ${now.height} pixels instead of ${width} × ${height}`;
  }
  let first = -1;
  let beyond = 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    let off = 0;
    for (let at = 3 * pixel; at < 3 * pixel + 3; at++) {
      off = Math.max(off, Math.abs(recorded.data[at] - now.data[at]));
    }
    if (off <= (exact ? 0 : PIXEL_TOLERANCE)) continue;
    beyond += 1;
    if (first < 0) first = pixel;
  }
  if (beyond <= (exact ? 0 : PIXELS_BEYOND * width * height)) return null;
  const at = (image: Image) => `(${image.data.slice(3 * first, 3 * first + 3).join(", ")})`;
  const where = `(${first % width}, ${Math.floor(first / width)})`;
  return `${beyond} of ${width * height} pixels, the first at ${where}: ${at(recorded)} is now ${at(now)}`;
}

/**
 * Path of the first place where two JSON values differ, e.g. `[3].pos[1]` or `.joints["index.pip"]`; null when they
 * are equal.
 *
 * @param agree whether two values that are not equal, texts or numbers, count as equal
 */
export function jsonDifference(
  recorded: unknown,
  now: unknown,
  agree: (recorded: unknown, now: unknown) => boolean = () => false,
): string | null {
  if (!isContainer(recorded) || !isContainer(now) || Array.isArray(recorded) !== Array.isArray(now)) {
    const equal = canonicalJson(recorded ?? null) === canonicalJson(now ?? null);
    return equal || agree(recorded, now) ? null : "";
  }
  const a = new Map(Object.entries(recorded));
  const b = new Map(Object.entries(now));
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const below = jsonDifference(a.get(key), b.get(key), agree);
    if (below !== null) return `${Array.isArray(recorded) ? `[${key}]` : keyInPath(key)}${below}`;
  }
  return null;
}

/** A key that a path could be split in is quoted. */
const keyInPath = (key: string): string => /^[^.[\]"]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;

/** The value at a path that `jsonDifference` named. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const [, index, quoted, name] of path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.([^.[]+)/g)) {
    if (!isContainer(at)) return undefined;
    at = new Map(Object.entries(at)).get(quoted === undefined ? index ?? name : JSON.parse(quoted));
  }
  return at;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
