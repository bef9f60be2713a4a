import { z } from "zod";
import { vector } from "../../env/numbers.ts";
import { refuse } from "../../env/refusal.ts";
import { add, type Vector3 } from "../../env/vector3.ts";
import { CALL_LIMIT } from "../rules.ts";
import { changeHand, handField } from "./change.ts";
import { defineTool } from "./tool.ts";

const metres = z.array(z.number().min(-10).max(10)).length(3).transform(([x, y, z]): Vector3 => [x, y, z]);

export const moveHand = defineTool({
  name: "move_hand",
  description:
    "Move one hand in a straight line without turning it, by a distance or to a place: give by or to. In metres, world " +
    `axes: x right, y up, z toward the lamp. At most ${CALL_LIMIT.moveMetres} m in a call.`,
  args: z.strictObject({
    hand: handField,
    by: metres.optional().describe(
      "How far, [dx, dy, dz] in metres, e.g. [0.02, 0, 0] for 2 cm to the right.",
    ),
    to: metres.optional().describe("Instead of by: where its wrist shall be, [x, y, z] in metres."),
  }),
  aliases: { side: "hand", delta: "by", translate: "by", position: "to" },
  run({ hand, by, to }, context) {
    if ((by === undefined) === (to === undefined)) {
      return refuse("bad_value", `arguments: give by or to${by === undefined ? "" : ", not both"}`);
    }
    const { angles, position, orientation } = context.pose[hand];
    const next = to ?? add(position, by ?? [0, 0, 0]);
    const text = `Moved the ${hand} hand: its wrist is at ${vector(next, 4)} m (was ${vector(position, 4)}).`;
    return changeHand(context, hand, { angles, position: next, orientation }, text);
  },
});
