import assert from "node:assert/strict";
import type { CallOutcome } from "../../env/observation.ts";
import { stepRecordSchema } from "../../env/records.ts";
import { FRAME, hands, stubPlay, stubTask } from "../support/shadow_stub.ts";
import type { ShadowEpisode } from "../../shadow/episode.ts";
import { controlIndex } from "../../shadow/hand/controls.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import { poseToRow, START_POSE } from "../../shadow/pose.ts";
import { prepareTarget, scoreShadow } from "../../shadow/score/shadow_score.ts";
import { castShadow } from "../../shadow/stage/cast_shadow.ts";
import { shadowHandsSchema } from "../../tasks/shadow_hands.ts";
import { skinDistance } from "../reference/skin_contacts.ts";

const PLAN = { subject: "frame", arrangement: "fingertips together" };
const curl = { hand: "right", joints: { "ring.mcp": 40, "little.mcp": 30 } };

const refused = ({ accepted, refusal, text, image }: CallOutcome) => {
  assert.deepEqual([accepted, image], [false, null], text);
  assert.match(text, /^Refused: [^\n]*\. Left: \d+ calls?, \d+ looks?, \d+ peeks?\./);
  return refusal;
};

async function planned(task = stubTask()): Promise<ShadowEpisode> {
  const episode = await stubPlay(task);
  await episode.call("plan", PLAN);
  return episode;
}

const angle = (episode: ShadowEpisode, side: "right" | "left", name: string) =>
  episode.pose[side].angles[controlIndex(name)] * 180 / Math.PI;

Deno.test("ShadowEpisode plays plan, fingers, move, turn, look, peek, submit: steps, states and budgets", async () => {
  const episode = await stubPlay();
  const opening = await episode.observe();
  assert.equal(opening.text, episode.prompts.user);
  assert.ok(opening.image !== null);
  await episode.call("plan", PLAN);
  await episode.call("set_fingers", curl);
  await episode.call("move_hand", { hand: "left", by: [0.03, 0, -0.04] });
  await episode.call("turn_hand", { hand: "right", axis: "z", degrees: -30 });
  await episode.call("look", { view: "side" });
  const peek = await episode.call("peek_book", {});
  assert.match(peek.text, /^The book: A frame has a hole\.\nLeft: 94 calls, 31 looks, 2 peeks\.$/);
  assert.ok(peek.image !== null);
  const last = await episode.call("submit", {});
  assert.deepEqual([last.accepted, last.done, last.step], [true, true, 7]);

  const steps = await episode.steps();
  steps.forEach((step) => stepRecordSchema.parse(JSON.parse(JSON.stringify(step))));
  assert.deepEqual(
    steps.map(({ tool }) => tool).join(),
    [
      "reset",
      "plan",
      "set_fingers",
      "move_hand",
      "turn_hand",
      "look",
      "peek_book",
      "submit",
    ].join(),
  );
  // A state is logged where pose or peeks change.
  assert.deepEqual(steps.map(({ state }) => state !== null), [
    true,
    false,
    true,
    true,
    true,
    false,
    true,
    false,
  ]);
  assert.deepEqual(steps[0].state, { ...poseToRow(START_POSE), peeks: 0 });
  assert.deepEqual(steps[7].budgets, { calls: 93, looks: 31, peeks: 2 });
  assert.deepEqual(steps.map(({ done }) => done), [...Array(7).fill(false), true]);
  assert.ok(Math.abs(angle(episode, "right", "ring.mcp") - 40) < 1e-9);
  assert.ok(Math.abs(angle(episode, "right", "little.mcp") - 30) < 1e-9);
  assert.equal(angle(episode, "left", "ring.mcp"), 0);
  assert.deepEqual(episode.pose.left.position.map((part) => Math.round(part * 1e9) / 1e9), [
    -0.1,
    -0.05,
    0.96,
  ]);
  // Clockwise by 30°: (cos 15°, 0, 0, −sin 15°).
  const [w, x, y, z] = episode.pose.right.orientation;
  assert.ok(Math.hypot(w - Math.cos(Math.PI / 12), x, y, z + Math.sin(Math.PI / 12)) < 1e-12);

  const { score, reward, finalState, details } = await episode.result();
  assert.deepEqual([score, reward], [steps[7].hidden_score, (steps[7].hidden_score ?? 0) / 100]);
  assert.deepEqual(finalState, steps[6].state);
  const { hands, ...submitted } = details;
  assert.deepEqual(submitted, { submitted_by: "model" });
  const { gap, casting } = shadowHandsSchema.parse(hands);
  assert.ok(Math.abs(gap - skinDistance(await loadHands(), episode.pose)) < 1e-9, `${gap}`);
  assert.deepEqual(casting, [true, true]);
});

