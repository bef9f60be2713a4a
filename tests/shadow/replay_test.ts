import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT, type CliContext } from "../../cli.ts";
import type { StepRecord } from "../../env/records.ts";
import { auditSteps } from "../../shadow/audit.ts";
import { shadowEnvironment } from "../../shadow/environment.ts";
import { tasks } from "../../shadow/shadow_env.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withHandFile } from "../support/hand_glb.ts";
import { stubPictures, stubPlay } from "../support/shadow_stub.ts";
import { withFolder } from "../support/with_folder.ts";

const [FIRST] = tasks();

/** The command line, but for pictures, which take a device. */
const CONTEXT: CliContext = {
  ...CLI_CONTEXT,
  environments: {
    shadow: ({ hand }) =>
      Promise.resolve(shadowEnvironment({
        openPictures: () => Promise.resolve(stubPictures("look")),
        ...(hand === null ? {} : { hand }),
      })),
  },
};

Deno.test("eval and replay of shadow on a device: identical texts, poses, scores and pixels", async () => {
  await withFolder(async (folder) => {
    const device = ["--device", "software"];
    const models = ["--models", "builtin:walk,builtin:witness"];
    const played = await captureCli(
      ["eval", "shadow", ...models, "--tasks", FIRST, "--out", folder, "--json", ...device],
    );
    assert.equal(played.code, 0, played.stderr);
    const rows = played.stdout.trim().split("\n").map((line) => JSON.parse(line));
    const [walk, witness] = rows.filter(({ kind }) => kind === "episode");
    assert.equal(walk.episode_id, `builtin:walk@medium/${FIRST}`);
    assert.deepEqual([walk.setting, walk.score_kind], ["medium_effort", "full"]);
    assert.equal(walk.plans[0], "something else: wherever the hands come to");
    assert.ok(walk.budget_used.looks > 0 && walk.steps === walk.calls + 1);
    assert.deepEqual([witness.metrics.solved, witness.metrics.iou], [1, 1]);
    assert.ok(witness.score > 96);

    const replayed = await captureCli(["replay", folder, "--all", ...device]);
    assert.deepEqual([replayed.code, replayed.stdout], [
      0,
      `2 episodes, ${walk.steps + witness.steps} steps replayed: no differences\n`,
    ]);

    // On disk a slash is two underscores.
    const file = join(folder, "shadow/medium_effort", `builtin_walk@medium__${FIRST}`, "steps.jsonl");
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace('"positions":[[0.13,', '"positions":[[0.14,'));
    const altered = await captureCli(["replay", folder, "--all", ...device]);
    assert.equal(altered.code, 1);
    assert.match(
      altered.stdout,
      /walk@medium\/\w+: step 0: state\.positions\[0\]\[0\]\n +recorded +0\.14\n +now +0\.13/,
    );
  });
});

/** The default hand, a little smaller. */
const withSmallHand = (use: (file: string) => Promise<void>) =>
  withHandFile(({ positions, inverses }) => {
    const scale = 0.93;
    const point = [0, 0, 0], matrix = Array<number>(16).fill(0);
    for (let i = 0; i < positions.getCount(); i++) {
      positions.setElement(i, positions.getElement(i, point).map((part) => scale * part));
    }
    for (let i = 0; i < inverses.getCount(); i++) {
      const moved = inverses.getElement(i, matrix).map((part, at) =>
        at > 11 && at < 15 ? scale * part : part
      );
      inverses.setElement(i, moved);
    }
  }, use);

