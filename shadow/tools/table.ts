/** The tools of ShadowBench, in the order that models are told of them. */
import type { CallRules } from "../../env/calls.ts";
import { describe } from "./describe.ts";
import { look } from "./look.ts";
import { moveHand } from "./move_hand.ts";
import { peekBook } from "./peek_book.ts";
import { plan } from "./plan.ts";
import { setFingers } from "./set_fingers.ts";
import { submit } from "./submit.ts";
import type { ShadowTool } from "./tool.ts";
import { turnHand } from "./turn_hand.ts";
import { undo } from "./undo.ts";

export const TOOLS: readonly ShadowTool[] = [
  plan,
  setFingers,
  moveHand,
  turnHand,
  undo,
  describe,
  look,
  peekBook,
  submit,
];

export const TOOL_BY_NAME: ReadonlyMap<string, ShadowTool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** A name that the tools do not accept is refused, and uses a call. */
export const CALL_RULES: CallRules = {
  arguments: Object.fromEntries(
    TOOLS.map((tool) => [tool.name, [...tool.argumentNames, ...Object.keys(tool.aliases)]]),
  ),
  unknownNames: "refuse",
};