Deno.test("ShadowEpisode hides score and score before peeks: 0.94 a peek, metrics of the pose", async () => {
  const episode = await planned(stubTask());
  await episode.call("move_hand", { hand: "right", to: [0.02, -0.1, 0.95] });
  await episode.call("peek_book", {});
  await episode.call("peek_book", {});
  const steps = await episode.steps();
  const target = prepareTarget(FRAME);
  const scored = scoreShadow(target, castShadow(hands, episode.pose), episode.pose);
  assert.ok(scored.scoreBeforePeeks > 0);
  assert.deepEqual(steps.slice(2).map(({ score_before_peeks }) => score_before_peeks), [
    scored.scoreBeforePeeks,
    scored.scoreBeforePeeks,
    scored.scoreBeforePeeks,
  ]);
  for (const [peeks, step] of steps.slice(2).entries()) {
    assert.ok(Math.abs((step.hidden_score ?? NaN) - scored.scoreBeforePeeks * 0.94 ** peeks) < 1e-12);
    const { iou, outlineF, holes, wrists } = scored;
    assert.deepEqual(step.hidden, { iou, outline_f: outlineF, holes, wrists, peeks, solved: 0 });
  }
  const words = steps.map(({ response }) => response).join("\n");
  assert.ok(!words.includes(scored.score.toFixed(1)) && !/score of|iou/i.test(words));
});

Deno.test("ShadowEpisode refuses movements before a plan, and lets look, describe, undo and peek come first", async () => {
  const episode = await stubPlay();
  assert.equal(refused(await episode.call("set_fingers", curl)), "no_plan");
  assert.equal(refused(await episode.call("move_hand", { hand: "left", by: [0, 0, 0.01] })), "no_plan");
  assert.equal(refused(await episode.call("turn_hand", { hand: "left", axis: "y", degrees: 5 })), "no_plan");
  assert.equal(refused(await episode.call("undo", {})), "nothing_to_undo");
  assert.ok((await episode.call("look", {})).accepted);
  assert.ok((await episode.call("describe", {})).accepted);
  assert.deepEqual(episode.pose, START_POSE);
  await episode.call("plan", PLAN);
  assert.ok((await episode.call("set_fingers", curl)).accepted);
  assert.match((await episode.call("plan", { ...PLAN, subject: "door" })).text, /revised/);
  assert.deepEqual((await episode.steps()).at(-1)?.arguments, { ...PLAN, subject: "door" });
});

Deno.test("undo walks back through accepted changes, refused ones left out", async () => {
  const episode = await planned();
  const poses = [episode.pose];
  for (const by of [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]]) {
    await episode.call("move_hand", { hand: "right", by });
    await episode.call("move_hand", { hand: "right", by: [1, 0, 0] });
    poses.push(episode.pose);
  }
  for (const pose of poses.slice(0, -1).toReversed()) {
    const { accepted, text } = await episode.call("undo", {});
    assert.ok(accepted && text.startsWith("Took back the last change: the right hand"));
    assert.deepEqual(episode.pose, pose);
  }
  assert.equal(refused(await episode.call("undo", {})), "nothing_to_undo");
  assert.equal(episode.budgets.calls.used, 11);
});

