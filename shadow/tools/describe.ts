import { z } from "zod";
import { decimal, vector } from "../../env/numbers.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { type Control, controlIndex, CONTROLS, FINGERS, spreadLimitDeg } from "../hand/controls.ts";
import { handDirections, jointPositions } from "../hand/directions.ts";
import type { HandModel } from "../hand/hand_model.ts";
import { type HandPose, SIDES } from "../pose.ts";
import { LAMP_Z, magnification } from "../stage/stage.ts";
import { handField } from "./change.ts";
import { defineTool } from "./tool.ts";

export const describe = defineTool({
  name: "describe",
  description:
    "The pose as numbers: joint angles with the ranges now in force, where wrists and fingertips are and where their " +
    "shadows fall, which way fingers, palm and thumb point. Ranges are of each joint alone: a tight fist is stopped " +
    "earlier, where skin meets skin.",
  args: z.strictObject({ hand: handField.optional().describe("One hand only; both when left out.") }),
  aliases: { side: "hand" },
  run({ hand }, { pose, studio }) {
    const sides = hand === undefined ? SIDES : [hand];
    return {
      text: [
        ...sides.map((side) => handText(side, studio.hands[side], pose[side])),
        "Lengths in metres, angles in degrees, positions [x, y, z] with x right, y up, z toward the lamp; a shadow's " +
        "place is its [x, y] on the screen.",
      ].join("\n"),
    };
  },
});

function handText(side: string, model: HandModel, hand: HandPose): string {
  const joints = jointPositions(model, hand);
  const { fingers, palm, thumb } = handDirections(model, hand);
  const tips = [
    ["thumb", joints.thumb[3]] as const,
    ...FINGERS.map((finger) => [finger, joints.fingers[finger][4]] as const),
  ];
  return [
    `${side} hand`,
    `  wrist ${placeText(hand.position)}, orientation [w, x, y, z] ${vector(hand.orientation, 4)}`,
    `  fingers point ${vector(fingers, 2)}, palm faces ${vector(palm, 2)}, thumb points ${vector(thumb, 2)}`,
    `  tips: ${tips.map(([name, at]) => `${name} ${placeText(at)}`).join(", ")}`,
    `  elbow ${placeText(joints.elbow)}`,
    ...GROUPS.map((group) => `  ${group.map((control) => controlText(control, hand)).join(", ")}`),
  ].join("\n");
}

/** One line each: wrist and forearm, thumb, each finger. */
const GROUPS: readonly (readonly Control[])[] = [
  CONTROLS.filter(({ name }) => /^(wrist|forearm)\./.test(name)),
  ...["thumb", ...FINGERS].map((part) => CONTROLS.filter(({ name }) => name.startsWith(`${part}.`))),
];

function placeText([x, y, z]: Vector3): string {
  const at = vector([x, y, z]);
  if (z >= LAMP_Z) return at;
  const larger = magnification(z);
  return `${at} (shadow ${vector([x * larger, y * larger])})`;
}

function controlText({ name, min, max }: Control, { angles }: HandPose): string {
  const degrees = (control: string) => angles[controlIndex(control)] * 180 / Math.PI;
  const spread = FINGERS.find((finger) => name === `${finger}.spread`);
  const most = spread === undefined ? max : spreadLimitDeg(spread, degrees(`${spread}.mcp`));
  const now = most < max ? " now" : "";
  return `${name} ${decimal(degrees(name), 1)} (${min} to ${decimal(most, 1)}${now})`;
}