Deno.test("replay of episodes with another hand is not comparable, says so, and checks their logs", async () => {
  await withSmallHand(async (hand) => {
    await withFolder(async (folder) => {
      const args = ["--tasks", FIRST, "--out", folder];
      const played = await captureCli(
        ["eval", "shadow", "--models", "builtin:walk", "--hand", hand, ...args],
        CONTEXT,
      );
      assert.equal(played.code, 0, played.stderr);

      const same = await captureCli(["replay", folder, "--hand", hand], CONTEXT);
      assert.match(same.stdout, /^1 episode, \d+ steps replayed: no differences\n$/);
      const other = await captureCli(["replay", folder], CONTEXT);
      assert.equal(other.code, 0, other.stderr);
      assert.match(other.stdout, /: other hand: not comparable; its log keeps all budgets and limits\n/);
      assert.match(other.stdout, /no differences; of 1 the log alone was checked\n$/);
      const json = JSON.parse((await captureCli(["replay", folder, "--json"], CONTEXT)).stdout);
      assert.deepEqual([json.not_comparable, json.differences], ["other hand: not comparable", []]);

      const file = join(folder, "shadow/medium_effort", `builtin_walk@medium__${FIRST}`, "steps.jsonl");
      const text = await Deno.readTextFile(file);
      await Deno.writeTextFile(file, text.replace('"budgets":{"calls":99,', '"budgets":{"calls":98,'));
      const altered = await captureCli(["replay", folder], CONTEXT);
      assert.equal(altered.code, 1);
      assert.match(altered.stdout, /step 1: budgets\.calls\n +recorded +98\n +now +99/);

      const resumed = await captureCli(["eval", "shadow", "--models", "builtin:rest", ...args], CONTEXT);
      assert.equal(resumed.code, 2);
      assert.match(resumed.stderr, /Cannot continue .*hand\.\w+ of the profile/);
    });
  });
});

/** A short episode: plan, three movements, an undo, a look, a peek. */
async function log(): Promise<StepRecord[]> {
  const episode = await stubPlay();
  await episode.call("plan", { subject: "s", arrangement: "a" });
  await episode.call("set_fingers", { hand: "right", joints: { "ring.mcp": 40 } });
  await episode.call("set_fingers", { hand: "right", joints: { "ring.mcp": 80 } });
  await episode.call("move_hand", { hand: "left", by: [0, 0, 1] });
  await episode.call("undo", {});
  await episode.call("look", {});
  await episode.call("peek_book", {});
  return structuredClone([...await episode.steps()]);
}

const stateOf = (step: StepRecord): { q: number[]; positions: number[][] } =>
  JSON.parse(JSON.stringify(step.state));

Deno.test("auditSteps() finds nothing in a log that keeps the rules", async () => {
  assert.deepEqual(auditSteps(await log()), []);
});

const ALTERED: [string, (steps: StepRecord[]) => void, RegExp][] = [
  ["a joint out of range", (steps) => {
    const state = stateOf(steps[2]);
    state.q[3] = 1;
    steps[2].state = { ...JSON.parse(JSON.stringify(steps[2].state)), ...state };
  }, /^2 state right thumb\.abd would be 57\.3°/],
  ["a move that is too long", (steps) => {
    const state = stateOf(steps[3]);
    state.positions[1][1] += 0.2;
    steps[3].state = { ...JSON.parse(JSON.stringify(steps[3].state)), ...state };
  }, /^3 state the left hand would move 20 cm/],
  ["a call too many", (steps) => steps[4].budgets.calls--, /^4 budgets\.calls 95 96$/],
  ["a look that cost nothing", (steps) => steps[6].budgets.looks++, /^6 budgets\.looks 32 31$/],
  ["a movement before the plan", (steps) => {
    steps[1].tool = "describe";
  }, /^2 tool set_fingers a plan before it$/],
  ["a state that is no pose", (steps) => steps[2].state = { q: [] }, /^2 state no pose/],
];

for (const [what, alter, found] of ALTERED) {
  Deno.test(`auditSteps() finds ${what}`, async () => {
    const steps = await log();
    alter(steps);
    const [first] = auditSteps(steps);
    const { step, field, recorded, wanted } = first;
    assert.match(`${step} ${field} ${recorded} ${wanted}`, found);
  });
}
