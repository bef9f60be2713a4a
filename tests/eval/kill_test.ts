import assert from "node:assert/strict";
import { join } from "node:path";
import { sleep } from "../../env/clock.ts";
import { stream } from "../../env/random.ts";
import { withFolder } from "../support/with_folder.ts";
import { type RunningToy, runToy, startToy } from "../support/toy_process.ts";

const KILLS = Deno.env.get("BENCH_SOAK") ? 60 : 6;
/** Slow enough that a kill hits every stage. */
const SLOW = { callMs: 4, metricMs: 6 };
const TIMES = /"seconds":[\d.e-]+/g;

/** Finished episodes with the bytes of their records. */
async function finishedEpisodes(out: string): Promise<Map<string, string>> {
  const setting = join(out, "toy/medium_effort");
  const finished = new Map<string, string>();
  try {
    for await (const { name, isDirectory } of Deno.readDir(setting)) {
      if (!isDirectory || name === "images") continue;
      const text = await Deno.readTextFile(join(setting, name, "episode.json")).catch(() => null);
      if (text !== null) finished.set(name, text);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return finished;
}

/** Every step of every episode, as logged. */
async function stepLogs(out: string): Promise<Record<string, string>> {
  const logs: Record<string, string> = {};
  for (const name of [...(await finishedEpisodes(out)).keys()].sort()) {
    logs[name] = await Deno.readTextFile(join(out, "toy/medium_effort", name, "steps.jsonl"));
  }
  return logs;
}

async function* files(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* files(join(folder, name));
    else yield name;
  }
}

async function waitForOutput({ process }: RunningToy, path: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await Deno.stat(path).then(() => true, () => false)) return;
    await sleep(10);
  }
  process.kill("SIGKILL");
  throw new Error(`${path} never came to be`);
}

Deno.test("bench eval killed again and again gives the table, JSON and logs of an uninterrupted run", async () => {
  await withFolder(async (folder) => {
    const [whole, killed] = [join(folder, "whole"), join(folder, "killed")];
    const args = ["eval", "--json", "--concurrency", "3"];
    const reference = await runToy([...args, "--out", whole], SLOW);
    assert.equal(reference.code, 0, reference.stderr);

    const draws = stream(0, "kills");
    let kept = new Map<string, string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const run = startToy([...args, "--out", killed], SLOW);
      await waitForOutput(run, join(killed, "toy/medium_effort/run.json"));
      await sleep(draws.range(0, 150));
      run.process.kill("SIGKILL");
      await run.finished;
      const finished = await finishedEpisodes(killed);
      for (const [name, text] of kept) assert.equal(finished.get(name), text, `${name} was played again`);
      kept = finished;
    }
    const last = await runToy([...args, "--out", killed], SLOW);
    assert.equal(last.code, 0, last.stderr);
    assert.equal(last.stdout.replaceAll(TIMES, ""), reference.stdout.replaceAll(TIMES, ""));
    assert.deepEqual(await stepLogs(killed), await stepLogs(whole));
    assert.match(last.stderr, /taken over/, "the last owner never let go of the lock");

    const left = (await Array.fromAsync(files(killed))).filter((name) => name.endsWith(".tmp"));
    assert.deepEqual(left, [], "no half-written file is left");

    // The column of times is blanked: it and nothing else may differ.
    const tables = await Promise.all([whole, killed].map((out) => runToy(["eval", "--out", out], SLOW)));
    const [a, b] = tables.map(({ stdout }) => stdout.replaceAll(/ +\d+\.\d s$/gm, ""));
    assert.equal(a, b);
    assert.equal((await runToy(["replay", killed])).code, 0);
  });
});

Deno.test("bench eval refuses a folder that another process plays into, and names it", async () => {
  await withFolder(async (out) => {
    const first = startToy(["eval", "--out", out], { callMs: 150 });
    await waitForOutput(first, join(out, "toy/medium_effort/run.json"));
    const second = await runToy(["eval", "--out", out]);
    first.process.kill("SIGKILL");
    await first.finished;
    assert.equal(second.code, 2);
    assert.match(
      second.stderr,
      /^bench: Cannot play into .*medium_effort: process \d+ on .* is playing into it now\. /,
    );
    assert.ok(second.stderr.includes(`process ${first.process.pid} on`));
    const third = await runToy(["eval", "--out", out]);
    assert.equal(third.code, 0, "the lock of a killed process is taken over");
  });
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`bench eval finishes turns and stops at the first ${signal}`, async () => {
    await withFolder(async (out) => {
      const transcript = join(out, "toy/medium_effort/builtin_sweep__cross__r1/transcript.jsonl");
      const args = ["eval", "--models", "builtin:sweep", "--tasks", "cross", "--runs", "1", "--out", out];
      const once = startToy(args, { callMs: 100 });
      await waitForOutput(once, transcript);
      once.process.kill(signal);
      const stopped = await once.finished;
      assert.equal(stopped.code, 130);
      assert.match(stopped.stderr, /Finishing the turns under way/);
      assert.match(stopped.stderr, /Stopped with 1 episodes? to play; the same command continues/);
      const lines = (await Deno.readTextFile(transcript)).trimEnd().split("\n");
      const calls = lines.flatMap((line) => JSON.parse(line).message.calls ?? []).length;
      const results = lines.filter((line) => JSON.parse(line).message.role === "tool").length;
      assert.equal(results, calls, "every call of the last turn has its answer");

      const rest = await runToy(args);
      assert.equal(rest.code, 0, rest.stderr);
      assert.doesNotMatch(rest.stderr, /cannot continue/);
    });
  });
}

Deno.test("bench eval stops in the middle of a call at the second Ctrl-C", async () => {
  await withFolder(async (out) => {
    const transcript = join(out, "toy/medium_effort/builtin_sweep__cross__r1/transcript.jsonl");
    const args = ["eval", "--models", "builtin:sweep", "--tasks", "cross", "--runs", "1", "--out", out];
    const run = startToy(args, { callMs: 60_000 });
    await waitForOutput(run, transcript);
    while (!(await Deno.readTextFile(transcript)).includes('"assistant"')) await sleep(10);
    run.process.kill("SIGINT");
    await sleep(100);
    run.process.kill("SIGINT");
    assert.equal((await run.finished).code, 130);
    const text = await Deno.readTextFile(transcript);
    assert.ok(!text.includes('"tool"'), "the call under way has no answer");

    const rest = await runToy(args);
    assert.equal(rest.code, 0, rest.stderr);
    assert.doesNotMatch(rest.stderr, /cannot continue/);
  });
});
