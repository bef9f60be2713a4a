import { z } from "zod";
import { applyEdit, gaussianEdit } from "./gaussian_fields.ts";
import { count } from "../../env/numbers.ts";
import { isRefusal } from "../../env/refusal.ts";
import { findIds, idRanges } from "./selection.ts";
import { defineTool } from "./tool.ts";

export const editGaussians = defineTool({
  name: "edit_gaussians",
  description:
    "Change fields of existing Gaussians. Fields that an edit leaves out keep their values. If one edit is " +
    "invalid, nothing is changed and the call is used.",
  args: z.strictObject({
    edits: z.array(gaussianEdit).min(1).max(300).describe(
      "One entry per Gaussian: its id and the fields to replace.",
    ),
  }),
  aliases: { gaussians: "edits" },
  run({ edits }, { scene }) {
    const ids = edits.map(({ id }) => id);
    const found = findIds(scene, ids, (index) => `edits[${index}].id`);
    if (isRefusal(found)) return found;
    const next = [...scene];
    for (const edit of edits) {
      const at = found.get(edit.id);
      if (at !== undefined) next[at] = applyEdit(scene[at], edit);
    }
    return { scene: next, text: `Changed ${count(edits.length, "Gaussian")}: id ${idRanges(ids)}.` };
  },
});
