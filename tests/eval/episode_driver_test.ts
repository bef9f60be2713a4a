import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { CONTINUE_REQUEST } from "../../eval/dialogue.ts";
import { ContextOverflow, InfrastructureError } from "../../eval/model.ts";
import { replayEpisode } from "../../eval/replay.ts";
import { readRun } from "../../tasks/run_reader.ts";
import { recordingIn } from "../support/recordings.ts";
import {
  evalToy,
  LOOK,
  paint,
  type ScriptedCall,
  scriptedPlayer,
  type ScriptedTurn,
  SUBMIT,
  tasks,
} from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";
import { toyEnvironment } from "../support/toy_environment.ts";

/** Plays these turns, the last one for ever, and returns everything about the one episode. */
async function play(turns: readonly ScriptedTurn[]) {
  const player = scriptedPlayer((turn) => turns[Math.min(turn, turns.length - 1)]);
  const folder = await Deno.makeTempDir();
  try {
    const { episodes: [record] } = await evalToy(folder, { players: [player] });
    const { episodes: [stored] } = await readRun(folder);
    const transcript = await stored.transcript();
    return {
      record,
      asked: player.asked,
      steps: await stored.steps(),
      transcript,
      results: transcript.flatMap(({ message }) => message.role === "tool" ? [message] : []),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const calls = (...calls: ScriptedCall[]): ScriptedTurn => ({ calls });

Deno.test("playEpisode() sends the system prompt, then the opening text with its picture", async () => {
  const { asked: [{ conversation: { messages } }] } = await play([calls(SUBMIT)]);
  assert.deepEqual(messages.map(({ role }) => role), ["system", "user"]);
  const [system, user] = messages;
  assert.ok(system.role === "system" && user.role === "user");
  assert.equal(system.text, "You paint.");
  assert.deepEqual(user.parts.map(({ type }) => type), ["text", "image"]);
});

Deno.test("playEpisode() answers parallel calls in the order issued, their pictures in one message after them", async () => {
  const { asked, steps } = await play([calls(paint(0, 0), LOOK, paint(1, 0), LOOK), calls(SUBMIT)]);
  const messages = asked[1].conversation.messages.slice(2);
  assert.deepEqual(messages.map(({ role }) => role), ["assistant", "tool", "tool", "tool", "tool", "user"]);
  const callIds = messages.flatMap((message) => message.role === "tool" ? [message.callId] : []);
  assert.deepEqual(callIds, ["t0_0", "t0_1", "t0_2", "t0_3"]);
  const user = messages.at(-1);
  assert.ok(user?.role === "user");
  assert.deepEqual(user.parts.map(({ type }) => type), ["text", "image", "text", "image"]);
  const [first, second] = user.parts.flatMap((part) => part.type === "image" ? [part.image.data] : []);
  // Cell (1, 0) is painted between the two looks.
  assert.deepEqual([...first.slice(0, 6)], [10, 20, 30, 200, 220, 240]);
  assert.deepEqual([...second.slice(0, 6)], [10, 20, 30, 10, 20, 30]);
  assert.deepEqual(steps.map(({ tool }) => tool), ["reset", "paint", "look", "paint", "look", "submit"]);
});

Deno.test("playEpisode() gives ids to calls that have none or one that was given before", async () => {
  const same = (id: string) => ({ ...paint(0, 0), id });
  const { asked, results } = await play([
    calls(same("a"), same("a"), same(""), same("")),
    calls(same("a"), same("b")),
    calls(SUBMIT),
  ]);
  const ids = results.map(({ call_id }) => call_id);
  assert.equal(new Set(ids).size, 7);
  assert.equal(ids[0], "a");
  assert.equal(ids[5], "b");
  const assistants = asked[2].conversation.messages.flatMap((message) =>
    message.role === "assistant" ? message.calls.map(({ id }) => id) : []
  );
  assert.deepEqual(assistants, ids.slice(0, 6), "the calls carry the ids that the answers name");
});

for (
  const { what, call, reason } of [
    {
      what: "arguments that are not JSON",
      call: { name: "paint", raw: '{"x": 1, "y"' },
      reason: "invalid_json",
    },
    { what: "a call that was cut off", call: { ...paint(1, 1), cutOff: true }, reason: "cut_off" },
    { what: "an unknown tool", call: { name: "erase" }, reason: "unknown_tool" },
    { what: "an unknown argument", call: { name: "paint", args: { z: 1 } }, reason: "unknown_argument" },
  ]
) {
  Deno.test(`playEpisode() does not run ${what}, and says so`, async () => {
    const { record, steps, results, transcript } = await play([calls(call, paint(2, 2)), calls(SUBMIT)]);
    assert.deepEqual(steps.map(({ tool }) => tool), ["reset", "paint", "submit"]);
    assert.equal(steps[1].budgets.calls, 11, "it cost no call");
    assert.equal(results[0].not_run, reason);
    assert.equal(results[0].step, null);
    assert.match(results[0].text, /^Not run: /);
    assert.deepEqual(record.calls_not_run, { [reason]: 1 });
    assert.equal(record.calls, 2);
    const said = transcript.find(({ message }) => message.role === "assistant")?.message;
    assert.ok(said?.role === "assistant");
    assert.equal(
      said.calls[0].arguments,
      call.raw ?? JSON.stringify(call.args ?? {}),
      "the raw text is kept",
    );
  });
}

Deno.test("playEpisode() runs and counts a call that breaks a rule", async () => {
  const { record, steps } = await play([calls(paint(99, 0)), calls(SUBMIT)]);
  assert.deepEqual([steps[1].accepted, steps[1].refusal, steps[1].budgets.calls], [false, "bad_value", 11]);
  assert.deepEqual(record.refusals, { bad_value: 1 });
  assert.deepEqual(record.tool_calls, { paint: 1, submit: 1 });
});

Deno.test("playEpisode() does not run calls that come after the end", async () => {
  const { record, results } = await play([{ calls: [SUBMIT, paint(0, 0), LOOK], text: "Done." }]);
  assert.deepEqual(results.map(({ not_run }) => not_run), [null, "after_end", "after_end"]);
  assert.equal(record.ended_by, "submit");
  assert.deepEqual(record.calls_not_run, { after_end: 2 });
  assert.equal(record.closing_message, "Done.");
});

Deno.test("playEpisode() asks three times to continue, then ends the episode as it stands", async () => {
  const { record, asked, steps } = await play([calls(paint(3, 3)), { text: "I am thinking." }]);
  assert.equal(asked.length, 5);
  const last = asked[4].conversation.messages;
  const requests = last.filter((message) =>
    message.role === "user" &&
    message.parts.some((part) => part.type === "text" && part.text === CONTINUE_REQUEST)
  );
  assert.equal(requests.length, 3);
  assert.deepEqual([record.ended_by, record.status, record.calls], ["no_calls", "complete", 1]);
  assert.equal(steps.at(-1)?.tool, "submit");
  assert.deepEqual(record.final_state, [24]);
});

Deno.test("playEpisode() counts requests to continue over the whole episode", async () => {
  const text = { text: "Hm." };
  const { record, asked } = await play([text, calls(paint(0, 0)), text, calls(paint(1, 0)), text, text]);
  assert.equal(asked.length, 6);
  assert.equal(record.ended_by, "no_calls");
});

Deno.test("playEpisode() ends the episode at the eleventh call in a row that never runs", async () => {
  const bad: ScriptedCall = { name: "paint", raw: "{" };
  const ten = Array.from({ length: 10 }, () => bad);
  const { record, asked } = await play([calls(...ten, paint(0, 0)), calls(...ten), calls(bad, paint(1, 1))]);
  assert.equal(asked.length, 3);
  assert.equal(record.ended_by, "calls_not_run");
  assert.deepEqual(record.calls_not_run, { invalid_json: 21 });
  assert.deepEqual(record.final_state, [0], "the call after the eleventh did not run");
});

Deno.test("playEpisode() ends by budget where the environment submits, and does not count that as a call", async () => {
  const { record, steps } = await play([calls(paint(0, 0))]);
  assert.equal(record.ended_by, "budget");
  assert.equal(record.calls, 12);
  assert.equal(record.steps, 14);
  assert.equal(steps.length, 14);
  assert.deepEqual(record.tool_calls, { paint: 12 });
});

Deno.test("playEpisode() counts the calls of an environment whose automatic submit adds no step", async () => {
  await withFolder(async (out) => {
    const toy = { silentSubmit: true };
    const players = [scriptedPlayer(() => calls(paint(0, 0)))];
    const { episodes: [record] } = await evalToy(out, { players, toy });
    assert.deepEqual([record.ended_by, record.calls, record.steps], ["budget", 12, 13]);
    const recording = await recordingIn(out);
    const environment = toyEnvironment(toy);
    const [task] = tasks("cross");
    const report = await replayEpisode(environment, await environment.identity(), task, recording);
    assert.deepEqual(report.differences, []);
  });
});

Deno.test("playEpisode() scores the reached state when the conversation outgrows the context", async () => {
  await withFolder(async (out) => {
    const player = scriptedPlayer((turn) => {
      if (turn === 2) throw new ContextOverflow("too long");
      return calls(paint(turn, 0));
    });
    const { episodes: [record] } = await evalToy(out, { players: [player] });
    assert.deepEqual([record.ended_by, record.status, record.calls], ["context_overflow", "complete", 2]);
    assert.deepEqual(record.final_state, [0, 1]);
    assert.ok(record.metrics.match > 0);
  });
});

Deno.test("playEpisode() sums tokens and cost, and knows no cost where one turn has none", async () => {
  const priced = await play([calls(paint(0, 0)), calls(SUBMIT)]);
  assert.deepEqual(priced.record.usage, {
    input_tokens: 200,
    cached_input_tokens: 80,
    output_tokens: 14,
    reasoning_tokens: 6,
  });
  assert.equal(priced.record.cost_usd, 0.02);
  const unpriced = await play([calls(paint(0, 0)), { calls: [SUBMIT], costUsd: null }]);
  assert.equal(unpriced.record.cost_usd, null);
});

Deno.test("runEval() makes a row without a score of an episode whose endpoint failed, and goes on", async () => {
  await withFolder(async (out) => {
    const player = scriptedPlayer((turn, { task }) => {
      if (task === "square" && turn === 1) throw new InfrastructureError("503 for\nan hour");
      return turn === 0 ? calls(paint(0, 0)) : calls(SUBMIT);
    });
    const all = { players: [player], tasks: tasks("cross", "square", "stripe") };
    const { episodes } = await evalToy(out, all);
    assert.deepEqual(episodes.map(({ status }) => status), ["complete", "error", "complete"]);
    const [, failed] = episodes;
    assert.equal(failed.error, "InfrastructureError: 503 for an hour");
    assert.deepEqual([failed.score, failed.metrics, failed.ended_by], [null, {}, "error"]);
    assert.deepEqual(episodes.map(({ score_kind }) => score_kind), ["full", "full", "full"]);

    const again = await evalToy(out, all);
    assert.deepEqual(again.played, [], "an error is not played again unasked");
    assert.equal(again.episodes[1].status, "error");

    const healthy = scriptedPlayer((turn) => turn === 0 ? calls(paint(0, 0)) : calls(SUBMIT));
    const retried = await evalToy(out, { ...all, players: [healthy], retryErrors: true });
    assert.deepEqual(retried.played.map(({ task_id, status }) => [task_id, status]), [[
      "square",
      "complete",
    ]]);
    assert.equal(healthy.asked.length, 1, "it goes on after the turn that is recorded");
  });
});

Deno.test("runEval() makes a row of an episode that the environment breaks", async () => {
  await withFolder(async (out) => {
    const toy = {
      breakCall: (episode: string, step: number) => {
        if (episode.includes("square") && step === 3) throw new TypeError("x is undefined");
      },
    };
    const { episodes } = await evalToy(out, { toy, tasks: tasks("cross", "square") });
    assert.deepEqual(episodes.map(({ error }) => error), [null, "TypeError: x is undefined"]);
    assert.equal(episodes[1].steps, 3);
  });
});

Deno.test("runEval() stops at once when no request can succeed, and leaves the rest to be continued", async () => {
  await withFolder(async (out) => {
    const player = scriptedPlayer((turn, { task, run }) => {
      if (task === "cross" && run === 2) throw new BenchError({ what: "Cannot use model", why: "401" });
      return turn === 0 ? calls(paint(0, 0)) : calls(SUBMIT);
    });
    const run = { players: [player], tasks: tasks("cross", "square", "stripe"), runs: 3, concurrency: 1 };
    await assert.rejects(evalToy(out, run), /^BenchError: Cannot use model: 401$/);
    assert.equal(player.asked.length, 3, "two turns of the first episode, one of the second");
    const { episodes, unfinished } = await readRun(out);
    assert.deepEqual([episodes.length, unfinished.length], [1, 1]);
  });
});
