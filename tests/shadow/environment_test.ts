import assert from "node:assert/strict";
import type { TaskInfo } from "../../env/environment.ts";
import type { CallOutcome } from "../../env/observation.ts";
import type { PolicyCall } from "../../env/policy.ts";
import { diskName } from "../../tasks/run_folder.ts";
import { SHADOW_TASKS } from "../../tasks/embedded_shadow_tasks.ts";
import type { ShadowEnvironment } from "../../shadow/environment.ts";
import { ENVIRONMENT_FILES, ENVIRONMENT_PACKAGES } from "../../shadow/environment_files.ts";
import { chosenScore, readProfile } from "../../shadow/named_profile.ts";
import { poseToRow, START_POSE } from "../../shadow/pose.ts";
import { SYSTEM_PROMPT, TOOL_SPECS, USER_PROMPT } from "../../shadow/prompts.ts";
import { taskFromFile } from "../../shadow/load_task.ts";
import { hullMask } from "../../shadow/score/hull_mask.ts";
import { prepareTarget, scoreShadow } from "../../shadow/score/shadow_score.ts";
import { checkModuleGraph } from "../support/module_graph.ts";
import { hands, stubEnvironment } from "../support/shadow_stub.ts";

const [FIRST] = SHADOW_TASKS.embedded;

async function firstTask(environment: ShadowEnvironment): Promise<TaskInfo> {
  const [info] = await environment.findTasks([FIRST.id]);
  return info;
}

Deno.test("shadowEnvironment() names settings and episodes as the published tables do", () => {
  const environment = stubEnvironment();
  assert.equal(environment.setting("standard", "max"), "max_effort");
  const parts = { model: "claude-opus-5.5", task: "hilliar_giraffe", effort: "max", run: 1 };
  assert.equal(environment.episodeId(parts), "claude-opus-5.5@max/hilliar_giraffe");
  assert.equal(diskName(environment.episodeId(parts)), "claude-opus-5.5@max__hilliar_giraffe");
  // No task id has a plus sign, so that no other episode has this name.
  const second = environment.episodeId({ ...parts, run: 2 });
  assert.equal(diskName(second), "claude-opus-5.5@max__hilliar_giraffe+r2");
  assert.equal(environment.defaultRuns, 1);
});

Deno.test("shadowEnvironment() opens no device for tasks and prompts, and tries again after one that failed", async () => {
  let opened = 0;
  const failing = () => Promise.reject(new Error(`no device ${++opened}`));
  const environment = stubEnvironment("blank", { openPictures: failing });
  const info = await firstTask(environment);
  const description = await environment.describeTask?.(info);
  const episode = await environment.open(info, { id: "e", protocol: "standard" });
  assert.equal(episode.prompts.user, description?.opening.text);
  assert.equal(opened, 0);
  await assert.rejects(episode.observe(), /no device 1/);
  await assert.rejects(environment.identity(), /no device 2/);
});

Deno.test("scoreStates() gives what the episode recorded, peeks included, and scores the hull as a mask", async () => {
  const environment = stubEnvironment();
  const info = await firstTask(environment);
  const episode = await environment.open(info, { id: "e", protocol: "standard" });
  await episode.call("plan", { subject: "a", arrangement: "b" });
  await episode.call("move_hand", { hand: "left", by: [0.1, 0.02, 0] });
  await episode.call("peek_book", {});
  const state = structuredClone(episode.state());
  const hull = await environment.baselines.hull(info);
  const rest = await environment.baselines.rest(info);
  const { q, positions, quaternions } = state;
  const [now, before, blob, start] = await environment.scoreStates(info, [
    state,
    { q, positions, quaternions },
    hull,
    rest,
  ]);
  const step = (await episode.steps()).at(-1);
  assert.deepEqual([now.score, now.metrics], [step?.hidden_score, step?.hidden]);
  assert.equal(before.score, step?.score_before_peeks);
  const { target } = taskFromFile(await FIRST.load(), "embedded");
  assert.equal(blob.score, scoreShadow(prepareTarget(target), hullMask(target), START_POSE).score);
  assert.deepEqual(rest, poseToRow(START_POSE));
  assert.equal(start.score, (await episode.steps())[0].hidden_score);
});

