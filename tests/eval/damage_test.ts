/** Run folders that are damaged, foreign, or cannot be written: one line, the right exit code, and the rest goes on. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI_CONTEXT } from "../../cli.ts";
import { BenchError, EXIT, GpuError } from "../../env/errors.ts";
import { compositeOnWhite, decodePng, encodePng } from "../../env/png.ts";
import { readRun } from "../../tasks/run_reader.ts";
import { captureCli } from "../support/capture_cli.ts";
import { evalToy, LOOK, paint, scriptedPlayer, SUBMIT } from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";
import { toyEnvironment } from "../support/toy_environment.ts";

const bench = (...args: string[]) =>
  captureCli(args, { ...CLI_CONTEXT, environments: { toy: () => Promise.resolve(toyEnvironment()) } });

const RUN = "toy/medium_effort";
const EPISODE = join(RUN, "builtin_sweep__cross__r1");

const play = (out: string, ...args: string[]) =>
  bench("eval", "--models", "builtin:sweep", "--tasks", "cross,square", "--runs", "1", "--out", out, ...args);

/** In place of the file or the folder at the path, a folder that is not empty. */
async function folderAt(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
  await Deno.mkdir(join(path, "in the way"), { recursive: true });
}

async function fileAt(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
  await Deno.writeTextFile(path, "in the way");
}

async function alter(path: string, was: string, is: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  assert.ok(text.includes(was), was);
  await Deno.writeTextFile(path, text.replaceAll(was, is));
}

const unfinished = (out: string) => Deno.remove(join(out, EPISODE, "episode.json"));

/** What is in the way, and whether one episode alone suffers. */
const IN_THE_WAY: { what: string; damage: (out: string) => Promise<void>; others: boolean }[] = [
  { what: "a folder called lock", damage: (out) => folderAt(join(out, RUN, "lock")), others: false },
  { what: "a folder called run.json", damage: (out) => folderAt(join(out, RUN, "run.json")), others: false },
  {
    what: "a folder called run.json.tmp",
    damage: (out) => folderAt(join(out, RUN, "run.json.tmp")),
    others: false,
  },
  { what: "a file called images", damage: (out) => fileAt(join(out, RUN, "images")), others: false },
  { what: "a file in place of the run", damage: (out) => fileAt(join(out, RUN)), others: false },
  {
    what: "a run.json with a number for a path",
    damage: (out) => alter(join(out, RUN, "run.json"), '"task_sources": {}', '"task_sources": {"x": 5}'),
    others: false,
  },
  { what: "a file in place of an episode", damage: (out) => fileAt(join(out, EPISODE)), others: true },
  {
    what: "a folder called episode.json",
    damage: (out) => folderAt(join(out, EPISODE, "episode.json")),
    others: true,
  },
  {
    what: "an episode.json that is no JSON",
    damage: (out) => fileAt(join(out, EPISODE, "episode.json")),
    others: true,
  },
  {
    what: "a folder called steps.jsonl",
    damage: async (out) => {
      await unfinished(out);
      await folderAt(join(out, EPISODE, "steps.jsonl"));
    },
    others: true,
  },
  {
    what: "a folder called transcript.jsonl",
    damage: async (out) => {
      await unfinished(out);
      await folderAt(join(out, EPISODE, "transcript.jsonl"));
    },
    others: true,
  },
  ...[
    ["task", '"task_id":"cross"', '"task_id":"square"'],
    ["model", '"model_name":"builtin:sweep"', '"model_name":"gpt"'],
    ["protocol", '"protocol":"standard"', '"protocol":"one_call"'],
    ["benchmark", '"bench":"toy"', '"bench":"splat"'],
    ["run", '"run":1', '"run":2'],
    ["version of the environment", '"env_fingerprint":"toy-1"', '"env_fingerprint":"toy-2"'],
  ].map(([what, was, is]) => ({
    what: `an episode.json of another ${what}`,
    damage: (out: string) => alter(join(out, EPISODE, "episode.json"), was, is),
    others: true,
  })),
];

