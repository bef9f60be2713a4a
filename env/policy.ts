/** Scripted players: they see what a model sees, and act only through tool calls. */
import type { CallOutcome, Observation, ToolSpec } from "./observation.ts";

export interface PolicyCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** Everything a policy may know when it decides: the conversation so far. */
export interface PolicyView {
  opening: Observation;
  tools: readonly ToolSpec[];
  /** Every call so far with its answer, in order. */
  history: readonly { call: PolicyCall; outcome: CallOutcome }[];
}

/**
 * The next calls; none ends the turn without a call. A pure function of the view, so that a killed episode goes on
 * where it stopped.
 */
export type Policy = (view: PolicyView) => Promise<PolicyCall[]>;
