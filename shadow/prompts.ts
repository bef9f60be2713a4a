/** What a model is told before its first call. */
import type { Prompts, ToolSpec } from "../env/observation.ts";
import { count } from "../env/numbers.ts";
import { CONTROLS } from "./hand/controls.ts";
import { START_POSE } from "./pose.ts";
import { CALL_LIMIT } from "./rules.ts";
import { DEFAULT_SCORE } from "./score/score_profile.ts";
import { LAMP_Z, MASK_WIDTH, SCREEN_HEIGHT, SCREEN_WIDTH, SKIN_MAX_Z, SKIN_MIN_Z } from "./stage/stage.ts";
import { drawnWitness, type Limits, type ShadowTask, STANDARD_LIMITS } from "./task.ts";
import { TOOLS } from "./tools/table.ts";

/** Stage, hands, rules and grading; the same for every task. */
export const SYSTEM_PROMPT =
  `You pose two hands between a lamp and a screen until their shadow matches a target silhouette, as in a book of hand \
shadows. You act only through tool calls, and you see your shadow only when you look.

Stage: x points right, y up, z from the screen toward the lamp; lengths are in metres. The screen is the plane z = 0, \
${SCREEN_WIDTH} wide and ${SCREEN_HEIGHT} high, its centre at the origin; pictures show it as seen from the lamp. The \
lamp is a point at (0, 0, ${LAMP_Z}). A point (x, y, z) casts its shadow at (x, y) * ${LAMP_Z} / (${LAMP_Z} - z): the \
nearer to the lamp, the larger the shadow, and the farther it lies from the middle. What falls beside the screen does \
not count, so forearms may leave it, and a hand that is not needed may be moved out of the light.

Hands: a right and a left hand with forearms, mirror images of each other. At the start both are raised with the palms \
to the screen: fingers along +y, palms facing -z, the wrists at \
(${START_POSE.right.position.join(", ")}) and (${
    START_POSE.left.position.join(", ")
  }); the right hand is on the right, \
its thumb toward the left one. A hand moves as a whole (move_hand), turns as a whole about its wrist (turn_hand) and \
has ${CONTROLS.length} joint controls (set_fingers), in degrees relative to a relaxed rest pose, the same numbers on \
both hands giving mirrored shapes:
${CONTROLS.map(({ name, min, max, positive }) => `${name} ${min} to ${max}, + ${positive}`).join("\n")}

Rules: each joint stays in its range; a finger spreads less the more its mcp is bent; skin passes neither through \
itself nor through the other hand, also on the way; all skin stays between z = ${SKIN_MIN_Z} and z = ${SKIN_MAX_Z}. One \
call changes a joint by at most ${CALL_LIMIT.jointDeg} degrees, moves a hand by at most ${CALL_LIMIT.moveMetres} m or \
turns it by at most ${CALL_LIMIT.turnDeg} degrees. A call that breaks a rule is refused: it uses a call, says why, and \
leaves the hands where they were.

Grading: your shadow at the end is compared with the target. The larger part of the score is the area that both share, \
divided by the area that either covers; the smaller is how much of the shadow's outline lies on the target's, within \
one, two and four pixels of ${
    count(MASK_WIDTH, "pixel")
  } across: ears, beaks and legs earn that part. Holes of the target, as \
an eye, must stay open. A little is lost when the worse wrist is bent away from neutral, as the RULA assessment of \
working postures counts it (flexed beyond ${DEFAULT_SCORE.wrists.slightDeg} degrees, or bent sideways). Each peek \
into the book multiplies the score by ${DEFAULT_SCORE.peekFactor}. You are never told your score.`;

/** The opening message of a task with the standard budgets and a drawing in its book. */
export const USER_PROMPT = userPrompt(STANDARD_LIMITS, true);

/** Every tool as models are told of it. */
export const TOOL_SPECS: readonly ToolSpec[] = TOOLS.map(({ spec }) => spec);

/** The tools that the model of an episode is told of: the task's own where it brings some. */
export function toolSpecs({ published }: ShadowTask): readonly ToolSpec[] {
  return published?.tools ?? TOOL_SPECS;
}

/**
 * The exact prompts of a task: its own where it brings some. The user prompt is the text of the opening message.
 *
 * @param hand that it is played with; the task's own when absent
 */
export function promptsFor(task: ShadowTask, hand = task.hand): Prompts {
  const { published, limits, bookPage, witness } = task;
  const drawn = bookPage !== null || (hand === null ? witness : drawnWitness(task, hand)) !== null;
  return published?.prompts ?? { system: SYSTEM_PROMPT, user: userPrompt(limits, drawn) };
}

/** @param drawn whether the page of the book shows hands */
function userPrompt({ calls, looks, peeks }: Limits, drawn: boolean): string {
  return `The picture shows the target, the shadow of the hands at the start, their difference (red: missing, blue: \
extra, grey: both) and the hands as seen from the lamp. Make the shadow match the target.

First say with plan what the silhouette depicts and which parts of the hands will form it; no hand moves before that. \
Then pose the hands, look at what you did, improve it, and call submit when you are done.

You have ${count(calls, "call")}, of them at most ${count(looks, "look")} and ${
    count(peeks, "peek")
  } into the book, \
whose page shows ${
    drawn ? "how its author holds the hands" : "only this shadow and its title, and no hands"
  }. A refused call uses a call, too. When no calls are left, the pose is \
submitted as it is.`;
}
