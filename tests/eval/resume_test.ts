import assert from "node:assert/strict";
import { join } from "node:path";
import { stream } from "../../env/random.ts";
import type { EpisodeRecord } from "../../env/records.ts";
import { evalToy, LOOK, paint, scriptedPlayer, SUBMIT, tasks } from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";

const EPISODE = "toy/medium_effort/scripted__cross__r1";

/** Two parallel calls, a malformed one, a turn without a call, a picture, a refusal. */
const script = () =>
  scriptedPlayer((turn) => {
    const turns = [
      { calls: [paint(0, 0), LOOK, { name: "paint", raw: "{" }] },
      { text: "Let me think." },
      { calls: [paint(9, 9), paint(1, 0)] },
      { calls: [LOOK] },
      { calls: [SUBMIT], text: "Done." },
    ];
    return turns[turn];
  });

/** An episode without what clocks make of it. */
function timeless(record: EpisodeRecord): Omit<EpisodeRecord, "seconds"> {
  const { seconds: _, ...rest } = record;
  return rest;
}

const timelessLines = (text: string) => text.replaceAll(/"seconds":[\d.e-]+/g, '"seconds":0');

async function read(folder: string, name: string): Promise<string> {
  return timelessLines(await Deno.readTextFile(join(folder, EPISODE, name)));
}

/** Leaves the first `transcript` and `steps` bytes of the two files, as a process killed there would. */
async function cutBack(folder: string, transcript: number, steps: number): Promise<void> {
  await Deno.truncate(join(folder, EPISODE, "transcript.jsonl"), transcript);
  await Deno.truncate(join(folder, EPISODE, "steps.jsonl"), steps);
  await Deno.remove(join(folder, EPISODE, "episode.json"));
}

const lineEnds = (text: string) => [...text.matchAll(/\n/g)].map(({ index }) => index + 1);

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

Deno.test("runEval() continues an episode killed after any line of its files", async () => {
  await withFolder(async (folder) => {
    const whole = await evalToy(folder, { players: [script()] });
    const transcript = await Deno.readTextFile(join(folder, EPISODE, "transcript.jsonl"));
    const steps = await Deno.readTextFile(join(folder, EPISODE, "steps.jsonl"));
    const turnsIn = (text: string) =>
      text.split("\n").filter((line) => line.includes('"role":"assistant"')).length;
    for (const end of [0, ...lineEnds(transcript)]) {
      const kept = transcript.slice(0, end);
      // The step log lags behind by the hidden metrics under way: none, one, or all of the steps that the calls made.
      const results = kept.split("\n").filter((line) =>
        line.includes('"step":') && !line.includes('"step":null')
      );
      const logged = [0, ...lineEnds(steps)].slice(0, results.length + 2);
      for (const stepsEnd of new Set([logged[0], logged[logged.length >> 1], logged[logged.length - 1]])) {
        await Deno.writeTextFile(join(folder, EPISODE, "transcript.jsonl"), transcript);
        await Deno.writeTextFile(join(folder, EPISODE, "steps.jsonl"), steps);
        await cutBack(folder, bytesOf(kept), bytesOf(steps.slice(0, stepsEnd)));
        const player = script();
        const resumed = await evalToy(folder, { players: [player] });
        const where = `transcript cut at ${end}, steps at ${stepsEnd}`;
        assert.equal(player.asked.length, 5 - turnsIn(kept), `${where}: only turns that are not recorded`);
        assert.deepEqual(timeless(resumed.episodes[0]), timeless(whole.episodes[0]), where);
        assert.equal(await read(folder, "transcript.jsonl"), timelessLines(transcript), where);
        assert.equal(await read(folder, "steps.jsonl"), steps, where);
        assert.deepEqual(resumed.notes, [], where);
      }
    }
  });
});

Deno.test("runEval() cuts off a torn last line with a notice and loses nothing else", async () => {
  await withFolder(async (folder) => {
    const whole = await evalToy(folder, { players: [script()] });
    const transcript = await Deno.readTextFile(join(folder, EPISODE, "transcript.jsonl"));
    const steps = await Deno.readTextFile(join(folder, EPISODE, "steps.jsonl"));
    const draws = stream(0, "torn");
    for (let trial = 0; trial < 12; trial++) {
      await Deno.writeTextFile(join(folder, EPISODE, "transcript.jsonl"), transcript);
      await Deno.writeTextFile(join(folder, EPISODE, "steps.jsonl"), steps);
      await cutBack(folder, draws.integer(1, bytesOf(transcript)), draws.integer(1, bytesOf(steps)));
      const { episodes, notes } = await evalToy(folder, { players: [script()] });
      assert.deepEqual(timeless(episodes[0]), timeless(whole.episodes[0]));
      assert.equal(await read(folder, "transcript.jsonl"), timelessLines(transcript));
      assert.equal(await read(folder, "steps.jsonl"), steps);
      assert.ok(
        notes.length > 0 && notes.every((note) => /cut off the torn last line/.test(note)),
        notes.join(),
      );
    }
  });
});

