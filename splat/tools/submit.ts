import { z } from "zod";
import { count } from "./numbers.ts";
import { defineTool } from "./tool.ts";

export const submit = defineTool({
  name: "submit",
  description:
    "End the episode with the scene as it is. It is graded from held-out cameras that you never see.",
  args: z.strictObject({}),
  endsEpisode: true,
  run(_args, { scene }) {
    return { text: `Submitted ${count(scene.length, "Gaussian")}. The episode has ended.` };
  },
});
