/** Seeded nonsense for every tool: never thrown at, never half done, never over budget. */
import assert from "node:assert/strict";
import { type Stream, stream } from "../../env/random.ts";
import type { StepRecord } from "../../env/records.ts";
import { gaussianRowSchema } from "../../tasks/splat_rows.ts";
import { type SplatTask, STANDARD_LIMITS } from "../../splat/task.ts";
import { REFUSAL_KINDS } from "../../splat/tools/refusal_kinds.ts";
import { CALL_RULES, TOOLS } from "../../splat/tools/table.ts";
import { fuzzed, oneOf } from "../support/fuzz_values.ts";
import { type StubPlay, stubPlay, stubTask } from "../support/splat_stub.ts";

const CALLS_A_TOOL = Deno.env.get("BENCH_SOAK") ? 5000 : 300;
/** Longest line of a refusal, and most characters in any answer: 300 listed Gaussians of at most 250 each. */
const LONGEST_LINE = 700;
const LONGEST_ANSWER = 300 * 250;

const list = (draws: Stream, most: number, make: () => unknown): unknown[] =>
  Array.from({ length: draws.integer(0, most + 1) }, make);

function number(draws: Stream): number {
  return oneOf(draws, [
    0,
    1,
    -1,
    0.5,
    draws.range(-1, 1),
    draws.range(-12, 12),
    draws.integer(0, 320),
    1e-9,
    90,
  ]);
}

function gaussian(draws: Stream): Record<string, unknown> {
  const vector = () => [number(draws), number(draws), number(draws)];
  const fields: Record<string, () => unknown> = {
    id: () => draws.integer(0, 40),
    pos: vector,
    scale: () => draws.next() < 0.2 ? number(draws) : [1 - draws.next(), 1 - draws.next(), 1 - draws.next()],
    quat: () => [...vector(), number(draws)],
    euler_deg: vector,
    color: () => draws.next() < 0.5 ? "#8040ff" : [draws.next(), draws.next(), draws.next()],
    opacity: () => draws.next(),
    group: () => oneOf(draws, ["a", "b", null]),
    colour: () => "#fff",
  };
  const chosen = Object.entries(fields).filter(([name]) =>
    name === "pos" || name === "scale" || draws.next() < 0.25
  );
  return Object.fromEntries(chosen.map(([name, make]) => [name, make()]));
}

/** Arguments near those the tool wants, so that a fair share is accepted. */
function nearArguments(tool: string, draws: Stream): Record<string, unknown> {
  const ids = () => list(draws, 4, () => draws.integer(1, 60));
  const views = () => list(draws, 4, () => draws.integer(0, 9));
  switch (tool) {
    case "add_gaussians":
      return { gaussians: list(draws, draws.next() < 0.1 ? 310 : 3, () => gaussian(draws)) };
    case "edit_gaussians":
      return { edits: list(draws, 2, () => ({ opacity: draws.next(), id: draws.integer(1, 60) })) };
    case "delete_gaussians":
      return { ids: ids() };
    case "transform_group":
      return {
        ...(draws.next() < 0.5 ? { group: oneOf(draws, ["a", "b", "c"]) } : { ids: ids() }),
        ...(draws.next() < 0.5 ? { scale: number(draws) } : {}),
        ...(draws.next() < 0.5
          ? { rotate: { axis: oneOf(draws, ["x", "z", [1, 1, 0]]), degrees: number(draws) } }
          : {}),
        ...(draws.next() < 0.5 ? { translate: [number(draws), 0, 0] } : {}),
        ...(draws.next() < 0.2 ? { pivot: [number(draws), 0, number(draws)] } : {}),
      };
    case "render_views":
    case "view_references":
      return { views: views() };
    case "render_angle":
      return { azimuth: number(draws), elevation: number(draws), distance: number(draws) };
    default:
      return {};
  }
}

const ball = (id: number) => ({
  id,
  mean: [0.1, 0, 0.2] as const,
  scale: [0.1, 0.2, 0.3] as const,
  quaternion: [1, 0, 0, 0] as const,
  color: [0.2, 0.4, 0.6] as const,
  opacity: 1,
  group: id % 2 ? "a" : "b",
});

/** Fewer Gaussians than 300, so that the limit is met often; frozen, as all episodes of a task share its start. */
const fuzzTask = (): SplatTask => ({
  ...stubTask({ start: Object.freeze(Array.from({ length: 20 }, (_, i) => Object.freeze(ball(i + 1)))) }),
  limits: { ...STANDARD_LIMITS, gaussians: 30 },
});

async function checkCall({ episode }: StubPlay, tool: string, args: unknown, what: string) {
  const before = { state: JSON.stringify(episode.state()), budgets: structuredClone(episode.budgets) };
  const outcome = await episode.call(tool, args);
  const { calls, renders, gaussians } = episode.budgets;
  assert.ok(
    calls.used <= calls.limit && renders.used <= renders.limit && gaussians.used <= gaussians.limit,
    what,
  );
  assert.equal(calls.used, before.budgets.calls.used + (outcome.notRun === null ? 1 : 0), what);
  assert.ok(outcome.text.length <= LONGEST_ANSWER, what);
  if (!outcome.accepted) {
    assert.equal(JSON.stringify(episode.state()), before.state, what);
    assert.equal(renders.used, before.budgets.renders.used, what);
    assert.equal(outcome.image, null, what);
    assert.ok(
      outcome.text.length <= LONGEST_LINE && !outcome.text.trim().includes("\n"),
      `${what}: ${outcome.text}`,
    );
    assert.ok(outcome.notRun !== null || REFUSAL_KINDS.some((kind) => kind === outcome.refusal), what);
  }
  for (const row of gaussianRowSchema.array().parse(episode.state())) {
    assert.ok(
      row.scale.every((part) => part > 0 && part <= 10) && row.pos.every((part) => Math.abs(part) <= 10),
      what,
    );
    assert.ok(Math.abs(Math.hypot(...row.quat) - 1) < 1e-12 && row.opacity >= 0 && row.opacity <= 1, what);
  }
  return outcome;
}

/** The log goes through JSON unchanged, and playing it again gives the same log. */
async function checkLog(steps: readonly StepRecord[]) {
  const logged: StepRecord[] = JSON.parse(JSON.stringify(steps));
  assert.deepEqual(logged, steps);
  const { episode } = stubPlay("standard", fuzzTask());
  for (const { tool, arguments: args } of logged.slice(1)) {
    if (!episode.done) await episode.call(tool, args);
  }
  assert.deepEqual(await episode.steps(), steps);
}

for (const { name } of TOOLS) {
  Deno.test(`fuzz: ${name} never throws, changes nothing when refused, keeps budgets`, async () => {
    let play = stubPlay("standard", fuzzTask());
    let accepted = 0;
    for (let call = 0; call < CALLS_A_TOOL; call++) {
      if (play.episode.done) {
        await checkLog(await play.episode.steps());
        play = stubPlay("standard", fuzzTask());
      }
      const draws = stream(1, "splat-fuzz", name, call);
      const args = fuzzed(nearArguments(name, draws), CALL_RULES.arguments[name], draws);
      const outcome = await checkCall(play, name, args, `seed 1, ${name}, call ${call}`);
      if (outcome.accepted) accepted++;
    }
    await checkLog(await play.episode.steps());
    assert.ok(accepted > CALLS_A_TOOL / 50, `only ${accepted} calls were accepted`);
  });
}