/** Calls that run and are refused, and why. */
const REFUSED: [string, unknown, string, RegExp][] = [
  ["clap", {}, "unknown_tool", /there is no tool "clap"; the tools are plan, set_fingers/],
  ["__proto__", {}, "unknown_tool", /there is no tool "__proto__"/],
  ["undo", { steps: 2 }, "unknown_field", /"steps"/],
  ["set_fingers", { hand: "right", joints: { "ring.mpc": 4 } }, "unknown_field", /did you mean ring\.mcp\?/],
  [
    "set_fingers",
    { hand: "right", joints: { "pinky.mcp": 4 } },
    "unknown_field",
    /did you mean little\.mcp\?/,
  ],
  ["set_fingers", { hand: "right", joints: {} }, "bad_value", /must name at least one joint/],
  ["set_fingers", { hand: "third", joints: { "ring.mcp": 4 } }, "bad_value", /must be "right" or "left"/],
  ["set_fingers", { hand: "right" }, "bad_value", /joints: is missing/],
  ["set_fingers", { hand: "right", joints: { "index.dip": -6 } }, "joint_range", /range -5° to 65°/],
  ["set_fingers", { hand: "right", joints: { "index.pip": 46 } }, "call_limit", /at most 45°/],
  ["set_fingers", { hand: "left", joints: { "ring.spread": 18, "ring.mcp": 40 } }, "spread", /at most 9°/],
  ["move_hand", { hand: "right" }, "bad_value", /give by or to$|give by or to\./],
  ["move_hand", { hand: "right", by: [0, 0, 0], to: [0, 0, 1] }, "bad_value", /not both/],
  ["move_hand", { hand: "right", by: [0.16, 0, 0] }, "call_limit", /at most 15 cm/],
  ["turn_hand", { hand: "right", axis: "w", degrees: 10 }, "bad_value", /must be "x", "y", "z"/],
  [
    "turn_hand",
    { hand: "right", axis: [0, 0, 0], degrees: 10 },
    "bad_value",
    /axis: must not be zero, got \[0,0,0\]/,
  ],
  ["turn_hand", { hand: "right", axis: "z", degrees: 46 }, "call_limit", /at most 45°/],
  ["turn_hand", { hand: "right", axis: "z", degrees: 320 }, "bad_value", /≤ 180/],
  ["look", { view: "below" }, "bad_value", /must be "front", "back", "side", "top"/],
  ["look", { view: { azimuth: 10 } }, "bad_value", /elevation/],
  ["plan", { subject: "", arrangement: "x" }, "bad_value", /subject/],
  ["plan", { subject: "dog" }, "bad_value", /arrangement: is missing/],
  ["describe", { hand: "both" }, "bad_value", /"right" or "left"/],
];

for (const [tool, args, kind, words] of REFUSED) {
  Deno.test(`ShadowEpisode refuses ${tool} ${JSON.stringify(args)}: ${kind}, a call used, nothing changed`, async () => {
    const episode = await planned();
    const before = episode.state();
    const outcome = await episode.call(tool, args);
    assert.equal(refused(outcome), kind);
    assert.match(outcome.text, words);
    assert.deepEqual(episode.state(), before);
    assert.equal(outcome.step, 2);
    assert.deepEqual(episode.budgets, {
      calls: { used: 2, limit: 100 },
      looks: { used: 0, limit: 32 },
      peeks: { used: 0, limit: 3 },
    });
  });
}

Deno.test("one hand is not dragged through the other: the refusal names the parts", async () => {
  const episode = await planned();
  await episode.call("move_hand", { hand: "right", by: [-0.1, 0, 0] });
  const outcome = await episode.call("move_hand", { hand: "right", by: [-0.14, 0, 0] });
  assert.equal(refused(outcome), "hand_collision");
  assert.match(outcome.text, /right [a-z ]+ would pass through left [a-z ]+\./);
});

