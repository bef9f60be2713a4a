import { z } from "zod";
import { cameraOrbit } from "../camera.ts";
import { referenceSheet } from "../pictures/sheet.ts";
import { defineTool } from "./tool.ts";
import { orbitWords, refuseViews, viewCaption, viewList } from "./view_words.ts";

export const viewReferences = defineTool({
  name: "view_references",
  description: "Look at reference photos again, each with its view number and camera. Uses no render.",
  args: z.strictObject({ views: viewList.describe("Numbers of reference views, each once.") }),
  run({ views }, { task }) {
    const refusal = refuseViews(views, task.reference.length, task.limits.viewsPerPicture);
    if (refusal) return refusal;
    const chosen = views.map((view) => task.reference[view]);
    const lines = views.map((view) =>
      `view ${view}: ${orbitWords(cameraOrbit(task.reference[view].camera))}`
    );
    return {
      text: ["Reference photos:", ...lines].join("\n"),
      image: referenceSheet(
        chosen.map(({ photo }) => photo),
        views.map((view) => viewCaption(view, task.reference[view].camera)),
      ),
    };
  },
});
