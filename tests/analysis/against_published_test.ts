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

Deno.test("againstPublished() names the cells of one changed score, and its neighbours agree", () => {
  const rows = shadowRows();
  const at = rows.findIndex(({ model_name, setting, task_id }) =>
    model_name === "GPT-6 Luna" && setting === "high_effort" && task_id === "trewey_cat"
  );
  rows[at] = { ...rows[at], score: (rows[at].score ?? 0) + 4 };
  const changed = { ...shadow, episodes: playedEpisodes("shadow", rows) };
  assert.deepEqual(differences(changed), ["leaderboard GPT-6 Luna high: 35.2 not 35.0"]);
  const { tables: [table], differing } = againstPublished(analyze(changed));
  assert.equal(differing, 1);
  assert.match(table.notes[0], /^\d+ of \d+ figures are the same/);
});

Deno.test("againstPublished() names counts, levels and comparisons that no longer hold", () => {
  const rows = splatRows().map((row) => {
    const { model_name, setting, task_id, score } = row;
    if (model_name === "GPT-5.6 Terra" && setting === "early_submit_refused") {
      return { ...row, score: (score ?? 0) + 60 };
    }
    const isLost = model_name === "GPT-6.1 Sol" && setting === "medium_effort" && task_id === "lego__sculpt";
    return isLost ? { ...row, status: "error" as const, score: null } : row;
  });
  const named = differences({ ...splat, episodes: playedEpisodes("splat", rows) }).join("\n");
  assert.match(named, /^early_submit GPT-5\.6 Terra gain: .* not $/m);
  assert.match(named, /^pairs_medium_effort GPT-6 Astra\/GPT-6\.1 Sol wins_of: 29 not 30$/m);
  assert.match(named, /^one_shot GPT-6\.1 Sol tasks: 14 not 15$/m);
  assert.doesNotMatch(named, /Haiku|Luna|Grok/);
});

Deno.test("againstPublished() counts a missing row as different and leaves tables out that the data do not give", () => {
  const rows = splatRows().filter(({ model_name, setting }) =>
    model_name !== "Grok 4.7" && setting !== "one_shot"
  );
  const { tables: [table], differing } = againstPublished(
    analyze({ ...splat, episodes: playedEpisodes("splat", rows), references: new Map() }),
  );
  assert.ok(differing >= 5);
  const notes = table.notes.join("\n");
  for (const id of ["one_shot", "pairs_one_shot", "references"]) {
    assert.match(notes, new RegExp(`the table ${id}\\.`));
  }
  const grok = table.rows.filter(([, row]) => row === "Grok 4.7");
  assert.deepEqual(grok.map((row) => row[6]), Array.from({ length: 5 }, () => "differs"));
});

Deno.test("analyze() makes leaderboard configs of as many rows as the published ones have", () => {
  assert.deepEqual([splat, shadow].map((input) => analyze(input)[0].leaderboard.length), [33, 21]);
});

Deno.test("againstPublished() refuses partial scores", () => {
  const rows = splatRows().map((row) => ({ ...row, score_kind: "partial" as const }));
  assert.throws(
    () => againstPublished(analyze({ ...splat, episodes: playedEpisodes("splat", rows) })),
    /the scores are partial/,
  );
});