Deno.test("looks and peeks beyond the budget are refused, and cost no more than a call", async () => {
  const episode = await planned(stubTask({ looks: 2, peeks: 1 }));
  await episode.call("look", {});
  await episode.call("look", { view: "nowhere" });
  await episode.call("look", { view: "top" });
  assert.equal(refused(await episode.call("look", {})), "no_looks_left");
  await episode.call("peek_book", {});
  const before = await episode.hidden();
  assert.equal(refused(await episode.call("peek_book", {})), "no_peeks_left");
  assert.deepEqual(await episode.hidden(), before);
  assert.deepEqual(episode.budgets, {
    calls: { used: 7, limit: 100 },
    looks: { used: 2, limit: 2 },
    peeks: { used: 1, limit: 1 },
  });
});

Deno.test("the last call ends the episode without a step of its own, a later one never runs", async () => {
  const episode = await planned(stubTask({ calls: 3 }));
  await episode.call("describe", {});
  const last = await episode.call("clap", {});
  assert.ok(last.done && !last.accepted);
  assert.match(last.text, /No calls are left, so the pose was submitted as it is\.$/);
  const after = await episode.call("look", {});
  assert.deepEqual([after.notRun, after.step], ["after_end", null]);
  const steps = await episode.steps();
  assert.deepEqual(steps.map(({ tool, done }) => [tool, done]), [
    ["reset", false],
    ["plan", false],
    ["describe", false],
    ["clap", true],
  ]);
  assert.equal((await episode.result()).details.submitted_by, "call_budget");
});

Deno.test("a submit from outside adds no step", async () => {
  const episode = await planned();
  await episode.submit();
  assert.ok(episode.done);
  assert.equal((await episode.steps()).length, 2);
  assert.equal((await episode.result()).details.submitted_by, "outside");
});

Deno.test("describe tells angles, ranges now in force, places, their shadows and directions", async () => {
  const episode = await planned();
  await episode.call("set_fingers", { hand: "right", joints: { "ring.mcp": 40, "thumb.ip": 12.5 } });
  const { text } = await episode.call("describe", { hand: "right" });
  assert.doesNotMatch(text, /left hand/);
  // The wrist at height 1 throws its shadow 2.5 / 1.5 times as far out.
  assert.match(
    text,
    /wrist \[0\.13, -0\.05, 1\] \(shadow \[0\.217, -0\.083\]\), orientation .* \[1, 0, 0, 0\]/,
  );
  assert.match(text, /fingers point \[\S+ \S+ \S+\], palm faces \[\S+ \S+ -1\]/);
  assert.match(text, /ring\.mcp 40 \(-25 to 82\), ring\.spread 0 \(-14 to 9 now\)/);
  assert.match(text, /thumb\.ip 12\.5 \(-15 to 65\)/);
  assert.match((await episode.call("describe", {})).text, /^right hand\n[\s\S]*\nleft hand\n/);
});

Deno.test("turn_hand turns about axes of the world or of the hand", async () => {
  const about = async (frame: string) => {
    const episode = await planned();
    await episode.call("turn_hand", { hand: "left", axis: "y", degrees: 45 });
    await episode.call("turn_hand", { hand: "left", axis: [1, 0, 0], degrees: 30, frame });
    return episode.pose.left.orientation;
  };
  const half = (degrees: number) => [Math.cos(degrees * Math.PI / 360), Math.sin(degrees * Math.PI / 360)];
  const [[cy, sy], [cx, sx]] = [half(45), half(30)];
  // q = qx qy and q = qy qx, by Hamilton's rules: ij = k.
  const wanted = { world: [cx * cy, sx * cy, cx * sy, sx * sy], hand: [cx * cy, sx * cy, cx * sy, -sx * sy] };
  for (const [frame, q] of Object.entries(wanted)) {
    const is = await about(frame);
    assert.ok(Math.hypot(...q.map((part, i) => part - is[i])) < 1e-12, frame);
  }
});
