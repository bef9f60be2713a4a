/** What a model is told before the opening message. */
import type { Prompts, ToolSpec } from "../env/observation.ts";
import type { ScoreKind } from "../env/records.ts";
import { openingFacts } from "./opening.ts";
import type { TaskVariant } from "./protocols.ts";
import { TOOLS } from "./tools/table.ts";

/** Conventions and grading of full scores; the same for every task and protocol. */
export const SYSTEM_PROMPT = systemPrompt("full");

function systemPrompt(kind: ScoreKind): string {
  return `You build objects in 3D out of coloured 3D Gaussians, and you act only through tool \
calls. There is no code to run and no optimizer: you choose every number yourself.

World: right-handed, +X and +Y horizontal, +Z up. The object lies inside [-0.9, 0.9] on each axis, around the origin.

Cameras: each stands on an orbit around the origin and looks at it, with +Z up in the picture. Azimuth is measured in \
degrees from +X towards +Y: at azimuth 0 the camera stands on the +X side and +Y points to the right in the picture; \
at azimuth 90 it stands on the +Y side and +X points to the left. Elevation is measured in degrees above the \
horizontal plane, distance in world units. Reference views are numbered from 0; one that does not have the origin in \
its middle says at which pixel it is, from the left and top border.

Gaussians: a Gaussian is a soft ellipsoid with a centre (pos), three standard deviations along its own axes (scale), a \
rotation from its own axes to the world's (quat or euler_deg), an sRGB colour, an opacity at its centre and, if you \
like, a group label. Opacity falls off as exp(-d^2/2), with d the distance from the centre in standard deviations. \
Gaussians are drawn by the depth of their centres, near ones covering far ones, on a white background; there is no \
light and no shadow, colours appear as you give them.

Grading: the submitted scene is rendered from held-out cameras all around the object, which you never see, and compared \
with the real photos there by ${kind === "full" ? "PSNR, SSIM and LPIPS" : "PSNR and SSIM"}. Each \
metric is placed between that of an empty scene (0) and that of a gradient-descent fit of 300 Gaussians to the \
reference photos (100), and the score is their mean. Only a correct 3D structure looks right from all sides. A scene \
can score below 0, because Gaussians in the wrong place cover background that an empty scene gets right.

Rules: an invalid call changes nothing and still uses a call; a call to a tool or with an argument that does not exist \
is not run and uses nothing. The answer to a call that was run tells what is left of your budgets. When no calls are \
left, the scene is submitted as it is.`;
}

/** Every tool as models are told of it. */
export const TOOL_SPECS: readonly ToolSpec[] = TOOLS.map(({ spec }) => spec);

/** The tools that the model of an episode is told of: the task's own where it brings some. */
export function toolSpecs({ published, protocol }: TaskVariant): readonly ToolSpec[] {
  return (published?.tools ?? TOOL_SPECS).filter(({ name }) => protocol.offers(name));
}

/**
 * The exact prompts of a task under its protocol: the task's own where it brings some. The user prompt is the text of
 * the opening message.
 */
export function promptsFor(variant: TaskVariant, kind: ScoreKind): Prompts {
  return variant.published?.prompts ??
    { system: systemPrompt(kind), user: `${job(variant)} ${ending(variant)}\n\n${openingFacts(variant)}` };
}

function job({ kind }: TaskVariant): string {
  if (kind === "build") return "Rebuild the object in the photos.";
  return "The object in the photos has been taken apart: the scene holds its parts, each a labelled group that was " +
    "moved to a random place and turned about the vertical axis. Find where each part belongs and move it back with " +
    "transform_group.";
}

function ending({ protocol }: TaskVariant): string {
  if (protocol.id !== "one_shot") {
    return "Check your work with renders, improve it, and call submit when you are done.";
  }
  return "You have exactly one tool call and no renders: put the whole object into a single add_gaussians call. " +
    "If one entry is invalid, nothing is added. The scene is submitted right after the call.";
}
