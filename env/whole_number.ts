/** Ids and view numbers as some models send them. */
import { z } from "zod";

/** `schema`, which also takes the text of a whole number ("7"): no other reading of it is possible. */
export function wholeNumber(schema: z.ZodInt) {
  return z.preprocess((value: number) => fromText(value), schema);
}

function fromText(value: unknown): unknown {
  return typeof value === "string" && /^-?(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}
