/** Episodes that submit early, and what refusing that once changes. */
import type { PlayedEpisode } from "../played_episode.ts";
import { type ColumnOf, type Share, share, type TableOrOmission } from "../result_table.ts";
import { inSetting, REFERENCE_SETTING, settingsOf, settingTitle } from "../settings.ts";
import type { TableContext } from "../tables/context.ts";
import { gainTable } from "../tables/gain_table.ts";
import { shareOf } from "../task_means.ts";

const REFUSED = "early_submit_refused";
/** A submit is early before this call, which is where the protocol stops refusing. */
export const EARLY_BEFORE_CALL = 20;

/** The protocol's scores beside the reference setting's, and the shares of episodes that submitted early. */
export function earlySubmitTable(context: TableContext): TableOrOmission {
  // One call is all that an episode of one_shot has.
  const settings = settingsOf(context.episodes).filter((setting) =>
    setting !== REFUSED && setting !== "one_shot"
  );
  return gainTable(context, {
    id: "early_submit",
    title: "The first early submit refused",
    before: { setting: REFERENCE_SETTING, title: settingTitle(REFERENCE_SETTING) },
    after: { setting: REFUSED, title: "Refused once" },
    gainTitle: "Difference",
    sortBy: "after",
    more: [
      share(
        "was_refused",
        "Had a submit refused",
        (own) =>
          shareOf(
            inSetting(own, REFUSED),
            ({ refusals }) => refusals === null ? null : (refusals.early_submit ?? 0) > 0,
          ),
      ),
      ...settings.map((setting): ColumnOf<readonly PlayedEpisode[]> =>
        share(
          `early_${setting}`,
          `Early at ${settingTitle(setting).toLowerCase()}`,
          (own) => earlyShare(inSetting(own, setting)),
        )
      ),
    ],
    notes: [`A submit is early before call ${EARLY_BEFORE_CALL}.`],
  });
}

export function earlyShare(episodes: readonly PlayedEpisode[]): Share | null {
  return shareOf(
    episodes,
    ({ endedBy, calls }) =>
      endedBy === null || calls === null ? null : endedBy === "submit" && calls < EARLY_BEFORE_CALL,
  );
}
