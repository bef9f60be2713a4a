import assert from "node:assert/strict";
import { join } from "node:path";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";
import { POSE } from "../support/small_run.ts";

type Bench = "splat" | "shadow";
type Row = Record<string, unknown>;
/** Rows by table and split. */
type Data = Record<"episodes" | "steps" | "tasks", Record<string, Row[]>>;

const SETTINGS = ["medium_effort", "max_effort"];

/** Models a and b on tasks of 20 and 40 points: b is ten points better, and so is the higher effort. */
function dataOf(bench: Bench): Data {
  const tasks = ["chair", "table"].map((name) => bench === "splat" ? `${name}__sculpt` : name);
  const split = <T>(make: (setting: string) => T) =>
    Object.fromEntries(SETTINGS.map((name) => [name, make(name)]));
  const id = (model: string, setting: string, task: string) => `${model}@${setting}/${task}`;
  const each = (setting: string, make: (model: string, task: string) => Row[]) =>
    ["a", "b"].flatMap((model) =>
      tasks.flatMap((task) =>
        make(model, task).map((row) => ({ schema_version: 1, ...row, episode_id: id(model, setting, task) }))
      )
    );
  return {
    episodes: split((setting) =>
      each(setting, (model, task) => [{
        model_name: model,
        task_id: task,
        score: 20 + 20 * tasks.indexOf(task) + (model === "b" ? 10 : 0) + (setting === "max_effort" ? 10 : 0),
        score_kind: "full",
        cost_usd: 0.5,
        input_tokens: 10,
        calls: 2,
        steps: 3,
        curve: [{ step: 0, score: 5, metrics: {} }],
        ...bench === "shadow" ? { final_pose: POSE } : {},
      }])
    ),
    steps: split((setting) =>
      each(setting, () =>
        [0, 1].map((step) => ({
          step,
          tool: step === 0 ? null : "set_fingers",
          arguments: "{}",
          accepted: true,
          response: "",
          image: null,
          hidden_score: 5 + step,
          score_before_peeks: 5 + step,
          ...bench === "shadow" ? { pose: POSE } : { scene: [] },
        })))
    ),
    tasks: {
      test: tasks.map((task_id) => ({
        schema_version: 1,
        task_id,
        baselines: { empty: { score: 1, metrics: { lpips: 1 } } },
      })),
    },
  };
}

async function analyzed(bench: Bench, damage: (data: Data) => void, ...options: string[]) {
  const data = dataOf(bench);
  damage(data);
  let result = { code: -1, stdout: "", stderr: "" };
  await withFolder(async (folder) => {
    for (const [table, splits] of Object.entries(data)) {
      await Deno.mkdir(join(folder, table));
      for (const [split, rows] of Object.entries(splits)) {
        await Deno.writeTextFile(
          join(folder, table, `${split}.jsonl`),
          rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
        );
      }
    }
    result = await captureCli(["analyze", bench, folder, ...options]);
  });
  assert.doesNotMatch(result.stdout, /NaN|Infinity|undefined/);
  return result;
}

const rename = (from: string, to: string) => ({ [from]: value, ...row }: Row): Row => ({
  ...row,
  [to]: value,
});

interface Kind {
  readonly what: string;
  readonly damage: (data: Data) => void;
  readonly code: 0 | 2;
  /** What stderr says; of one benchmark alone where it differs. */
  readonly says: RegExp | Record<Bench, RegExp>;
  /** What the table of settings shows. */
  readonly shows?: RegExp;
}

