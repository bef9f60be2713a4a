/** Seeded nonsense for every tool: never thrown at, never half done, never over budget, never into an illegal pose. */
import assert from "node:assert/strict";
import { type Stream, stream } from "../../env/random.ts";
import type { StepRecord } from "../../env/records.ts";
import { PoseChecker } from "../../shadow/collision/pose_checker.ts";
import type { ShadowEpisode } from "../../shadow/episode.ts";
import { ALIASES } from "../../shadow/hand/controls.ts";
import { REFUSAL_KINDS } from "../../shadow/tools/refusal_kinds.ts";
import { CALL_RULES, TOOLS } from "../../shadow/tools/table.ts";
import { fuzzed, oneOf } from "../support/fuzz_values.ts";
import { hands, stubPlay } from "../support/shadow_stub.ts";

const CALLS_A_TOOL = Deno.env.get("BENCH_SOAK") ? 3000 : 300;
const LONGEST_LINE = 900;
const LONGEST_ANSWER = 5000;

const checker = new PoseChecker(hands);
const number = (draws: Stream): number =>
  oneOf(draws, [0, 0.01, -0.02, 5, -10, draws.range(-0.2, 0.2), draws.range(-60, 60), 1e-9, 44.9, 90, 400]);

/** Arguments near those the tool wants, so that a fair share is accepted. */
function nearArguments(tool: string, draws: Stream): Record<string, unknown> {
  const hand = oneOf(draws, ["right", "left", "left", "both"]);
  switch (tool) {
    case "plan":
      return { subject: oneOf(draws, ["dog", "\u202eevil\n", "x".repeat(4000)]), arrangement: "two hands" };
    case "set_fingers": {
      const joints = Array.from(
        { length: draws.integer(0, 4) },
        () => [oneOf(draws, ALIASES), number(draws)],
      );
      return { hand, joints: Object.fromEntries(joints) };
    }
    case "move_hand": {
      const small = () => draws.range(-0.1, 0.1);
      const way = draws.next() < 0.7
        ? { by: [small(), small(), small()] }
        : { to: [number(draws), number(draws), 1] };
      return { hand, ...way };
    }
    case "turn_hand":
      return { hand, axis: oneOf(draws, ["x", "y", "z", [1, 1, 0]]), degrees: number(draws) };
    case "describe":
      return draws.next() < 0.5 ? {} : { hand };
    case "look":
      return {
        view: oneOf(draws, ["front", "top", "under", { azimuth: number(draws), elevation: number(draws) }]),
      };
    default:
      return {};
  }
}

async function started(tool: string): Promise<ShadowEpisode> {
  const episode = await stubPlay();
  await episode.observe();
  if (tool !== "plan") await episode.call("plan", { subject: "s", arrangement: "a" });
  return episode;
}

async function checkCall(episode: ShadowEpisode, tool: string, args: unknown, what: string) {
  const before = { state: JSON.stringify(episode.state()), budgets: structuredClone(episode.budgets) };
  const outcome = await episode.call(tool, args);
  for (const [name, { used, limit }] of Object.entries(episode.budgets)) {
    assert.ok(used <= limit, what);
    const most = name === "calls" ? 1 : outcome.accepted ? 1 : 0;
    assert.ok(used - before.budgets[name].used <= most, what);
  }
  assert.equal(episode.budgets.calls.used, before.budgets.calls.used + 1, what);
  assert.ok(outcome.text.length <= LONGEST_ANSWER, what);
  if (!outcome.accepted) {
    assert.equal(JSON.stringify(episode.state()), before.state, what);
    assert.equal(outcome.image, null, what);
    assert.ok(
      outcome.text.length <= LONGEST_LINE && !outcome.text.includes("\n"),
      `${what}: ${outcome.text}`,
    );
    assert.ok(REFUSAL_KINDS.some((kind) => kind === outcome.refusal), `${what}: ${outcome.refusal}`);
  } else if (JSON.stringify(episode.state()) !== before.state) {
    assert.equal(checker.pose(episode.pose), null, what);
  }
  return outcome;
}

/** The log goes through JSON unchanged, and playing it again gives the same log. */
async function checkLog(steps: readonly StepRecord[]) {
  const logged: StepRecord[] = JSON.parse(JSON.stringify(steps));
  assert.deepEqual(logged, steps);
  const episode = await stubPlay();
  await episode.observe();
  for (const { tool, arguments: args } of logged.slice(1)) await episode.call(tool, args);
  assert.deepEqual(await episode.steps(), steps);
}

for (const { name } of TOOLS) {
  Deno.test(`fuzz: ${name} never throws, changes nothing when refused, keeps budgets and rules`, async () => {
    let episode = await started(name);
    let accepted = 0;
    let games = 0;
    for (let call = 0; call < CALLS_A_TOOL; call++) {
      if (episode.done) {
        if (games++ % 8 === 0) await checkLog(await episode.steps());
        episode = await started(name);
      }
      const draws = stream(1, "shadow-fuzz", name, call);
      // Something to undo.
      if (name === "undo" && !episode.done && draws.next() < 0.5) {
        await episode.call("move_hand", { hand: "left", by: [0, 0.01, 0] });
        if (episode.done) continue;
      }
      const outcome = await checkCall(
        episode,
        name,
        fuzzed(nearArguments(name, draws), CALL_RULES.arguments[name], draws),
        `seed 1, ${name}, call ${call}`,
      );
      if (outcome.accepted) accepted++;
    }
    await checkLog(await episode.steps());
    // Three peeks an episode of a hundred calls.
    const least = name === "peek_book" ? CALLS_A_TOOL / 100 : CALLS_A_TOOL / 20;
    assert.ok(accepted >= least, `only ${accepted} calls were accepted`);
  });
}
