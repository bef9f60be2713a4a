/** What the words of the findings mean; the published text leaves them open, `docs/fidelity.md` says what was chosen. */

export interface FindingDefinitions {
  /** Calls that move a hand; `undo` takes a move back and is none. */
  readonly moveTools: readonly string[];
  /** Refusals that only those calls meet. */
  readonly moveRefusals: readonly string[];
  /** A move that changes the score before peeks by at most so many points neither helps nor hurts. */
  readonly unchangedWithin: number;
  /** An episode submits below its best when it gives away more points than this, before peeks. */
  readonly belowBestBy: number;
  /** Hands are held together when they are no further apart than this, metres. */
  readonly together: {
    /** Between the nearest points of their skins. */
    readonly skin: number;
    /** Between the wrist anchors, for episodes that do not record the gap: a hand is 17 cm long. */
    readonly wrists: number;
  };
  /** Which plans count: each that was accepted, or only the first of an episode. */
  readonly plans: "all" | "first";
  /** Overlap, outline and holes of a solved plate reach this. */
  readonly solvedFrom: number;
}

export const FINDINGS: FindingDefinitions = {
  moveTools: ["set_fingers", "move_hand", "turn_hand"],
  moveRefusals: [
    "joint_range",
    "spread",
    "call_limit",
    "self_collision",
    "hand_collision",
    "stage",
    "no_plan",
  ],
  unchangedWithin: 0.5,
  belowBestBy: 2,
  together: { skin: 0.01, wrists: 0.1 },
  plans: "all",
  solvedFrom: 0.95,
};