for (const { what, damage, others } of IN_THE_WAY) {
  Deno.test(`bench eval says in one line that there is ${what}, and exits 2`, async () => {
    await withFolder(async (out) => {
      await play(out);
      await damage(out);
      const { code, stdout, stderr } = await play(out);
      assert.equal(code, EXIT.usage, stderr);
      const lines = stderr.split("\n").filter((line) => line.startsWith("bench: "));
      assert.equal(lines.length, 1, stderr);
      assert.match(lines[0], /^bench: Cannot (read|write|count) .*: .*\. .*$/);
      assert.ok(!stderr.includes("unexpected error"), stderr);
      if (others) assert.match(stdout, /builtin:sweep .* 0 of 1 /, "the other episode still counts");
      if (others) assert.match(stderr, /^1 of 2 episodes cannot be read and are left out$/m);
    });
  });
}

for (
  const { what, damage, code } of [
    {
      what: "an unreadable step",
      damage: (out: string) => fileAt(join(out, EPISODE, "steps.jsonl")),
      code: EXIT.usage,
    },
    {
      what: "a folder called transcript.jsonl",
      damage: (out: string) => folderAt(join(out, EPISODE, "transcript.jsonl")),
      code: EXIT.usage,
    },
    {
      what: "an episode.json that is no JSON",
      damage: (out: string) => fileAt(join(out, EPISODE, "episode.json")),
      code: EXIT.usage,
    },
    {
      what: "a folder called episode.json",
      damage: (out: string) => folderAt(join(out, EPISODE, "episode.json")),
      code: EXIT.usage,
    },
    {
      what: "an episode.json that a power cut left empty",
      damage: (out: string) => Deno.truncate(join(out, EPISODE, "episode.json")),
      code: EXIT.fine,
    },
  ]
) {
  Deno.test(`bench replay replays the others where there is ${what}`, async () => {
    await withFolder(async (out) => {
      await play(out);
      await damage(out);
      const replayed = await bench("replay", out, "--all");
      assert.equal(replayed.code, code, replayed.stderr);
      assert.match(
        replayed.stdout,
        /^1 episode, 11 steps replayed: no differences(; 1 could not be replayed)?\n$/,
      );
      const lines = replayed.stderr.trimEnd().split("\n");
      assert.equal(lines.length, 1, replayed.stderr);
      assert.match(
        lines[0],
        code === EXIT.fine ? /leaves out 1 unfinished episode, / : /^bench: Cannot read /,
      );
    });
  });
}

Deno.test("bench replay says once that run.json is empty, and how to have it back", async () => {
  await withFolder(async (out) => {
    await play(out);
    await Deno.truncate(join(out, RUN, "run.json"));
    const { code, stderr } = await bench("replay", out, "--all");
    assert.equal(code, EXIT.usage);
    assert.match(
      stderr,
      /^bench: Cannot read .*run\.json: it is missing or empty\. .*run its `bench eval` again.*\n$/,
    );
    assert.equal((await play(out)).code, EXIT.fine);
    assert.equal((await bench("replay", out, "--all")).code, EXIT.fine);
  });
});

Deno.test("bench replay counts an episode once, however often and through whatever folders it is named", async () => {
  await withFolder(async (out) => {
    await play(out);
    const { stdout } = await bench("replay", "--all", out, out, join(out, EPISODE), join(out, RUN));
    assert.equal(stdout, "2 episodes, 22 steps replayed: no differences\n");
  });
});

Deno.test("bench replay and eval print no terminal code of a run folder", async () => {
  await withFolder(async (out) => {
    await play(out);
    const codes = String.raw`\u001b]0;owned\u0007\u001b[2J\u009b1m`;
    await alter(join(out, EPISODE, "steps.jsonl"), '"response":"Painted', `"response":"${codes}`);
    const record = join(out, EPISODE, "episode.json");
    await alter(record, '"status":"complete"', '"status":"error"');
    await alter(record, '"error":null', `"error":"${codes}"`);
    for (const options of [["replay", out, "--all"], ["replay", out, "--all", "--json"]]) {
      const { code, stdout, stderr } = await bench(...options);
      assert.equal(code, EXIT.differences);
      assert.doesNotMatch(stdout + stderr, NOT_PLAIN);
    }
    for (const options of [[], ["--json"]]) {
      const { code, stdout, stderr } = await play(out, ...options);
      assert.equal(code, EXIT.infrastructure);
      assert.match(stderr, /failed: builtin:sweep__cross__r1: ␛\]0;owned␇␛\[2J/);
      assert.doesNotMatch(stdout + stderr, NOT_PLAIN);
    }
  });
});