Deno.test("runEval() plays anew, with a notice, what does not repeat, and keeps the old files", async () => {
  await withFolder(async (folder) => {
    const whole = await evalToy(folder, { players: [script()] });
    const path = join(folder, EPISODE, "steps.jsonl");
    const steps = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, steps.replace('"state":[0]', '"state":[1]'));
    await Deno.remove(join(folder, EPISODE, "episode.json"));
    const player = script();
    const { episodes, notes } = await evalToy(folder, { players: [player] });
    assert.deepEqual(timeless(episodes[0]), timeless(whole.episodes[0]));
    assert.equal(player.asked.length, 5);
    assert.match(notes.join(), /cannot continue it \(step 1 \(paint\) comes out differently\)/);
    assert.match(
      await Deno.readTextFile(join(folder, EPISODE, "set_aside_1", "steps.jsonl")),
      /"state":\[1\]/,
    );
  });
});

Deno.test("runEval() checks every recorded step before it pays for a turn", async () => {
  await withFolder(async (folder) => {
    await evalToy(folder, { players: [script()] });
    const path = join(folder, EPISODE, "steps.jsonl");
    const steps = (await Deno.readTextFile(path)).replace('"painted":2', '"painted":3');
    const transcript = await Deno.readTextFile(join(folder, EPISODE, "transcript.jsonl"));
    await Deno.writeTextFile(path, steps);
    // Without the last turn and its answer, so that there is something to ask for.
    await cutBack(folder, bytesOf(transcript.split("\n").slice(0, -3).join("\n") + "\n"), bytesOf(steps));
    const player = script();
    const { notes } = await evalToy(folder, { players: [player], toy: { metricMs: 5 } });
    assert.match(notes.join(), /cannot continue it \(step 4 \(paint\) comes out differently\)/);
    assert.equal(player.asked.length, 5, "the five turns of the new start, none before it");
  });
});

Deno.test("runEval() takes a zero-byte episode.json for none, and a zero-byte picture too", async () => {
  await withFolder(async (folder) => {
    const whole = await evalToy(folder, { players: [script()] });
    await Deno.truncate(join(folder, EPISODE, "episode.json"));
    const images = join(folder, "toy/medium_effort/images");
    for await (const { name } of Deno.readDir(images)) await Deno.truncate(join(images, name));
    const player = script();
    const { episodes } = await evalToy(folder, { players: [player] });
    assert.deepEqual(timeless(episodes[0]), timeless(whole.episodes[0]));
    assert.equal(player.asked.length, 0);
    for await (const { name } of Deno.readDir(images)) {
      assert.ok((await Deno.stat(join(images, name))).size > 0, name);
    }
  });
});

Deno.test("runEval() names file and line of a record in the middle that is damaged", async () => {
  await withFolder(async (folder) => {
    await evalToy(folder, { players: [script()] });
    await Deno.remove(join(folder, EPISODE, "episode.json"));
    const path = join(folder, EPISODE, "steps.jsonl");
    const lines = (await Deno.readTextFile(path)).split("\n");
    lines[2] = lines[2].slice(0, 40);
    await Deno.writeTextFile(path, lines.join("\n"));
    const { episodes, unreadable } = await evalToy(folder, {
      players: [script()],
      tasks: tasks("cross", "square"),
    });
    assert.deepEqual(episodes.map(({ task_id }) => task_id), ["square"], "the others are played");
    assert.match(unreadable.join(), /steps\.jsonl, line 3: it is not JSON/);
    assert.equal(await Deno.readTextFile(path), lines.join("\n"), "what is damaged stays as it is");
  });
});

Deno.test("runEval() asks nothing of a complete set, and a higher --runs only adds", async () => {
  await withFolder(async (folder) => {
    const run = { tasks: tasks("cross", "square"), runs: 2 };
    const first = await evalToy(folder, { ...run, players: [script()] });
    const files = new Map<string, string>();
    for (const { episode_id } of first.episodes) {
      const path = join(folder, "toy/medium_effort", episode_id, "episode.json");
      files.set(path, await Deno.readTextFile(path));
    }
    const idle = script();
    await evalToy(folder, { ...run, players: [idle] });
    assert.equal(idle.asked.length, 0);
    const third = script();
    const topped = await evalToy(folder, { ...run, runs: 3, players: [third] });
    assert.deepEqual(new Set(third.asked.map(({ run }) => run)), new Set([3]));
    assert.equal(topped.episodes.length, 6);
    for (const [path, text] of files) assert.equal(await Deno.readTextFile(path), text);
  });
});

Deno.test("runEval() stops before the next turn when asked to, and the same command continues", async () => {
  await withFolder(async (folder) => {
    const stop = new AbortController();
    const player = scriptedPlayer((turn) => {
      if (turn === 2) stop.abort();
      return turn < 4 ? { calls: [paint(turn, 0)] } : { calls: [SUBMIT] };
    });
    const stopped = await evalToy(folder, { players: [player], runs: 2, concurrency: 1, stop: stop.signal });
    assert.deepEqual([stopped.episodes.length, stopped.missing, player.asked.length], [0, 2, 3]);
    const { episodes } = await evalToy(folder, { players: [player], runs: 2 });
    assert.equal(player.asked.length, 3 + 2 + 5);
    assert.deepEqual(episodes.map(({ final_state }) => final_state), [[0, 1, 2, 3], [0, 1, 2, 3]]);
  });
});
