/** One line for a model whose arguments break the schema: which entries, what is wanted, what came. */
import { z } from "zod";
import { editDistance } from "./closest.ts";
import { MOST_TOLD, type Refusal, refuse, refuseAll } from "./refusal.ts";

/** Most problems looked through for different ones. */
const MOST_READ = 1000;

/** The refusal for arguments that a schema does not accept. A slip that every entry repeats is told once. */
export function explain({ issues }: z.ZodError, args: unknown): Refusal {
  const first = mostTelling(issues, args);
  const told = new Map<string, Refusal>();
  for (const outer of [first, ...issues.filter((issue) => issue !== first).slice(0, MOST_READ)]) {
    const issue = insideUnion(outer);
    const text = complaint(issue, valueAt(args, issue.path));
    const slip = `${issue.path.filter((part) => typeof part !== "number").join(".")}: ${text}`;
    if (told.has(slip)) continue;
    const kind = issue.code === "unrecognized_keys" ? "unknown_field" : "bad_value";
    told.set(slip, refuse(kind, `${placeOf(issue.path)}: ${text}`));
    if (told.size === MOST_TOLD) break;
  }
  return refuseAll([...told.values()], issues.length);
}

/** An object that takes these fields only; `meant` maps likely wrong names to the right ones. */
export function fields<Shape extends z.ZodRawShape>(
  shape: Shape,
  meant: Readonly<Record<string, string>> = {},
) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => issue.code === "unrecognized_keys" ? unknownField(issue.keys, names, meant) : undefined,
  });
}

/** What a schema says of arguments that it does not list; of those inside of them, `fields` says it. */
export function unknownArguments(shape: z.ZodRawShape): z.core.$ZodErrorMap {
  const names = Object.keys(shape);
  return (issue) =>
    issue.code === "unrecognized_keys" && (issue.path ?? []).length === 0
      ? unknownField(issue.keys, names, {})
      : undefined;
}

/** A value in a few characters, as a message shows it. */
export function brief(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value) && value.length > 6) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const names = Object.keys(value);
    const shown = names.slice(0, 6).map((name) => name.slice(0, 20)).join(", ");
    return `an object {${shown}${names.length > 6 ? ", …" : ""}}`;
  }
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 100) : value, shorten);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** The first problem; of a field that is missing beside one that is not known, the latter: a slip in its name. */
function mostTelling(issues: readonly z.core.$ZodIssue[], args: unknown): z.core.$ZodIssue {
  const [first] = issues;
  if (valueAt(args, first.path) !== undefined) return first;
  const place = placeOf(first.path.slice(0, -1));
  return issues.find(({ code, path }) => code === "unrecognized_keys" && placeOf(path) === place) ?? first;
}

/** Of a union, the complaint of the branch whose type was met: a list of three for a list, not "a number or a list". */
function insideUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const met = issue.errors.find(([first]) => first.code !== "invalid_type" || first.path.length > 0);
  return met === undefined ? issue : { ...met[0], path: [...issue.path, ...met[0].path] };
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.slice(0, 100) : value;
}

function complaint(issue: z.core.$ZodIssue, got: unknown): string {
  if (issue.code === "unrecognized_keys") return issue.message;
  if (got === undefined) return "is missing";
  return `${demand(issue)}, got ${brief(got)}${hint(issue, got)}`;
}

function demand(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${article(issue.expected)}`;
    case "too_small":
      if (issue.origin === "array" || issue.origin === "string") {
        return length(issue, "at least", issue.minimum);
      }
      return `must be ${issue.inclusive ? "≥" : ">"} ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "array" || issue.origin === "string") {
        return length(issue, "at most", issue.maximum);
      }
      return `must be ${issue.inclusive ? "≤" : "<"} ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function length(
  issue: { origin: string; exact?: boolean },
  bound: string,
  count: number | bigint,
): string {
  const [one, many] = issue.origin === "array" ? ["entry", "entries"] : ["character", "characters"];
  return `must have ${issue.exact ? "exactly" : bound} ${count} ${Number(count) === 1 ? one : many}`;
}

function article(expected: string): string {
  if (expected === "array") return "a list";
  if (expected === "int") return "a whole number";
  return `${/^[aeio]/.test(expected) ? "an" : "a"} ${expected}`;
}

/** A common slip: a JSON text where JSON itself is wanted. */
function hint(issue: z.core.$ZodIssue, got: unknown): string {
  if (issue.code !== "invalid_type" || typeof got !== "string" || !/^\s*[[{]/.test(got)) return "";
  return "; send JSON itself, not a text that holds JSON";
}

function unknownField(
  keys: readonly string[],
  names: readonly string[],
  meant: Readonly<Record<string, string>>,
): string {
  const guessed = keys.slice(0, MOST_TOLD).map((key) => {
    const lower = key.slice(0, 40).toLowerCase();
    const guess = Object.hasOwn(meant, lower)
      ? meant[lower]
      : names.find((name) => editDistance(lower, name) <= Math.max(1, name.length / 3));
    return { name: JSON.stringify(key.slice(0, 40)), meant: guess && `did you mean ${guess}?` };
  });
  const fields = names.length > 0 ? `(fields: ${names.join(", ")})` : "(there are none)";
  const [first, ...others] = guessed;
  if (others.length === 0) {
    return `has no field ${first.name}${first.meant ? `; ${first.meant}` : ""} ${fields}`;
  }
  const listed = guessed.map(({ name, meant }) => meant ? `${name} (${meant})` : name).join(", ");
  const more = keys.length > guessed.length ? ` and ${keys.length - guessed.length} more` : "";
  return `has no fields ${listed}${more} ${fields}`;
}

function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "arguments";
  return path.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("").slice(1);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}
