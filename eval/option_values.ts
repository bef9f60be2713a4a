/** Reads the values of command-line options; a bad one throws a `RangeError` whose message says what it must be. */
import { z } from "zod";
import { type ScoreKind, scoreKindSchema } from "../env/records.ts";

/** A comma list that may be repeated. */
export function list(value: string, before: readonly string[] | undefined): string[] {
  const names = value.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names.length === 0) throw new RangeError("It names nothing.");
  return [...before ?? [], ...names];
}

export function wholeNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new RangeError("It must be a whole number, 1 or more.");
}

/** A seed of draws, or a number of things that may be none. */
export function wholeOrZero(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new RangeError("It must be a whole number, 0 or more.");
}

export function finiteNumber(value: string): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(value)) return Number(value);
  throw new RangeError("It must be a number.");
}

/** A tolerance, or a number of things. */
export function notNegative(value: string): number {
  const number = finiteNumber(value);
  if (number >= 0) return number;
  throw new RangeError("It must not be negative.");
}

export function jsonObject(value: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(value));
  } catch {
    throw new RangeError('It must be a JSON object, e.g. {"temperature": 0}.');
  }
}

export function webAddress(value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value.replace(/\/+$/, "");
  throw new RangeError("It must be an address like http://localhost:8000/v1.");
}

export function scoreKind(value: string): ScoreKind {
  const kind = scoreKindSchema.safeParse(value);
  if (kind.success) return kind.data;
  throw new RangeError(`It must be ${scoreKindSchema.options.join(" or ")}.`);
}

/** A name or a path that is not left empty. */
export function something(value: string): string {
  if (value.trim() !== "") return value;
  throw new RangeError("It must not be empty.");
}

/** Name of an environment variable. */
export function variableName(value: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return value;
  throw new RangeError("It must be the name of an environment variable, or NONE.");
}

/** A name that becomes part of a folder's name. */
export function plainName(value: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,40}$/.test(value)) return value;
  throw new RangeError("It must be one word.");
}
