/** The plots of an analysis, as Vega-Lite. */
import type { TopLevelSpec } from "vega-lite";
import type { Analysis } from "../analyze.ts";
import { byText } from "../played_episode.ts";
import { settingTitle } from "../settings.ts";
import { taskMeans } from "../task_means.ts";

export interface Plot {
  /** Name of its files. */
  readonly id: string;
  readonly spec: TopLevelSpec;
}

/** Those that the data give. */
export function plots(analysis: Analysis): Plot[] {
  return [...scoreAgainstCost(analysis), ...curves(analysis), ...heatMap(analysis)];
}

/** Name of a plot's files, without what tells them apart. Partial scores have names of their own. */
export function plotName({ id }: Plot, { scoreKind }: Analysis): string {
  return `plot_${id}${scoreKind === "partial" ? "_partial" : ""}`;
}

/** Names of all files of plots. */
export function plotFiles(analysis: Analysis): string[] {
  return plots(analysis).flatMap((plot) =>
    [".svg", ".png"].map((ending) => plotName(plot, analysis) + ending)
  );
}

/** Sizes are multiples of ten dots of the font that PNG files are lettered in. */
const STYLE: Partial<TopLevelSpec> = {
  background: "white",
  padding: 12,
  config: {
    font: "sans-serif",
    axis: {
      labelFontSize: 10,
      titleFontSize: 10,
      titleFontWeight: "normal",
      labelLimit: 260,
      gridColor: "#eee",
    },
    legend: { labelFontSize: 10, titleFontSize: 10, titleFontWeight: "normal", labelLimit: 260 },
    header: { labelFontSize: 10, titleFontSize: 10, labelFontWeight: "bold" },
    title: { fontSize: 10, fontWeight: "bold", anchor: "start", offset: 12 },
    view: { stroke: "#ccc" },
  },
};

/** Eight hues that stay apart for the colour-blind, then Vega's own. */
const COLORS = [
  ...["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#5e3c99"],
  ...["#8c564b", "#17becf", "#bcbd22", "#393b79"],
];

/** Settings that differ in effort: other rules are other games. */
function scoreAgainstCost({ settings, scoreKind }: Analysis): Plot[] {
  const points = settings.filter(({ setting }) => setting.endsWith("_effort")).flatMap((
    { setting, model, score, costUsd },
  ) =>
    score === null || costUsd === null ? [] : [{
      model,
      setting: settingTitle(setting),
      cost: costUsd,
      score: score.mean,
      low: score.low ?? score.mean,
      high: score.high ?? score.mean,
    }]
  );
  if (points.length === 0) return [];
  // A scripted policy costs nothing, and a logarithm has no place for that.
  const scale = points.every(({ cost }) => cost > 0) ? { type: "log" as const, nice: true } : { zero: true };
  const color = {
    field: "model",
    type: "nominal",
    title: "Model",
    scale: { domain: names(points, ({ model }) => model), range: COLORS },
  } as const;
  // Where nothing costs anything, models stand side by side: their points would be one on another.
  const place = points.every(({ cost }) => cost === 0)
    ? {
      x: {
        field: "model",
        type: "nominal",
        title: "Model (no episode cost anything)",
        axis: { labelAngle: -40 },
      },
      xOffset: { field: "setting", type: "nominal", sort: null },
    } as const
    : {
      x: {
        field: "cost",
        type: "quantitative",
        title: "Cost per episode (US dollars)",
        scale,
        axis: { format: "~g" },
      },
    } as const;
  return [{
    id: "score_vs_cost",
    spec: {
      ...STYLE,
      title: `${titleOf(scoreKind)} and cost, mean over tasks with 95% intervals`,
      data: { values: points },
      width: 460,
      height: 340,
      layer: [
        {
          mark: { type: "line", strokeWidth: 0.7 },
          encoding: { ...place, y: { field: "score", type: "quantitative" }, color },
        },
        {
          mark: { type: "rule", strokeWidth: 1 },
          encoding: { ...place, y: { field: "low", type: "quantitative" }, y2: { field: "high" }, color },
        },
        {
          mark: { type: "point", filled: true, size: 55, opacity: 1 },
          encoding: {
            ...place,
            y: { field: "score", type: "quantitative", title: titleOf(scoreKind) },
            color,
            shape: { field: "setting", type: "nominal", title: "Setting", sort: null },
          },
        },
      ],
    },
  }];
}

