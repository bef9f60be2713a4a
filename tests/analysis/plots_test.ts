import assert from "node:assert/strict";
import { analyze } from "../../analysis/analyze.ts";
import { DEFAULT_RECIPE } from "../../analysis/bootstrap.ts";
import { taskFacts } from "../../analysis/load_input.ts";
import { plotSvg, svgPng } from "../../analysis/plots/draw_plot.ts";
import { letteredSvg } from "../../analysis/plots/lettered_svg.ts";
import { plots } from "../../analysis/plots/plot_specs.ts";
import { playedEpisodes } from "../../analysis/played_episode.ts";
import { decodePng } from "../../env/png.ts";
import { shadowRows } from "./published_input.ts";

const few = { ...DEFAULT_RECIPE, resamples: 200 };
const [analysis] = analyze(
  {
    bench: "shadow",
    episodes: playedEpisodes("shadow", shadowRows()),
    ...taskFacts("shadow", []),
    steps: null,
  },
  { recipe: few },
);
const drawn = new Map<string, string>();
for (const { id, spec } of plots(analysis)) drawn.set(id, await plotSvg(spec));
const svgOf = (id: string) => drawn.get(id) ?? "";

Deno.test("plots() gives score against cost, curves and a heat map, with their words", () => {
  assert.deepEqual([...drawn.keys()], ["score_vs_cost", "curves", "task_results"]);
  for (const svg of drawn.values()) assert.match(svg, />Max<\/text>/);
  assert.match(svgOf("score_vs_cost"), />Cost per episode \(US dollars\)<\/text>/);
  assert.match(svgOf("curves"), />GPT-6 Luna<\/text>/);
  // The giraffe of Claude Opus 5.5, 68.3.
  assert.match(svgOf("task_results"), />hilliar_giraffe<\/text>/);
  assert.match(svgOf("task_results"), />68<\/text>/);
});

Deno.test("plots() draws an interval and a point for each model at each effort", () => {
  const svg = svgOf("score_vs_cost");
  assert.equal(svg.match(/aria-roledescription="rule mark"/g)?.length, 18);
  assert.equal(svg.match(/aria-roledescription="point"/g)?.length, 18);
});

Deno.test("plots() gives no cost plot without costs, and no curves without curves", () => {
  const rows = shadowRows().map(({ curve: _, ...row }) => ({ ...row, cost_usd: null }));
  const [bare] = analyze(
    { bench: "shadow", episodes: playedEpisodes("shadow", rows), ...taskFacts("shadow", []), steps: null },
    { recipe: few },
  );
  assert.deepEqual(plots(bare).map(({ id }) => id), ["task_results"]);
});

Deno.test("plots() sets models side by side where nothing costs anything", async () => {
  const rows = shadowRows().map((row) => ({ ...row, cost_usd: 0 }));
  const [free] = analyze(
    { bench: "shadow", episodes: playedEpisodes("shadow", rows), ...taskFacts("shadow", []), steps: null },
    { recipe: few },
  );
  const plot = plots(free).find(({ id }) => id === "score_vs_cost");
  assert.ok(plot !== undefined);
  const svg = await plotSvg(plot.spec);
  assert.match(svg, />Model \(no episode cost anything\)<\/text>/);
  const places = [...svg.matchAll(/aria-roledescription="point"[^>]* transform="translate\(([\d.]+),/g)]
    .map(([, x]) => x);
  assert.equal(places.length, 18);
  assert.equal(new Set(places).size, 18);
});

Deno.test("plots() draws an axis of calls under each setting and under no other place", () => {
  const svg = svgOf("curves");
  const settings = new Set(analysis.curves.map(({ setting }) => setting)).size;
  assert.equal(svg.match(/>Calls<\/text>/g)?.length, settings);
});

Deno.test("plotSvg() writes XML, whatever characters names have", async () => {
  const rows = shadowRows().map((row) => ({ ...row, model_name: `${row.model_name}\u001b\n\uffff\ud800` }));
  const [odd] = analyze(
    { bench: "shadow", episodes: playedEpisodes("shadow", rows), ...taskFacts("shadow", []), steps: null },
    { recipe: few },
  );
  for (const { spec } of plots(odd)) {
    const svg = await plotSvg(spec);
    // XML 1.0, production 2.
    assert.match(svg, /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    assert.match(svg, />GPT-6 Luna␛ ��<\/text>/);
    assert.deepEqual([...(await svgPng(svg)).subarray(1, 4)], [...new TextEncoder().encode("PNG")]);
  }
});

Deno.test("letteredSvg() draws letters where the text was: anchors, size, entities", () => {
  const svg =
    '<svg><text text-anchor="end" transform="translate(50,20)" font-size="20px" fill="#123">L&gt;</text></svg>';
  const [, d] =
    letteredSvg(svg).match(/^<svg><path transform="translate\(50,20\)" fill="#123" d="([^"]*)"\/><\/svg>$/) ??
      [];
  // Two characters of 6 dots less the last gap are 11 dots of 2 pixels, all left of the anchor.
  const runs = [...d.matchAll(/M(-?[\d.]+) (-?[\d.]+)h([\d.]+)v2h-\3z/g)].map(([, x, y, width]) => ({
    left: Number(x),
    right: Number(x) + Number(width),
    top: Number(y),
  }));
  assert.equal(Math.min(...runs.map(({ left }) => left)), -22);
  assert.ok(Math.max(...runs.map(({ right }) => right)) <= 0);
  // An L is a stroke down to the base line and one along it.
  const base = runs.filter(({ top, left }) => top === -2 && left === -22);
  assert.deepEqual(base, [{ left: -22, right: -12, top: -2 }]);
  assert.equal(runs.filter(({ left, right }) => left === -22 && right === -20).length, 6);
});

Deno.test("svgPng() shows letters without any font", async () => {
  const blank =
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><rect width="60" height="20" fill="white"/>';
  const ink = async (content: string) => {
    const { data, width, height } = decodePng(await svgPng(`${blank}${content}</svg>`));
    assert.deepEqual([width, height], [120, 40]);
    return data.filter((value, at) => at % 4 === 0 && value < 128).length;
  };
  assert.equal(await ink(""), 0);
  // An I of the font: 11 dots of 2 × 2 pixels of a picture at twice the size.
  assert.equal(await ink('<text transform="translate(5,15)" font-size="10px" fill="black">I</text>'), 11 * 4);
});
