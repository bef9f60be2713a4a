import { z } from "zod";
import { count } from "../../env/numbers.ts";
import { defineTool } from "./tool.ts";

export const submit = defineTool({
  name: "submit",
  description:
    "End the episode: the scene as it is, is your answer, graded from held-out cameras that you never see.",
  args: z.strictObject({}),
  endsEpisode: true,
  run(_args, { scene }) {
    return { text: `Submitted ${count(scene.length, "Gaussian")}. The episode has ended.` };
  },
});
