/** The mirror test and the size of builds, where `rescore --shape` has measured them. */
import { type SplatShape, splatShapeSchema } from "../../tasks/splat_shape.ts";
import { percentiles } from "../numpy_math.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import {
  type ColumnOf,
  count,
  interval,
  number,
  resultTable,
  type TableOrOmission,
} from "../result_table.ts";
import { bySettingAndModel } from "../settings.ts";
import { groupColumns } from "../tables/budget_use.ts";
import type { TableContext } from "../tables/context.ts";
import { completeOf, taskMeans } from "../task_means.ts";

export function shapeTable({ bench, scoreKind, episodes, interval: over }: TableContext): TableOrOmission {
  const id = "shape";
  const rows = bySettingAndModel(episodes).map((group) => ({
    ...group,
    shapes: completeOf(group.episodes).flatMap((episode) => shapeOf(episode) ?? []),
    mirrored: over([...taskMeans(group.episodes, mirroredPercent).values()]),
  })).filter(({ shapes }) => shapes.length > 0);
  if (rows.length === 0) return { id, why: "no episode has a shape; `bench rescore --shape` measures them" };
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: "Mirror test and build size",
      notes: ["Medians with the quartiles; a best scale below 1 means that builds are too big."],
    },
    rows,
    [
      ...groupColumns,
      count("scenes", "Scenes", ({ shapes }) => shapes.length),
      interval("mirrored_percent", "Mirrored, %", ({ mirrored }) => mirrored),
      ...quartiles("mirror_index", "Mirror index", (shape) => shape.mirror_index),
      ...quartiles("best_mirrored_score", "Best mirrored score", (shape) => shape.best_mirrored_score),
      ...quartiles("best_scale", "Best scale", (shape) => shape.best_scale),
      ...quartiles("area_ratio", "Area ratio", (shape) => shape.area_ratio),
      ...quartiles("radius_ratio", "Radius ratio", (shape) => shape.radius_ratio),
    ],
  );
}

function shapeOf({ details }: PlayedEpisode): SplatShape | null {
  const parsed = splatShapeSchema.safeParse(details.shape);
  return parsed.success ? parsed.data : null;
}

function mirroredPercent(episode: PlayedEpisode): number | null {
  const shape = shapeOf(episode);
  return shape === null ? null : 100 * Number(shape.mirrored);
}

function quartiles(
  key: string,
  title: string,
  valueOf: (shape: SplatShape) => number | null,
): ColumnOf<{ readonly shapes: readonly SplatShape[] }>[] {
  return [["", 50], ["_q1", 25], ["_q3", 75]].map(([suffix, percent]) =>
    number(`${key}${suffix}`, suffix === "" ? title : `${percent}%`, 2, ({ shapes }) => {
      const values = shapes.flatMap((shape) => valueOf(shape) ?? []);
      return values.length === 0 ? null : percentiles(values, [Number(percent)])[0];
    })
  );
}
