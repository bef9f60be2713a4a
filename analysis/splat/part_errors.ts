/** How well reassemblies put their parts back. */
import { z } from "zod";
import { percentiles } from "../numpy_math.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import { count, interval, number, resultTable, share, type TableOrOmission } from "../result_table.ts";
import { bySettingAndModel } from "../settings.ts";
import { groupColumns } from "../tables/budget_use.ts";
import type { TableContext } from "../tables/context.ts";
import { completeOf, taskMeans } from "../task_means.ts";

/** A part is in place within these of its true pose: about the size of a small Gaussian, and a turn one can see. */
export const IN_PLACE = { distance: 0.05, angleDeg: 10 } as const;

const partErrorsSchema = z.array(z.object({
  distance: z.number().nullable(),
  angle_deg: z.number().nullable(),
  scale_error: z.number().nullable(),
}));
type Part = z.infer<typeof partErrorsSchema>[number];

export function partErrorTable(
  { bench, scoreKind, episodes, interval: over }: TableContext,
): TableOrOmission {
  const id = "part_errors";
  const rows = bySettingAndModel(episodes).map((group) => ({
    ...group,
    parts: completeOf(group.episodes).flatMap((episode) => partsOf(episode) ?? []),
    placed: over([...taskMeans(group.episodes, placedPercent).values()]),
  })).filter(({ parts }) => parts.length > 0);
  if (rows.length === 0) return { id, why: "no episode has part errors" };
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: "Errors of reassembled parts",
      notes: [
        `In place: within ${IN_PLACE.distance} and ${IN_PLACE.angleDeg}° of the true pose. ` +
        "Medians over parts that are still there; the share in place is a mean over tasks, parts that are gone count as out of place.",
      ],
    },
    rows,
    [
      ...groupColumns,
      count("parts", "Parts", ({ parts }) => parts.length),
      number(
        "median_distance",
        "Median distance",
        3,
        ({ parts }) => median(parts, ({ distance }) => distance),
      ),
      number(
        "median_angle_deg",
        "Median angle, °",
        1,
        ({ parts }) => median(parts, (part) => part.angle_deg),
      ),
      number(
        "median_scale_error",
        "Median |scale error|",
        3,
        ({ parts }) => median(parts, (part) => part.scale_error === null ? null : Math.abs(part.scale_error)),
      ),
      interval("in_place_percent", "In place, %", ({ placed }) => placed, { digits: 1 }),
      share("gone", "Gone", ({ parts }) => ({
        count: parts.filter(({ distance }) => distance === null).length,
        of: parts.length,
      })),
    ],
  );
}

/** Null for a build, and where the errors were not recorded. */
function partsOf({ details }: PlayedEpisode): Part[] | null {
  const parsed = partErrorsSchema.safeParse(details.part_errors);
  return parsed.success && parsed.data.length > 0 ? parsed.data : null;
}

function placedPercent(episode: PlayedEpisode): number | null {
  const parts = partsOf(episode);
  if (parts === null) return null;
  const placed = parts.filter(({ distance, angle_deg }) =>
    distance !== null && distance <= IN_PLACE.distance && (angle_deg ?? 0) <= IN_PLACE.angleDeg
  );
  return 100 * placed.length / parts.length;
}

function median(parts: readonly Part[], valueOf: (part: Part) => number | null): number | null {
  const values = parts.flatMap((part) => valueOf(part) ?? []);
  return values.length === 0 ? null : percentiles(values, [50])[0];
}
