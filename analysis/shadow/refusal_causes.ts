/** Finding: anatomy pushes back. Refused moves by cause. */
import { type ColumnOf, count, resultTable, type TableOrOmission, text } from "../result_table.ts";
import { inSetting, settingsOf, settingTitle } from "../settings.ts";
import type { ShadowContext } from "./context.ts";

/** A finger that spreads too far for its bend is out of its range at that bend. */
const CAUSES = [
  { cause: "hands through each other", kinds: ["hand_collision"] },
  { cause: "a hand through itself", kinds: ["self_collision"] },
  { cause: "per-call limits", kinds: ["call_limit"] },
  { cause: "joint ranges", kinds: ["joint_range", "spread"] },
  { cause: "outside the stage", kinds: ["stage"] },
] as const;

interface CauseRow {
  readonly cause: string;
  readonly kinds: readonly string[];
}

export function refusalCauses({ bench, scoreKind, episodes }: ShadowContext): TableOrOmission {
  const id = "refusal_causes";
  if (episodes.every(({ refusals }) => refusals === null)) {
    return { id, why: "the episodes have no column refusals" };
  }
  const refused = (own: typeof episodes) => ({ kinds }: CauseRow) =>
    own.reduce((all, { refusals }) => all + kinds.reduce((sum, kind) => sum + (refusals?.[kind] ?? 0), 0), 0);
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: "Refused moves by cause",
      notes: ["Joint ranges include the narrower spread of a bent finger."],
    },
    CAUSES,
    [
      text("cause", "Cause", ({ cause }) => cause),
      count("refused", "Refused", refused(episodes)),
      ...settingsOf(episodes).map((setting): ColumnOf<CauseRow> =>
        count(setting, settingTitle(setting), refused(inSetting(episodes, setting)))
      ),
    ],
  );
}
