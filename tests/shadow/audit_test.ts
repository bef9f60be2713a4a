/** Episodes of a hand that is not there: what their logs must bear out all the same. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { EpisodeRecord, StepRecord } from "../../env/records.ts";
import { replayEpisode, type ReplayReport } from "../../eval/replay.ts";
import { contentHash } from "../../env/hash.ts";
import { tasks } from "../../shadow/shadow_env.ts";
import type { RunRecord } from "../../tasks/run_schema.ts";
import { withSmallHand } from "../support/hand_glb.ts";
import { recordingIn } from "../support/recordings.ts";
import { evalToy, type ScriptedCall, scriptedPlayer, SUBMIT } from "../support/scripted_player.ts";
import { stubEnvironment } from "../support/shadow_stub.ts";
import { withFolder } from "../support/with_folder.ts";

const [FIRST] = tasks();
const SETTING = "shadow/medium_effort";
const EPISODE = `scripted@medium__${FIRST}`;

const call = (name: string, args: unknown = {}): ScriptedCall => ({ name, args });

/** By step: 0 is the opening. */
const CALLS = [
  call("plan", { subject: "s", arrangement: "a" }),
  call("set_fingers", { hand: "right", joints: { "ring.mcp": 40 } }),
  call("set_fingers", { hand: "right", joints: { "ring.mcp": 80 } }),
  call("move_hand", { hand: "left", by: [0, 0, 1] }),
  call("turn_hand", { hand: "left", axis: "z", degrees: 20 }),
  // Into the other hand: as only the skin can tell.
  call("move_hand", { hand: "left", to: [0, -0.05, 1] }),
  call("move_hand", { hand: "left", to: [-0.2, -0.05, 1] }),
  call("undo"),
  call("describe"),
  call("look"),
  call("peek_book"),
  SUBMIT,
];
const [SECOND_BEND, TOO_FAR, INTO, UNDO, DESCRIBE, LOOK, PEEK] = [3, 4, 6, 8, 9, 10, 11];

interface State {
  q: number[];
  positions: number[][];
  quaternions: number[][];
  peeks: number;
}

const stateOf = (step: StepRecord): State => JSON.parse(JSON.stringify(step.state));

/** The state after a step, as the log has it. */
function stateAt(steps: readonly StepRecord[], at: number): State {
  return stateOf(steps.slice(0, at + 1).findLast(({ state }) => state !== null) ?? steps[0]);
}

function changeState(step: StepRecord, change: (state: State) => void): void {
  const state = stateOf(step);
  change(state);
  step.state = state;
}

/** The files of the one episode. */
interface Files {
  folder: string;
  steps: StepRecord[];
  record: EpisodeRecord;
  run: RunRecord;
}

const pictureOf = ({ folder, steps }: Files, step: number) =>
  join(folder, SETTING, "images", `${steps[step].image}.png`);

