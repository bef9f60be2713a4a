/** Knobs of a recorded profile that are not as the benchmark has them: whoever reads a score has to know. */
import { canonicalJson } from "../env/hash.ts";
import { brief } from "./difference.ts";

export interface OtherKnob {
  /** E.g. `score.peekFactor`. */
  knob: string;
  recorded: unknown;
  default: unknown;
}

/** Every knob that differs, in the order of the default; null for what one of them lacks. */
export function otherKnobs(recorded: unknown, own: unknown, path = ""): OtherKnob[] {
  if (canonicalJson(recorded ?? null) === canonicalJson(own ?? null)) return [];
  if (!isGroup(recorded) || !isGroup(own)) {
    return [{ knob: path, recorded: recorded ?? null, default: own ?? null }];
  }
  const [was, is] = [new Map(Object.entries(recorded)), new Map(Object.entries(own))];
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((key) =>
    otherKnobs(was.get(key), is.get(key), path === "" ? key : `${path}.${key}`)
  );
}

/** E.g. `scored with score.peekFactor 1 (default 0.94)`. */
export function knobsInWords(knobs: readonly OtherKnob[]): string {
  const each = knobs.map(({ knob, recorded, default: own }) =>
    `${knob} ${brief(recorded)} (default ${brief(own)})`
  );
  return `scored with ${each.join(", ")}`;
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
