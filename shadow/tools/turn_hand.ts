import { z } from "zod";
import { axisDirection, axisField } from "../../env/axis_field.ts";
import { decimal, vector } from "../../env/numbers.ts";
import { fromAxisAngle, multiply, normalize } from "../../env/quaternion.ts";
import { handDirections } from "../hand/directions.ts";
import { CALL_LIMIT } from "../rules.ts";
import { changeHand, handField } from "./change.ts";
import { defineTool } from "./tool.ts";

export const turnHand = defineTool({
  name: "turn_hand",
  description:
    "Turn one hand as a whole, forearm and all, about an axis through its wrist, which stays where it is. At most " +
    `${CALL_LIMIT.turnDeg} degrees in a call. (wrist.flex, wrist.bend and forearm.roll of set_fingers bend the hand ` +
    "against its forearm.)",
  args: z.strictObject({
    hand: handField,
    axis: axisField.describe(
      'An axis "x", "y" or "z" of the frame, or a direction [x, y, z] in it.',
    ),
    degrees: z.number().min(-180).max(180).describe(
      "Right-handed: counter-clockwise when the axis points at you. About z, + turns the shadow counter-clockwise.",
    ),
    frame: z.enum(["world", "hand"]).default("world").describe(
      "world: x right, y up, z toward the lamp. hand: the hand's own axes, which are the world's at the start: y along " +
        "the forearm to the fingers, z out of the back of the hand.",
    ),
  }),
  aliases: { side: "hand", angle: "degrees", deg: "degrees" },
  run({ hand, axis, degrees, frame }, context) {
    const { angles, position, orientation } = context.pose[hand];
    const turn = fromAxisAngle(axisDirection(axis), degrees);
    // Normalising would round a turn by nothing.
    const turned = degrees === 0
      ? orientation
      : normalize(frame === "world" ? multiply(turn, orientation) : multiply(orientation, turn));
    const next = { angles, position, orientation: turned };
    const { fingers, palm } = handDirections(context.studio.hands[hand], next);
    const about = typeof axis === "string" ? axis : vector(axis);
    const text = `Turned the ${hand} hand by ${decimal(degrees, 2)}° about ${about} of the ${frame}: ` +
      `its fingers point along ${vector(fingers, 2)}, its palm faces ${vector(palm, 2)}.`;
    return changeHand(context, hand, next, text);
  },
});
