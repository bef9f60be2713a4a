/** Finding: a collage, not a puppet. How far apart the hands of final poses are. */
import { shadowHandsSchema } from "../../tasks/shadow_hands.ts";
import { percentiles } from "../numpy_math.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import { count, number, resultTable, share, type TableOrOmission, text } from "../result_table.ts";
import { groupColumns } from "../tables/budget_use.ts";
import { completeOf } from "../task_means.ts";
import { allAndEach, type ShadowContext } from "./context.ts";
import type { FindingDefinitions } from "./definitions.ts";

/** The hands of a final pose in which both cast a shadow. */
interface Apart {
  readonly measured: "skin" | "wrists";
  /** Metres between the nearest points of the skins, or between the wrist anchors. */
  readonly distance: number;
  /** Metres between the wrist anchors along the light. */
  readonly depth: number;
}

export function handsApart({ bench, scoreKind, episodes, definitions }: ShadowContext): TableOrOmission {
  const id = "hands_apart";
  const rows = allAndEach(episodes).map((group) => ({
    ...group,
    hands: completeOf(group.episodes).flatMap((episode) => apart(episode) ?? []),
  })).filter(({ hands }) => hands.length > 0);
  if (rows.length === 0) return { id, why: "no episode has a final pose in which both hands cast a shadow" };
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: "Hands of final poses in which both cast a shadow",
      notes: [
        `Together: at most ${
          100 * definitions.together.skin
        } cm between the nearest points of the skins, or ` +
        `${100 * definitions.together.wrists} cm between the wrists where the gap is not recorded. ` +
        "Depth is along the light, between the wrists.",
      ],
    },
    rows,
    [
      ...groupColumns,
      count("poses", "Poses", ({ hands }) => hands.length),
      share("together", "Held together", ({ hands }) => ({
        count: hands.filter((pair) => isTogether(pair, definitions)).length,
        of: hands.length,
      })),
      number(
        "apart_cm",
        "Median apart, cm",
        1,
        ({ hands }) => median(hands.map(({ distance }) => 100 * distance)),
      ),
      number("depth_cm", "Median depth, cm", 1, ({ hands }) => median(hands.map(({ depth }) => 100 * depth))),
      text(
        "measured",
        "Between",
        ({ hands }) => [...new Set(hands.map(({ measured }) => measured))].sort().join(", "),
      ),
    ],
  );
}

function apart({ details, pose }: PlayedEpisode): Apart | null {
  if (pose === null) return null;
  const [right, left] = pose.positions;
  const depth = Math.abs(right[2] - left[2]);
  const hands = shadowHandsSchema.safeParse(details.hands);
  if (hands.success) {
    return hands.data.casting.every(Boolean) ? { measured: "skin", distance: hands.data.gap, depth } : null;
  }
  const distance = Math.hypot(...right.map((value, axis) => value - left[axis]));
  return { measured: "wrists", distance, depth };
}

function isTogether({ measured, distance }: Apart, { together }: FindingDefinitions): boolean {
  return distance <= together[measured];
}

function median(values: readonly number[]): number {
  return percentiles(values, [50])[0];
}