/** What is altered, and step and field that are named first. */
const ALTERED: [string, (files: Files) => void | Promise<void>, number | null, RegExp][] = [
  ["a joint out of range", ({ steps }) => changeState(steps[2], ({ q }) => q[3] = 1), 2, /^state\.q\[3\]$/],
  [
    "a bend of more than a call may",
    ({ steps }) => changeState(steps[SECOND_BEND], ({ q }) => q.fill(1.3)),
    SECOND_BEND,
    /^state\.q\[0\]$/,
  ],
  [
    "the other hand, which the call does not name",
    ({ steps }) => changeState(steps[2], ({ positions }) => positions[1][1] += 0.01),
    2,
    /^state\.positions\[1\]\[1\]$/,
  ],
  [
    "a start elsewhere",
    ({ steps }) => changeState(steps[0], ({ positions }) => positions[0] = [0.3, 0.3, 1.2]),
    0,
    /^state\.positions\[0\]\[0\]$/,
  ],
  [
    "an undo to where the hands have not been",
    ({ steps }) => changeState(steps[UNDO], ({ positions }) => positions[0][2] = 1.5),
    UNDO,
    /^state\.positions\[0\]\[2\]$/,
  ],
  [
    "a describe that moves",
    ({ steps }) => {
      const state = stateAt(steps, DESCRIBE);
      state.positions[0][1] += 0.1;
      steps[DESCRIBE].state = state;
    },
    DESCRIBE,
    /^state\.positions\[0\]\[1\]$/,
  ],
  [
    "a refused call that moves",
    ({ steps }) => {
      const state = stateAt(steps, INTO);
      state.positions[1][0] += 0.01;
      steps[INTO].state = state;
    },
    INTO,
    /^state\.positions\[1\]\[0\]$/,
  ],
  [
    "peeks in the state",
    ({ steps }) => changeState(steps[PEEK], (state) => state.peeks = 0),
    PEEK,
    /^state\.peeks$/,
  ],
  [
    "a move too far that was accepted",
    ({ steps }) => {
      steps[TOO_FAR].accepted = true;
    },
    TOO_FAR,
    /^accepted$/,
  ],
  [
    "another cause of a refusal",
    ({ steps }) => {
      steps[TOO_FAR].refusal = "self_collision";
    },
    TOO_FAR,
    /^refusal$/,
  ],
  ["a call too many", ({ steps }) => void steps[4].budgets.calls--, 4, /^budgets\.calls$/],
  ["a look that cost nothing", ({ steps }) => void steps[LOOK].budgets.looks++, LOOK, /^budgets\.looks$/],
  ["an answer", ({ steps }) => void (steps[2].response += "!"), 2, /^response$/],
  [
    "what a description says is left",
    ({ steps }) => void (steps[DESCRIBE].response += "!"),
    DESCRIBE,
    /^response$/,
  ],
  [
    "an end that is none",
    ({ steps }) => {
      steps[CALLS.length].done = false;
    },
    CALLS.length,
    /^done$/,
  ],
  [
    "an end before the end",
    ({ steps }) => {
      steps[2].done = true;
    },
    2,
    /^done$/,
  ],
  ["steps that are gone", ({ steps }) => void steps.splice(8), 8, /^step$/],
  ["steps of another order", ({ steps }) => void steps.splice(2, 2, steps[3], steps[2]), 2, /^step$/],
  [
    "a score that its parts do not make",
    ({ steps, record }) => {
      for (const step of steps) step.hidden_score = 99.5;
      for (const point of record.curve) point.score = 99.5;
      record.score = 99.5;
      record.reward = 0.995;
    },
    0,
    /^hidden_score$/,
  ],
  ["the score of the record", ({ record }) => void (record.score = 99.5), null, /^score$/],
  ["the reward", ({ record }) => void (record.reward = 0.995), null, /^reward$/],
  ["a metric of the record", ({ record }) => void (record.metrics.iou = 0.99), null, /^metric iou$/],
  ["a share of straight wrists", ({ steps }) => void (steps[2].hidden.wrists = 0.1), 2, /^hidden wrists$/],
  ["the curve", ({ record }) => void record.curve.pop(), null, /^curve\[12\]$/],
  ["the count of calls", ({ record }) => void (record.calls = 3), null, /^calls$/],
  ["counts by tool", ({ record }) => void (record.tool_calls = {}), null, /^tool_calls\./],
  [
    "the final pose",
    ({ record }) => {
      const state: State = JSON.parse(JSON.stringify(record.final_state));
      state.q[0] = 0.1;
      record.final_state = state;
    },
    null,
    /^final_state\.q\[0\]$/,
  ],
  [
    "a budget of the record",
    ({ record }) => void (record.budget_used.looks = 0),
    null,
    /^budget_used\.looks$/,
  ],
  ["the way of ending", ({ record }) => void (record.ended_by = "budget"), null, /^ended_by$/],
  ["tokens", ({ record }) => void (record.usage.output_tokens = 0), null, /^usage\.output_tokens$/],
  ["the benchmark of the run", ({ run }) => void (run.bench = "splat"), null, /^bench$/],
  [
    "the hash of the profile",
    ({ run, record }) => {
      run.profile_hash = record.profile_hash = contentHash("another");
    },
    null,
    /^profile_hash$/,
  ],
  ["a picture that is gone", (files) => Deno.remove(pictureOf(files, PEEK)), PEEK, /^picture$/],
  [
    "a picture that is another",
    (files) => Deno.copyFile(pictureOf(files, LOOK), pictureOf(files, PEEK)),
    PEEK,
    /^picture$/,
  ],
  [
    "a conversation that is gone",
    ({ folder }) => Deno.remove(join(folder, SETTING, EPISODE, "transcript.jsonl")),
    1,
    /^step$/,
  ],
];

Deno.test("LoggedEpisode bears out a true log of another hand, and names the first thing altered in a false one", async () => {
  await withSmallHand(async (hand) => {
    await withFolder(async (folder) => {
      const of = join(folder, "true");
      await play(of, hand);
      const clean = await audited(of);
      assert.deepEqual(clean.differences, []);
      assert.deepEqual(
        [clean.notComparable, clean.steps, clean.exact],
        ["other hand: not comparable", CALLS.length + 1, false],
      );
      for (const [what, alter, step, field] of ALTERED) {
        const copy = join(folder, "false");
        await copyFolder(of, copy);
        await alterFiles(copy, alter);
        const { differences: [first] } = await audited(copy);
        assert.ok(first !== undefined, `${what}: nothing found`);
        assert.equal(first.step, step, `${what}: ${JSON.stringify(first)}`);
        assert.match(first.field, field, what);
        await Deno.remove(copy, { recursive: true });
      }
    });
  });
});

async function play(out: string, hand: string): Promise<void> {
  const environment = stubEnvironment("blank", { hand });
  const players = [scriptedPlayer((turn) => ({ calls: [CALLS[turn]] }))];
  await evalToy(out, { environment, players, tasks: await environment.findTasks([FIRST]) });
  const steps = await (await recordingIn(out)).steps();
  const refusals = steps.flatMap(({ record }) => record.refusal ?? []);
  assert.deepEqual(refusals, ["call_limit", "hand_collision"]);
  environment.close();
}

/** Has the default hand. */
const here = stubEnvironment();

async function audited(out: string): Promise<ReplayReport> {
  const recording = await recordingIn(out);
  const identity = await here.identity();
  const [task] = await here.findTasks([FIRST]);
  const audit = await here.audit?.(recording.run?.profile ?? null);
  assert.ok(audit);
  return await replayEpisode(here, identity, task, recording, { audit });
}

async function alterFiles(folder: string, alter: (files: Files) => void | Promise<void>): Promise<void> {
  const [run, record, log] = ["run.json", `${EPISODE}/episode.json`, `${EPISODE}/steps.jsonl`].map((name) =>
    join(folder, SETTING, name)
  );
  const files: Files = {
    folder,
    run: JSON.parse(await Deno.readTextFile(run)),
    record: JSON.parse(await Deno.readTextFile(record)),
    steps: (await Deno.readTextFile(log)).trim().split("\n").map((line) => JSON.parse(line)),
  };
  await alter(files);
  await Deno.writeTextFile(run, JSON.stringify(files.run));
  await Deno.writeTextFile(record, JSON.stringify(files.record));
  await Deno.writeTextFile(log, files.steps.map((step) => `${JSON.stringify(step)}\n`).join(""));
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}
