import { z } from "zod";
import { fields } from "../../env/argument_errors.ts";
import { type View, VIEWS, viewWords } from "../pictures/views.ts";
import { defineTool } from "./tool.ts";

const NAMES = z.enum(["front", "back", "side", "top", "angle"]);
const VIEW = {
  error: `must be ${Object.keys(VIEWS).map((name) => `"${name}"`).join(", ")} or {azimuth, elevation}`,
};

const viewField = z.union([
  z.enum(NAMES.options, VIEW),
  fields({
    azimuth: z.number().min(-360).max(360).describe(
      "Degrees from the lamp's side (0) toward the person's right (90), where the eye stands.",
    ),
    elevation: z.number().min(-90).max(90).describe("Degrees above the horizontal; 90 looks straight down."),
  }),
], VIEW);

export const look = defineTool({
  name: "look",
  description:
    "See the stage: one picture of four panels: the target, your shadow, their difference (red: missing, blue: extra, grey: both) " +
    "and the hands, from a view of your choice. Uses one look.",
  args: z.strictObject({
    view: viewField.default("front").describe(
      "From where the fourth panel shows the hands: front (from the lamp), back (from the screen), side (from the right), " +
        "top, angle, or {azimuth, elevation} in degrees.",
    ),
  }),
  cost: { looks: 1 },
  async run({ view }, { pose, studio }) {
    const from: View = view;
    return {
      text: `Target, shadow, difference (red: missing, blue: extra, grey: both) and the hands from ${
        viewWords(from)
      }.`,
      image: await studio.look(pose, from),
    };
  },
});
