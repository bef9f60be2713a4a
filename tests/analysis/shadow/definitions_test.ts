import assert from "node:assert/strict";
import { type AnalysisInput, analyze } from "../../../analysis/analyze.ts";
import { DEFAULT_RECIPE } from "../../../analysis/bootstrap.ts";
import { taskFacts } from "../../../analysis/load_input.ts";
import { playedEpisodes } from "../../../analysis/played_episode.ts";
import { flatRows } from "../../../analysis/result_table.ts";
import { FINDINGS } from "../../../analysis/shadow/definitions.ts";
import { stepFacts } from "../../../analysis/shadow/step_facts.ts";
import { shadowRows, shadowStepRows } from "../published_input.ts";

const recipe = { ...DEFAULT_RECIPE, resamples: 100 };
const steps = [...shadowStepRows()];
const input: AnalysisInput = {
  bench: "shadow",
  episodes: playedEpisodes("shadow", shadowRows()),
  ...taskFacts("shadow", []),
  steps: await stepFacts(steps),
};

/** The row of all episodes. */
function all(table: string, definitions = FINDINGS, from = input) {
  const found = analyze(from, { recipe, definitions })[0].tables.find(({ id }) => id === table);
  return found === undefined ? undefined : flatRows(found)[0];
}

Deno.test("definitions move the findings they name, and the published ones are the default", () => {
  assert.equal(all("hands_apart")?.together, 7);
  assert.equal(all("hands_apart", { ...FINDINGS, together: { skin: 1, wrists: 0 } })?.together, 295);
  assert.equal(all("moves", { ...FINDINGS, unchangedWithin: 1000 })?.neither_percent, 100);
  assert.equal(all("submissions", { ...FINDINGS, belowBestBy: 1000 })?.below_best, 0);
  assert.equal(all("components", { ...FINDINGS, solvedFrom: 0 })?.solved, 360);
  const turns = steps.filter(({ tool, accepted }) => tool === "turn_hand" && accepted).length;
  assert.equal(all("moves", { ...FINDINGS, moveTools: ["turn_hand"] })?.moves, turns);
});

Deno.test("definitions count revised plans, or the first of each episode alone", async () => {
  // The 254 episodes that plan before they peek say the same again.
  const revised = steps.flatMap((row) =>
    row.step === 1 && row.tool === "plan" ? [row, { ...row, step: 1.5 }] : [row]
  );
  const twice = { ...input, steps: await stepFacts(revised) };
  assert.deepEqual([all("knowledge", FINDINGS, twice)?.named, all("knowledge", FINDINGS, twice)?.named_of], [
    338,
    508,
  ]);
  const first = all("knowledge", { ...FINDINGS, plans: "first" }, twice);
  assert.deepEqual([first?.named, first?.named_of], [169, 254]);
});

Deno.test("findings that need steps say so without them; the others stay", () => {
  const bare = { ...input, steps: null };
  const [{ omissions }] = analyze(bare, { recipe });
  assert.deepEqual(omissions.filter(({ id }) => id !== "references"), [
    { id: "moves", why: "it needs the table of steps" },
  ]);
  const knowledge = all("knowledge", FINDINGS, bare);
  assert.deepEqual([knowledge?.named, knowledge?.consulted, knowledge?.consulted_of], [null, 318, 360]);
  assert.deepEqual(all("submissions", FINDINGS, bare)?.below_best, 135);
});

Deno.test("episodes that never moved a hand are told from counts where there are no steps", () => {
  const counts = (tool_calls: Record<string, number>, refusals: Record<string, number>) => ({
    ...shadowRows()[0],
    tool_calls,
    refusals,
  });
  const rows = [
    counts({ look: 4, submit: 1 }, {}),
    counts({ set_fingers: 2, turn_hand: 1 }, { no_plan: 1, self_collision: 2 }),
    counts({ set_fingers: 2, turn_hand: 1 }, { no_plan: 1, self_collision: 1 }),
    counts({ move_hand: 1 }, { no_looks_left: 3 }),
  ].map((row, at) => ({ ...row, episode_id: `episode ${at}` }));
  const counted = { ...input, episodes: playedEpisodes("shadow", rows), steps: null };
  assert.equal(all("submissions", FINDINGS, counted)?.never_moved, 2);
});

Deno.test("hands are measured between the wrists where the gap is not recorded", () => {
  const [right, left]: [[number, number, number], [number, number, number]] = [[0.02, 0, 0.5], [
    -0.01,
    0.04,
    0.62,
  ]];
  const [row] = shadowRows();
  assert.ok(row.final_pose !== undefined);
  const bare = all("hands_apart", FINDINGS, {
    ...input,
    episodes: playedEpisodes("shadow", [
      { ...row, details: {}, final_pose: { ...row.final_pose, positions: [right, left] } },
    ]),
  });
  // Of 3, 4 and 12 cm: 13 cm, 12 of them in depth.
  assert.ok(Math.abs(Number(bare?.apart_cm) - 13) < 1e-9 && Math.abs(Number(bare?.depth_cm) - 12) < 1e-9);
  assert.deepEqual([bare?.together, bare?.measured], [0, "wrists"]);
});
