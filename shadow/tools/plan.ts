import { z } from "zod";
import { isLeftOut } from "../../env/received_arguments.ts";
import { defineTool } from "./tool.ts";

/** Longest text of a plan, characters. */
const MOST = 4000;

const words = z.string().min(1).max(MOST)
  .refine((text) => text.trim() !== "", { error: "must hold words" })
  .refine((text) => !isLeftOut(text), { error: `must have at most ${MOST} characters` });

export const plan = defineTool({
  name: "plan",
  description:
    "Say what the silhouette depicts and which parts of the hands will form which of its features. Required before the " +
    "first movement; call it again to revise the plan. It is recorded, and never scored.",
  args: z.strictObject({
    subject: words.describe("What the silhouette depicts."),
    arrangement: words.describe(
      "Which parts of which hand form which features, and where the hands stand.",
    ),
  }),
  run(_args, { planned }) {
    return {
      text: planned ? "The plan is revised." : "The plan is noted; the hands may move.",
      planned: true,
    };
  },
});
