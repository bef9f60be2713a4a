import { z } from "zod";
import { refuse } from "../../env/refusal.ts";
import { defineTool } from "./tool.ts";

export const undo = defineTool({
  name: "undo",
  description: "Take back the last change of the pose; called again, the one before it.",
  args: z.strictObject({}),
  run(_args, { lastChange }) {
    if (lastChange === null) return refuse("nothing_to_undo", "the hands are as they were at the start");
    return { text: `Took back the last change: the ${lastChange.side} hand is as before it.`, undone: true };
  },
});
