import assert from "node:assert/strict";
import { baselineText } from "../../analysis/baseline_table.ts";
import { CLI_CONTEXT } from "../../cli.ts";
import type { EnvironmentDefinition, ScoredState } from "../../env/environment.ts";
import { EXIT } from "../../env/errors.ts";
import { baselineLineSchema, baselineMeanLineSchema } from "../../eval/json_output.ts";
import { captureCli } from "../support/capture_cli.ts";
import { TOY_TASKS, toyEnvironment } from "../support/toy_environment.ts";

type Recorded = Readonly<Record<string, ScoredState>>;

/** States are scores; `blank` is 0, `best` 100, `start` there for the square alone. */
function environment(recorded: Recorded = {}): EnvironmentDefinition {
  return {
    ...toyEnvironment(),
    scoreKind: "partial",
    columns: [
      { key: "score", title: "Score", digits: 1, higherIsBetter: true },
      { key: "match", title: "Match", digits: 2, higherIsBetter: true },
    ],
    baselines: {
      blank: () => Promise.resolve(0),
      best: () => Promise.resolve(100),
      start: ({ id }) => Promise.resolve(id === "square" ? -40 : null),
    },
    findTasks: (ids) =>
      Promise.resolve(
        TOY_TASKS.filter(({ id }) => ids.length === 0 || ids.includes(id))
          .map((task) => task.id === "cross" ? { ...task, baselines: recorded } : task),
      ),
    scoreStates: (_task, states) =>
      Promise.resolve(
        states.map((state) => ({ score: Number(state), metrics: { match: Number(state) / 200 } })),
      ),
  };
}

const bench = (args: readonly string[], recorded?: Recorded) =>
  captureCli(["baselines", ...args], {
    ...CLI_CONTEXT,
    environments: { toy: () => Promise.resolve(environment(recorded)) },
  });

Deno.test("bench baselines prints each task's scores, and means over the tasks that have the baseline", async () => {
  const { code, stdout } = await bench([]);
  assert.equal(code, EXIT.fine);
  assert.equal(
    stdout,
    `
Score   blank   best  start
──────  ─────  ─────  ─────
cross     0.0  100.0
square    0.0  100.0  −40.0
stripe    0.0  100.0
mean      0.0  100.0  −40.0

Means over tasks:

Baseline  Score  Match  Tasks
────────  ─────  ─────  ─────
blank       0.0   0.00      3
best      100.0   0.50      3
start     −40.0  −0.20      1
`.slice(1),
  );
});

Deno.test("bench baselines --json prints a line for each task and baseline, then one for each mean", async () => {
  const { stdout } = await bench(["toy", "--tasks", "square", "--json"]);
  const lines = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(0, 3).map((line) => baselineLineSchema.parse(line).score), [0, 100, -40]);
  assert.deepEqual(
    lines.slice(3).map((line) => baselineMeanLineSchema.parse(line)),
    [
      ["blank", 0],
      ["best", 100],
      ["start", -40],
    ].map(([baseline, score]) => ({
      kind: "baseline_mean",
      schema_version: 1,
      bench: "toy",
      score_kind: "partial",
      baseline,
      score,
      metrics: { match: Number(score) / 200 },
      tasks: 1,
    })),
  );
  const document = await Deno.readTextFile(new URL("../../docs/json_output.md", import.meta.url));
  for (const key of lines.flatMap((line) => Object.keys(line))) {
    assert.ok(document.includes(`\`${key}\``), `docs/json_output.md does not tell of ${key}`);
  }
});

Deno.test("bench baselines compares with recorded scores of the same metrics, and exits 1 when one differs", async () => {
  const recorded = (best: number) => ({
    blank: { score: 0.04, metrics: { match: 0 } },
    best: { score: best, metrics: { match: 0.5 } },
    // Made of other metrics: never set beside ours.
    start: { score: 3, metrics: { match: 1, lpips: 0.2 } },
  });
  const agreeing = await bench([], recorded(99.96));
  assert.equal(agreeing.code, EXIT.fine);
  assert.match(agreeing.stderr, /^Toy: 2 of 2 recorded scores agree$/m);
  const differing = await bench([], recorded(99.9));
  assert.equal(differing.code, EXIT.differences);
  assert.match(differing.stderr, /^cross, best: recorded 99\.90, now 100\.00$/m);
  assert.match(differing.stderr, /^Toy: 1 of 2 recorded scores agree$/m);
});

Deno.test("baselineText() shows a dash where there is no score", () => {
  const row = { baseline: "empty", score: null, metrics: { match: 0.5 } };
  const columns = environment().columns;
  const text = baselineText([{ ...row, taskId: "cross", recorded: null }], [{ ...row, tasks: 1 }], columns);
  assert.match(text, /^cross +–$/m);
  assert.match(text, /^empty +– +0\.50 +1$/m);
});