function curves({ curves, scoreKind }: Analysis): Plot[] {
  const points = curves.flatMap(({ setting, model, scores }) =>
    scores.flatMap((score, call) =>
      score === null ? [] : [{ setting: settingTitle(setting), model, call, score }]
    )
  );
  if (points.length === 0) return [];
  return [{
    id: "curves",
    spec: {
      ...STYLE,
      title: `Hidden ${titleOf(scoreKind).toLowerCase()} after so many calls, mean over tasks`,
      data: { values: points },
      facet: {
        field: "setting",
        type: "nominal",
        title: null,
        sort: names(points, ({ setting }) => setting, "given"),
      },
      columns: 3,
      // A shared axis would stand under places without a facet, too.
      resolve: { axis: { x: "independent" } },
      spec: {
        width: 280,
        height: 220,
        mark: { type: "line", strokeWidth: 1.5, interpolate: "step-after" },
        encoding: {
          x: { field: "call", type: "quantitative", title: "Calls", axis: { tickMinStep: 1 } },
          y: { field: "score", type: "quantitative", title: titleOf(scoreKind) },
          color: {
            field: "model",
            type: "nominal",
            title: "Model",
            scale: { domain: names(points, ({ model }) => model), range: COLORS },
          },
        },
      },
    },
  }];
}

function heatMap({ settings, scoreKind }: Analysis): Plot[] {
  const cells = settings.flatMap(({ setting, model, episodes }) =>
    [...taskMeans(episodes)].map(([task, score]) => ({
      setting: settingTitle(setting),
      model,
      task,
      score,
      label: String(Math.round(score)).replace("-", "−"),
    }))
  );
  if (cells.length === 0) return [];
  const scores = cells.map(({ score }) => score);
  // Far below an empty scene is as bad as bad gets; the numbers say how far.
  const domain = [Math.max(-60, Math.min(0, ...scores)), Math.max(60, ...scores)];
  return [{
    id: "task_results",
    spec: {
      ...STYLE,
      title: `${titleOf(scoreKind)} by task`,
      columns: 3,
      concat: [...Map.groupBy(cells, ({ setting }) => setting)].map(([setting, values]) => ({
        title: setting,
        data: { values },
        width: { step: 34 },
        height: { step: 16 },
        encoding: {
          x: { field: "model", type: "nominal", title: null, sort: null, axis: { labelAngle: -40 } },
          y: { field: "task", type: "nominal", title: null, sort: "ascending" },
        },
        layer: [
          {
            mark: { type: "rect" },
            encoding: {
              color: {
                field: "score",
                type: "quantitative",
                title: titleOf(scoreKind),
                scale: { domain, scheme: "viridis", clamp: true },
              },
            },
          },
          {
            mark: { type: "text", fontSize: 10 },
            encoding: {
              text: { field: "label" },
              color: {
                condition: {
                  test: `datum.score > ${domain[0] + 0.6 * (domain[1] - domain[0])}`,
                  value: "black",
                },
                value: "white",
              },
            },
          },
        ],
      })),
    },
  }];
}

function titleOf(scoreKind: Analysis["scoreKind"]): string {
  return scoreKind === "full" ? "Score" : "Score (partial)";
}

/** Distinct names, in code-unit order or in the order given. */
function names<Point>(
  points: readonly Point[],
  nameOf: (point: Point) => string,
  order: "sorted" | "given" = "sorted",
): string[] {
  const distinct = [...new Set(points.map(nameOf))];
  return order === "sorted" ? distinct.sort(byText) : distinct;
}