for (
  const [state, why] of [
    [null, /Cannot score a pose of \w+: it: .*A state is/],
    ["pose", /: it: /],
    [{ q: [1] }, /: q: /],
    [{ ...poseToRow(START_POSE), peeks: -1 }, /: peeks: /],
    [{ ...poseToRow(START_POSE), positions: [[0, 0, NaN], [0, 0, 1]] }, /: positions\[0\]\[2\]: /],
    [{ mask: "bm90IGEgcG5n" }, /: mask: /],
    [
      { ...poseToRow(START_POSE), quaternions: [[1, 0, 0, 0], [0, 0, 0, 0]] },
      /: quaternions\[1\]: its length is 0/,
    ],
    [
      { ...poseToRow(START_POSE), quaternions: [[2, 0, 0, 0], [1, 0, 0, 0]] },
      /: quaternions\[0\]: its length is 2/,
    ],
    [{ ...poseToRow(START_POSE), q: Array(46).fill(0).with(30, 12.6) }, /: q\[30\]: 12\.6 rad is no angle/],
    [{ ...poseToRow(START_POSE), q: Array(46).fill(0).with(30, -1e300) }, /: q\[30\]: -1e\+300 rad/],
    [{ ...poseToRow(START_POSE), q: Array(46).fill(Infinity) }, /: q\[0\]: /],
    [{ ...poseToRow(START_POSE), positions: [[0, 0, 1], [0, -101, 1]] }, /: positions\[1\]\[1\]: -101 m/],
  ] as const
) {
  Deno.test(`scoreStates() says what is wrong with ${JSON.stringify(state)?.slice(0, 40)}`, async () => {
    const environment = stubEnvironment();
    await assert.rejects(environment.scoreStates(await firstTask(environment), [state]), why);
  });
}

interface Played {
  history: { call: PolicyCall; outcome: CallOutcome }[];
  score: number;
  /** Hidden score after each look. */
  looked: number[];
}

async function play(environment: ShadowEnvironment, info: TaskInfo, name: string, run = 1): Promise<Played> {
  const policy = await environment.policies[name](info, run);
  const episode = await environment.open(info, { id: name, protocol: "standard" });
  const opening = await episode.observe();
  const history: Played["history"] = [];
  while (!episode.done) {
    const view = { opening, tools: episode.tools, history };
    const calls = await policy(view);
    assert.deepEqual(await policy(view), calls, "a policy is a function of its view");
    assert.ok(calls.length > 0);
    for (const call of calls) {
      history.push({ call, outcome: await episode.call(call.name, call.arguments) });
    }
  }
  const looked = (await episode.steps()).flatMap((step) =>
    step.tool === "look" && step.accepted ? [step.hidden_score ?? NaN] : []
  );
  return { history, score: (await episode.result()).score ?? NaN, looked };
}

Deno.test("policies play whole episodes: rest does not move, walk moves and is refused now and then", async () => {
  const environment = stubEnvironment();
  const info = await firstTask(environment);
  const rest = await play(environment, info, "rest");
  assert.deepEqual(rest.history.map(({ call }) => call.name), ["plan", "submit"]);
  const walks = await Promise.all([1, 2, 3].map((run) => play(environment, info, "walk", run)));
  for (const { history } of walks) {
    assert.ok(history.length >= 18 && history.length <= 24);
    const accepted = history.filter(({ outcome }) => outcome.accepted);
    assert.ok(accepted.length > history.length / 2);
    assert.ok(accepted.some(({ call }) => call.name === "look"));
    assert.ok(accepted.some(({ call }) => /^(set_fingers|move_hand|turn_hand)$/.test(call.name)));
  }
  assert.ok(walks.some(({ history }) => history.some(({ outcome }) => !outcome.accepted)));
  assert.notDeepEqual(walks[0].history.map(({ call }) => call), walks[1].history.map(({ call }) => call));
});

Deno.test("policy climb sees pictures only, and gains a lot over hands at rest", async () => {
  const environment = stubEnvironment("look");
  const info = await firstTask(environment);
  const rest = await play(environment, info, "rest");
  const { history, score, looked } = await play(environment, info, "climb");
  assert.ok(score > rest.score + 15, `${score} after ${rest.score}`);
  // The hands stand where it guessed when it first looks; all that follows only gains.
  assert.ok(score > looked[0] + 3, `${score} after ${looked[0]}`);
  // Titles over the panels leave its own measure a little off.
  assert.ok(score > Math.max(...looked) - 0.5, `${score} after ${Math.max(...looked)}`);
  const names = new Set(history.map(({ call }) => call.name));
  assert.ok(!names.has("peek_book") && names.has("undo") && names.has("look"));
  // A fresh policy that is shown the whole history goes on as the one that played it: a killed episode continues.
  const again = await environment.policies.climb(info, 1);
  const opening = await (await environment.open(info, { id: "x", protocol: "standard" })).observe();
  const cut = history.slice(0, 20);
  const [next] = await again({ opening, tools: TOOL_SPECS, history: cut });
  assert.deepEqual(next, history[20].call);
});