const NOT_PLAIN = /(?!\n)\p{Cc}/u;

Deno.test("runEval() writes a damaged or exchanged picture anew when it resumes", async () => {
  await withFolder(async (out) => {
    await play(out);
    const images = join(out, RUN, "images");
    const names = [...Deno.readDirSync(images)].map(({ name }) => name).sort();
    const whole = new Map(names.map((name) => [name, Deno.readFileSync(join(images, name))]));
    for (const [at, name] of names.entries()) {
      const png = Deno.readFileSync(join(images, name));
      if (at % 3 === 0) png[png.length >> 1] ^= 1;
      const { data, ...size } = compositeOnWhite(decodePng(whole.get(name) ?? png));
      const other = await encodePng({ ...size, data: data.map((value) => value ^ 1) });
      Deno.writeFileSync(join(images, name), [png, png.subarray(0, 60), other][at % 3]);
    }
    for (const id of ["cross", "square"]) {
      await Deno.remove(join(out, RUN, `builtin_sweep__${id}__r1`, "episode.json"));
    }
    assert.equal((await play(out)).code, EXIT.fine);
    for (const [name, png] of whole) assert.deepEqual(Deno.readFileSync(join(images, name)), png, name);
    assert.equal((await bench("replay", out, "--all")).code, EXIT.fine);
  });
});

Deno.test("runEval() stops at the next turn when a step cannot be written, and blames no endpoint", async () => {
  await withFolder(async (out) => {
    const player = scriptedPlayer(async (turn) => {
      if (turn === 0) return { calls: [paint(0, 0)] };
      if (turn === 1) await fileAt(join(out, RUN, "images"));
      // Another turn would come from an endpoint that takes its time: the step is written, or not, by then.
      if (turn === 2) await new Promise((resolve) => setTimeout(resolve, 50));
      return { calls: turn < 20 ? [LOOK, paint(turn % 7, 1)] : [SUBMIT] };
    });
    await assert.rejects(evalToy(out, { players: [player] }), (error) => {
      assert.ok(error instanceof BenchError && error.exitCode === EXIT.usage);
      assert.match(error.message, /^Cannot write .*images.*: (Not a directory|No such file or directory)\. /);
      return true;
    });
    assert.ok(player.asked.length <= 4, `${player.asked.length} turns were paid for`);
    const { episodes, unfinished } = await readRun(out);
    assert.deepEqual([episodes.length, unfinished.length], [0, 1], "the episode can be continued");
  });
});

Deno.test("runEval() leaves no folder behind where there is no device", async () => {
  await withFolder(async (out) => {
    const environment = {
      ...toyEnvironment(),
      identity: () => Promise.reject(new GpuError({ what: "Cannot open a GPU", why: "there is none" })),
    };
    await assert.rejects(evalToy(out, { environment }), GpuError);
    assert.deepEqual([...Deno.readDirSync(out)], []);
  });
});

for (
  const [stream, code, said] of [[1, EXIT.usage, /^bench: Cannot write to standard output: No space/m], [
    2,
    0,
    /^$/,
  ]] as const
) {
  Deno.test(`bench eval ends in order where descriptor ${stream} is a full disk`, async () => {
    await withFolder(async (out) => {
      const root = fileURLToPath(new URL("../..", import.meta.url));
      const command =
        `"${Deno.execPath()}" run --no-check -A tests/support/toy_cli.ts eval --out "${out}" ${stream}> /dev/full`;
      const result = await new Deno.Command("bash", { args: ["-c", command], cwd: root }).output();
      const stderr = new TextDecoder().decode(result.stderr);
      assert.equal(result.code, code, stderr);
      assert.match(stderr, said);
    });
  });
}
