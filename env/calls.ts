/**
 * Which calls run. A call that was cut off, is not valid JSON, comes after the end, or names a tool or an argument
 * that the tools do not accept (where the benchmark says so) never runs: no step, no budget, the model is told.
 * Everything else runs, costs a call, and if it breaks a rule changes nothing.
 */
import { canonicalJson } from "./hash.ts";

export const NOT_RUN_REASONS = [
  "cut_off",
  "invalid_json",
  "after_end",
  "unknown_tool",
  "unknown_argument",
] as const;
export type NotRunReason = typeof NOT_RUN_REASONS[number];

/** More calls than this in a row that never run end the episode as it stands. */
export const MAX_CALLS_NOT_RUN_IN_A_ROW = 10;

/** A turn without a call is asked to continue at most this many times an episode. */
export const MAX_CONTINUE_REQUESTS = 3;

/** A call as the endpoint sent it. */
export interface RawCall {
  name: string;
  /** Raw text of the arguments; JSON if the model did well. */
  arguments: string;
  /** Whether generation stopped in the middle of this call. */
  cutOff: boolean;
}

/** What the tools accept: argument names by tool, aliases included. */
export interface CallRules {
  arguments: Readonly<Record<string, readonly string[]>>;
  /** Whether a name that no tool accepts keeps the call from running (SplatBench) or is refused (ShadowBench). */
  unknownNames: "never-run" | "refuse";
}

export interface NotRun {
  reason: NotRunReason;
  /** One line for the model. */
  text: string;
}

/** Decodes the raw arguments of a call; an empty text counts as no arguments, as endpoints send it so. */
export function decodeCall(call: RawCall): { args: unknown } | NotRun {
  if (call.cutOff) {
    return {
      reason: "cut_off",
      text: `Not run: the call to ${call.name} was cut off. Send it again, shorter.`,
    };
  }
  if (call.arguments.trim() === "") return { args: {} };
  try {
    return { args: JSON.parse(call.arguments) };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0].slice(0, 120) : "unreadable";
    return {
      reason: "invalid_json",
      text: `Not run: the arguments of ${call.name} are not valid JSON (${why}).`,
    };
  }
}

/** Whether a decoded call runs; null means it does. */
export function whyNotRun(tool: string, args: unknown, done: boolean, rules: CallRules): NotRun | null {
  if (done) return { reason: "after_end", text: "Not run: the episode has already ended." };
  if (rules.unknownNames === "refuse") return null;
  if (!Object.hasOwn(rules.arguments, tool)) {
    const known = Object.keys(rules.arguments).join(", ");
    return {
      reason: "unknown_tool",
      text: `Not run: there is no tool ${quote(tool)}. The tools are ${known}.`,
    };
  }
  if (typeof args !== "object" || args === null || Array.isArray(args)) return null;
  const accepted = rules.arguments[tool];
  const unknown = Object.keys(args).find((name) => !accepted.includes(name));
  if (unknown === undefined) return null;
  const known = accepted.length > 0 ? `takes ${accepted.join(", ")}` : "takes no arguments";
  return {
    reason: "unknown_argument",
    text: `Not run: ${tool} has no argument ${quote(unknown)}; it ${known}.`,
  };
}

/** Two spellings of one argument with values that differ; null where there are none. */
export function contradiction(
  args: Record<string, unknown>,
  aliases: Readonly<Record<string, string>>,
): readonly [string, string] | null {
  const given = new Map<string, string>();
  for (const key of Object.keys(args)) {
    const name = Object.hasOwn(aliases, key) ? aliases[key] : key;
    const first = given.get(name);
    if (first !== undefined && canonicalJson(args[first]) !== canonicalJson(args[key])) return [first, key];
    given.set(name, first ?? key);
  }
  return null;
}

/** Replaces accepted aliases of argument names by the names in the schema; the first spelling given wins. */
export function applyAliases(
  args: Record<string, unknown>,
  aliases: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) {
    const name = Object.hasOwn(aliases, key) ? aliases[key] : key;
    if (!Object.hasOwn(named, name)) named[name] = value;
  }
  return named;
}

/** A script without types may name a tool by what is no text. */
function quote(name: unknown): string {
  if (typeof name !== "string") return `that is ${typeof name}`;
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
