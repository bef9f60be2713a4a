/** What passes between an environment and a model: tools and prompts one way, texts and pictures the other. */
import type { NotRun, NotRunReason } from "./calls.ts";
import type { Image } from "./image.ts";

/** A tool as the model is told of it: data, so that published tasks can bring their own. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>;
}

export interface Prompts {
  system: string;
  user: string;
}

/** Text and, sometimes, a picture: all that a model ever sees of the environment. */
export interface Observation {
  text: string;
  image: Image | null;
}

/** The answer to one call. A refused call is a result that the model reads, never an exception. */
export interface CallOutcome extends Observation {
  /** Whether the call changed or showed what it asked for; false for refused calls and calls that never ran. */
  accepted: boolean;
  done: boolean;
  /** Row in the step log, or null for a call that never ran. */
  step: number | null;
  /** Kind of refusal, for counting; null when accepted. */
  refusal: string | null;
  /** Set when the call never ran: no step, no budget. */
  notRun: NotRunReason | null;
}

/** The answer to a call that never ran. */
export function neverRan({ reason, text }: NotRun, done: boolean): CallOutcome {
  return { text, image: null, accepted: false, done, step: null, refusal: null, notRun: reason };
}
