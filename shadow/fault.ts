/** Why a pose or a motion is not allowed. */

/** Kinds of fault, in the order in which refusals are reported. */
export const FAULT_KINDS = [
  "joint_range",
  "spread",
  "call_limit",
  "self_collision",
  "hand_collision",
  "stage",
] as const;
export type FaultKind = typeof FAULT_KINDS[number];

export interface Fault {
  readonly kind: FaultKind;
  /** One clause that names hand, part and numbers: "right index.mcp would be 95° (range -25° to 82°)". */
  readonly text: string;
}
