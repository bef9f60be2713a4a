import { z } from "zod";
import { fields } from "../../env/argument_errors.ts";
import { decimal } from "../../env/numbers.ts";
import { refuse } from "../../env/refusal.ts";
import { CONTROLS } from "../hand/controls.ts";
import { CALL_LIMIT } from "../rules.ts";
import { changeHand, handField } from "./change.ts";
import { defineTool } from "./tool.ts";

/** Ranges are the hand's to refuse; this only keeps out what is no angle. */
const angle = z.number().min(-1000).max(1000);

const joints = fields(
  Object.fromEntries(CONTROLS.map(({ name, min, max, positive }) => [
    name,
    angle.optional().describe(`${min} to ${max}; + ${positive}.`),
  ])),
  Object.fromEntries(CONTROLS.flatMap(({ name }) => meantNames(name).map((other) => [other, name]))),
);

export const setFingers = defineTool({
  name: "set_fingers",
  description: "Set joint angles of one hand, in degrees relative to its relaxed rest pose. Any of its " +
    `${CONTROLS.length} controls, several in a call; those not named stay as they are. A call may change each joint ` +
    `by at most ${CALL_LIMIT.jointDeg} degrees.`,
  args: z.strictObject({
    hand: handField,
    joints: joints.describe('Angles in degrees by control, e.g. {"ring.mcp": 40, "little.mcp": 40}.'),
  }),
  aliases: { side: "hand", angles: "joints" },
  run({ hand, joints }, context) {
    if (Object.keys(joints).length === 0) return refuse("bad_value", "joints: must name at least one joint");
    const { angles, position, orientation } = context.pose[hand];
    const next = CONTROLS.map(({ name }, i) => {
      const degrees = joints[name];
      return degrees === undefined ? angles[i] : degrees * Math.PI / 180;
    });
    const told = CONTROLS.flatMap(({ name }, i) => {
      const degrees = joints[name];
      if (degrees === undefined) return [];
      return [`${name} ${decimal(degrees, 2)}° (was ${decimal(angles[i] * 180 / Math.PI, 2)}°)`];
    });
    const text = `Set the ${hand} hand: ${told.join(", ")}.`;
    return changeHand(context, hand, { angles: next, position, orientation }, text);
  },
});

/** Likely wrong names of a control. */
function meantNames(name: string): string[] {
  const underscored = name.replace(".", "_");
  return name.startsWith("little.")
    ? [underscored, name.replace("little", "pinky"), underscored.replace("little", "pinky")]
    : [underscored];
}