Deno.test("policy witness says whose hand the path is for, and what a task without one lacks", async () => {
  const { witnessPolicy } = await import("../../shadow/policies/witness.ts");
  const task = taskFromFile(await FIRST.load(), "embedded");
  assert.throws(
    () => witnessPolicy(task, { name: "other", hash: "0" }),
    /its witness poses the hand generic-hand, .*or play with that hand$/,
  );
  assert.throws(
    () => witnessPolicy({ ...task, witness: null }, hands.right),
    /its file holds no witness\. Choose other tasks or another policy$/,
  );
});

Deno.test("identity() has a stable fingerprint and a profile with score, hand and stage", async () => {
  const identity = await stubEnvironment().identity();
  assert.match(identity.fingerprint, /^[0-9a-f]{64}$/);
  assert.deepEqual(await stubEnvironment().identity(), identity);
  const { score, hand } = readProfile(JSON.parse(JSON.stringify(identity.profile)));
  assert.deepEqual(hand, { name: "generic-hand", hash: hands.right.hash });
  assert.deepEqual(chosenScore(identity.profile), score);
  assert.throws(() => chosenScore("inria"), /it has no profiles with names/);
  assert.throws(() => chosenScore({ ...identity.profile, score: {} }), /score\.outline: /);
});

Deno.test("ENVIRONMENT_FILES lists the module graph of shadow/environment.ts", async () => {
  await checkModuleGraph("shadow/environment.ts", {
    files: ENVIRONMENT_FILES,
    packages: ENVIRONMENT_PACKAGES,
    in: "shadow/environment_files.ts",
  });
});

Deno.test("no model reads a title, a task id or a witness before it peeks, and no list holds a witness", async () => {
  const environment = stubEnvironment();
  for (const info of await environment.findTasks([])) {
    const source = SHADOW_TASKS.embedded.find(({ id }) => id === info.id);
    const { witness } = await source?.load() ?? {};
    const episode = await environment.open(info, { id: "e", protocol: "standard" });
    const told = JSON.stringify([episode.prompts, episode.tools]);
    assert.doesNotMatch(told, new RegExp(`\\b(${info.id}|${info.title})\\b`, "i"));
    const listed = JSON.stringify([info, (await environment.describeTask?.(info))?.facts, told]);
    const numbers = witness?.pose.q.filter((angle) => angle !== 0).map(String) ?? [];
    assert.ok(numbers.length > 0 && numbers.every((number) => !listed.includes(number)));
    assert.ok(!/witness|"path"|quaternions/.test(listed));
  }
});

Deno.test("prompts tell budgets, limits, lamp, start and every control with its range", () => {
  for (const words of ["100 calls", "32 looks", "3 peeks"]) assert.ok(USER_PROMPT.includes(words), words);
  for (
    const words of [
      "(0, 0, 2.5)",
      "at most 45 degrees, moves a hand by at most 0.15 m",
      "(0.13, -0.05, 1) and (-0.13, -0.05, 1)",
      "wrist.flex -55 to 60, + toward the palm",
      "little.spread -14 to 25",
      "0.94",
    ]
  ) assert.ok(SYSTEM_PROMPT.includes(words), words);
  assert.equal(SYSTEM_PROMPT.match(/^\w+\.\w+ -?\d+ to \d+, \+ /gm)?.length, 23);
});

Deno.test("tool schemas are plain JSON Schema objects in the published order", () => {
  assert.deepEqual(
    TOOL_SPECS.map(({ name }) => name).join(),
    [
      "plan",
      "set_fingers",
      "move_hand",
      "turn_hand",
      "undo",
      "describe",
      "look",
      "peek_book",
      "submit",
    ].join(),
  );
  for (const { parameters } of TOOL_SPECS) {
    const schema = JSON.parse(JSON.stringify(parameters));
    assert.deepEqual([schema.type, schema.additionalProperties, schema.$schema], [
      "object",
      false,
      undefined,
    ]);
    for (const field of Object.values<{ description?: string; enum?: string[] }>(schema.properties)) {
      assert.ok(field.description ?? field.enum);
    }
  }
  const joints = JSON.parse(JSON.stringify(TOOL_SPECS[1].parameters)).properties.joints;
  assert.equal(Object.keys(joints.properties).length, 23);
  assert.match(joints.properties["ring.mcp"].description, /^-25 to 82; \+ curl/);
});
