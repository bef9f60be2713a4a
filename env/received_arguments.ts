/**
 * The border that every call's arguments cross first. What leaves it is plain JSON of bounded size and depth, so
 * that checking it is fast, it can be logged as it is, and replaying the log meets the same refusal.
 */

/** Most characters (keys and texts) and most values in the arguments of one call. */
const MAX_CHARACTERS = 1_000_000;
const MAX_VALUES = 50_000;

/** Deepest nesting of lists and objects; the tools need 4. */
const MAX_DEPTH = 8;

const TOO_LARGE = `(left out: the call holds over ${MAX_CHARACTERS} characters or ${MAX_VALUES} values)`;
const TOO_DEEP = `(left out: nested deeper than ${MAX_DEPTH})`;

/**
 * A copy of decoded arguments. Numbers that JSON cannot hold become their names ("Infinity"), what is nested too
 * deep becomes a note, and so does each argument of a call that is too large. No arguments at all is `{}`.
 */
export function receivedArguments(args: unknown): unknown {
  if (args === null || args === undefined) return {};
  const room = { characters: MAX_CHARACTERS, values: MAX_VALUES };
  const copied = copy(args, 0, room);
  if (room.characters >= 0 && room.values >= 0) return copied;
  if (typeof args !== "object" || Array.isArray(args)) return TOO_LARGE;
  return Object.fromEntries(Object.keys(args).slice(0, 20).map((name) => [name.slice(0, 60), TOO_LARGE]));
}

/** Whether a value stands for arguments that were too large to be received: no text that somebody meant. */
export function isLeftOut(value: unknown): boolean {
  return value === TOO_LARGE;
}

function copy(value: unknown, depth: number, room: { characters: number; values: number }): unknown {
  room.values--;
  if (room.values < 0 || room.characters < 0) return null;
  switch (typeof value) {
    case "string":
      room.characters -= value.length;
      return value;
    case "number":
      // Adding 0 turns −0 into 0, as JSON does.
      return Number.isFinite(value) ? value + 0 : String(value);
    case "boolean":
      return value;
    case "object":
      break;
    default:
      return `[${typeof value}]`;
  }
  if (value === null) return null;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return copyList(value, depth, room);
  const entries: [string, unknown][] = [];
  for (const [key, entry] of Object.entries(value)) {
    if (room.values < 0 || room.characters < 0) break;
    room.characters -= key.length;
    if (entry !== undefined) entries.push([key, copy(entry, depth + 1, room)]);
  }
  // fromEntries defines own properties, so that a key "__proto__" stays a key.
  return Object.fromEntries(entries);
}

function copyList(list: object, depth: number, room: { characters: number; values: number }): unknown[] {
  const copied: unknown[] = [];
  for (const entry of Array.isArray(list) ? list : Object.values(list)) {
    if (room.values < 0 || room.characters < 0) break;
    copied.push(copy(entry, depth + 1, room));
  }
  return copied;
}
