/** Content hashes: the same text for the same value, whatever the order of its keys. */
import { createHash } from "node:crypto";
import type { Image } from "./image.ts";

/** Lower-case hex sha256. */
export function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** JSON with sorted keys and no white space; non-finite numbers throw, since JSON would turn them into null. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry) => {
    if (typeof entry === "number" && !Number.isFinite(entry)) throw new RangeError(`${entry} has no JSON`);
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0));
  });
}

/** sha256 of a value's canonical JSON. */
export const contentHash = (value: unknown): string => sha256(canonicalJson(value));

/**
 * Hash of a picture's decoded pixels: equal pictures have equal keys, whatever compressed them. Computed once for each
 * object, since logs and transcripts ask again and again: a picture must not change after its key was asked for.
 */
export function imageKey(image: Image): string {
  const known = IMAGE_KEYS.get(image);
  if (known !== undefined) return known;
  const key = sha256(`${image.width}x${image.height}\n`, image.data);
  IMAGE_KEYS.set(image, key);
  return key;
}

const IMAGE_KEYS = new WeakMap<Image, string>();