const KINDS: readonly Kind[] = [
  {
    what: "nothing damaged",
    damage: () => {},
    code: 0,
    says: { splat: /^No table one_shot: /m, shadow: /^/ },
    shows: /^max_effort +b +50\.0 \[40\.0, 60\.0\] .* \+10\.0 \[\+10\.0, \+10\.0\] +2 of 2$/m,
  },
  {
    what: "a missing split of episodes",
    damage: ({ episodes }) => delete episodes.max_effort,
    code: 0,
    says: {
      splat: /^No table reasoning_effort: no model has scores at 2 efforts$/m,
      shadow: /^No table effort_gain: there is no effort above medium_effort$/m,
    },
  },
  {
    what: "a missing split of steps",
    damage: ({ steps }) => delete steps.max_effort,
    code: 0,
    says: {
      splat: /^/,
      shadow:
        /^Without the table steps: .*no split max_effort; the splits there are medium_effort[^]*^No table moves: /m,
    },
  },
  {
    what: "no table of episodes",
    damage: ({ episodes }) => SETTINGS.forEach((setting) => delete episodes[setting]),
    code: 2,
    says: /it has no table episodes\. Fetch or export it with its episodes$/m,
  },
  {
    what: "a renamed column that it needs",
    damage: ({ episodes }) => episodes.max_effort = episodes.max_effort.map(rename("score", "points")),
    code: 2,
    says: /max_effort\.jsonl .*column score is missing\. .*; the columns there are .*"points"/,
  },
  {
    what: "a renamed column that it can do without",
    damage: ({ episodes }) => episodes.max_effort = episodes.max_effort.map(rename("curve", "line")),
    code: 0,
    says: /^Episodes of max_effort have no column (.*, )?curve(, .*)?; cells that need it are empty$/m,
    shows: /^max_effort +b +50\.0 \[40\.0, 60\.0\] /m,
  },
  {
    what: "empty episodes",
    damage: ({ episodes }) => SETTINGS.forEach((setting) => episodes[setting] = []),
    code: 2,
    says: /it has no episode\./,
  },
  {
    what: "an empty table of tasks",
    damage: ({ tasks }) => tasks.test = [],
    code: 0,
    says: /^No table references: there is no table of tasks with recorded fixed points$/m,
    shows: /^max_effort +b +50\.0 \[40\.0, 60\.0\] /m,
  },
  {
    what: "an empty table of steps",
    damage: ({ steps }) => SETTINGS.forEach((setting) => steps[setting] = []),
    code: 0,
    says: { splat: /^/, shadow: /^Without the table steps: it has no step of these episodes$/m },
  },
  {
    what: "episodes without steps",
    damage: ({ steps }) => steps.max_effort = [],
    code: 0,
    says: {
      splat: /^/,
      shadow: /^The table steps lacks 4 of 8 episodes; moves and plans are of the rest$/m,
    },
  },
  {
    what: "a task that the table of tasks lacks",
    damage: ({ tasks }) => tasks.test.pop(),
    code: 2,
    says:
      /row 1 of .*medium_effort\.jsonl .*column task_id: table\S* is not in the table tasks\. .*--skip-bad/,
  },
  {
    what: "one episode",
    damage: ({ episodes }) => {
      delete episodes.max_effort;
      episodes.medium_effort.length = 1;
    },
    code: 0,
    says: /^No table pairs_medium_effort: no two models share a task in medium_effort$/m,
    shows: /^medium_effort +a +20\.0 +\$0\.50 +– +1 +1 +0 /m,
  },
  {
    what: "one task",
    damage: ({ episodes }) => {
      for (const setting of SETTINGS) episodes[setting] = episodes[setting].filter((_, i) => i % 2 === 0);
    },
    code: 0,
    says: /^/,
    shows: /^max_effort +b +40\.0 +\$0\.50 +– +1 +1 +0 +30\.0 +\+10\.0 +1 of 1$/m,
  },
  {
    what: "scores that are all the same",
    damage: ({ episodes }) => Object.values(episodes).flat().forEach((row) => row.score = 25),
    code: 0,
    says: /^/,
    shows: /^max_effort +b +25\.0 \[25\.0, 25\.0\] .* 0\.0 \[0\.0, 0\.0\] +0 of 2$/m,
  },
  {
    what: "a model without half the tasks",
    damage: ({ episodes }) => episodes.max_effort.splice(2, 1),
    code: 0,
    says: /^/,
    // Its gain is on the task that both settings have: ten points, not the easier task's.
    shows: /^max_effort +b +60\.0 +\$0\.50 +– +1 +1 +0 +50\.0 +\+10\.0 +1 of 1$/m,
  },
  {
    what: "no score at all",
    damage: ({ episodes }) => Object.values(episodes).flat().forEach((row) => row.score = null),
    code: 0,
    says: /^No table best_episodes: no episode has a score$/m,
    shows: /^medium_effort +a +– /m,
  },
];

for (const bench of ["splat", "shadow"] as const) {
  for (const { what, damage, code, says, shows } of KINDS) {
    Deno.test(`bench analyze of ${bench} with ${what} exits ${code} and says so`, async () => {
      const result = await analyzed(bench, damage);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, says instanceof RegExp ? says : says[bench]);
      if (code === 2) assert.deepEqual([result.stdout, result.stderr.trim().split("\n").length], ["", 1]);
      if (shows !== undefined) assert.match(result.stdout, shows);
    });
  }
}
