/** The made-up episodes of analysis.json as rows of the tables. */
import { z } from "zod";
import fixture from "../fixtures/analysis.json" with { type: "json" };
import { unpacked } from "../support/packed_rows.ts";

const settingRow = z.looseObject({ setting: z.string() });
type SettingRow = z.infer<typeof settingRow>;

/** The fixture keeps the hidden score after each call. */
export function splatRows(): SettingRow[] {
  const row = settingRow.extend({
    curve: z.array(z.number().nullable()).transform((scores) =>
      scores.map((score, step) => ({ step, score, metrics: {} }))
    ),
  });
  return unpacked(fixture.splat.episodes).map((cells) => row.parse(cells));
}

/** The fixture keeps the hidden score after each call, and its components. */
export function shadowRows(): SettingRow[] {
  const row = settingRow.extend({
    curve: z.array(z.array(z.number())).transform((points) =>
      points.map(([score, iou, outline_f, holes, wrists], step) => ({
        step,
        score,
        metrics: { iou, outline_f, holes, wrists },
      }))
    ),
  });
  return unpacked(fixture.shadow.episodes).map((cells) => row.parse(cells));
}

const stepRow = z.object({
  episode_id: z.string(),
  step: z.number(),
  tool: z.string(),
  arguments: z.string(),
  accepted: z.boolean(),
  score_before_peeks: z.number(),
});

export function shadowStepRows(): z.infer<typeof stepRow>[] {
  return unpacked(fixture.shadow.steps).map((cells) => stepRow.parse(cells));
}
