import assert from "node:assert/strict";
import { type AnalysisInput, analyze } from "../../analysis/analyze.ts";
import { taskFacts } from "../../analysis/load_input.ts";
import { playedEpisodes } from "../../analysis/played_episode.ts";
import { againstPublished, comparisons } from "../../analysis/published/against.ts";
import { stepFacts } from "../../analysis/shadow/step_facts.ts";
import { shadowRows, shadowStepRows, shadowTaskRows, splatRows, splatTaskRows } from "./published_input.ts";

const splat: AnalysisInput = {
  bench: "splat",
  episodes: playedEpisodes("splat", splatRows()),
  ...taskFacts("splat", splatTaskRows()),
  steps: null,
};
const shadow: AnalysisInput = {
  bench: "shadow",
  episodes: playedEpisodes("shadow", shadowRows()),
  ...taskFacts("shadow", shadowTaskRows()),
  steps: await stepFacts(shadowStepRows()),
};

function differences(input: AnalysisInput): string[] {
  const [analysis] = analyze(input);
  return comparisons(analysis).filter(({ agrees }) => !agrees)
    .map(({ figure, ours }) =>
      `${figure.table} ${figure.row.join("/")} ${figure.column}: ${ours} not ${figure.printed}`
    );
}

Deno.test("againstPublished() finds no difference in episodes made to have SplatBench's published figures", () => {
  assert.deepEqual(differences(splat), []);
  const { tables: [table], differing } = againstPublished(analyze(splat));
  assert.equal(differing, 0);
  // 8 × 5 + 4 + 1, 7 × 6, 1, 7 × 6, 3, 4 × 2, 3, 25 + 4 of the data.
  assert.equal(table.rows.length, 45 + 42 + 1 + 42 + 3 + 8 + 3 + 26);
});

Deno.test("againstPublished() finds no difference in episodes made to have ShadowBench's published figures", () => {
  assert.deepEqual(differences(shadow), []);
});
