import assert from "node:assert/strict";
import { join } from "node:path";
import { BenchError, EXIT, GpuError } from "../../env/errors.ts";
import { CLI_CONTEXT } from "../../cli.ts";
import { episodeLineSchema, replayLineSchema, summaryLineSchema } from "../../eval/json_output.ts";
import { PROTOCOLS } from "../../splat/protocols.ts";
import { captureCli } from "../support/capture_cli.ts";
import { failure, fakeEndpoint, turn } from "../support/fake_endpoint.ts";
import { withFolder } from "../support/with_folder.ts";
import { toyEnvironment, type ToyOptions } from "../support/toy_environment.ts";
import { runToy } from "../support/toy_process.ts";

function bench(args: readonly string[], toy: ToyOptions | (() => never) = {}) {
  const make = typeof toy === "function" ? toy : () => toyEnvironment(toy);
  return captureCli(args, { ...CLI_CONTEXT, environments: { toy: () => Promise.resolve().then(make) } });
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

/** Every key is in the document that users read. */
async function documents(keys: readonly string[]): Promise<void> {
  const document = await Deno.readTextFile(new URL("../../docs/json_output.md", import.meta.url));
  for (const key of new Set(keys)) {
    assert.ok(document.includes(`\`${key}\``), `docs/json_output.md does not tell of ${key}`);
  }
}

for (
  const [args, line] of [
    [
      ["eval", "--runs", "0"],
      /option '--runs <n>' argument '0' is invalid\. It must be a whole number, 1 or more\./,
    ],
    [["eval", "--runs", "two"], /argument 'two' is invalid/],
    [["eval", "--concurrency", "1.5"], /It must be a whole number/],
    [["eval", "--extra-body", "{"], /argument '{' is invalid\. It must be a JSON object/],
    [["eval", "--extra-body", "[1]"], /It must be a JSON object/],
    [["eval", "--fail-under", "ten"], /It must be a number/],
    [["eval", "--fail-under", "0x10"], /It must be a number/],
    [["eval", "--runs", "999999999"], /^bench: Cannot play 5999999994 episodes: 100000 is the most/],
    [["eval", "--api-key-env", ""], /It must be the name of an environment variable/],
    [["eval", "--api-key-env", "A=B"], /It must be the name of an environment variable/],
    [["eval", "--device", ""], /It must not be empty/],
    [["eval", "--out", ""], /It must not be empty/],
    [["replay", "runs", "--device", " "], /It must not be empty/],
    [["replay", "runs", "--episodes", ""], /It names nothing/],
    [["eval", "--base-url", "localhost"], /It must be an address like http/],
    [["eval", "--effort", "../up"], /It must be one word/],
    [["eval", "--models", " , "], /It names nothing/],
    [["eval", "--modles", "x"], /unknown option '--modles'/],
    [["eval", "toy", "shadow"], /too many arguments/],
    [
      ["eval", "shadow"],
      /^bench: Cannot run the benchmark "shadow": there is no such benchmark\. There is toy$/,
    ],
    [
      ["eval", "--models", "builtin:clever"],
      /^bench: Cannot play builtin:clever: .*It has builtin:sweep, builtin:random$/,
    ],
    [["eval", "--models", "=gpt"], /^bench: Cannot use the model "=gpt": a model is ID, or NAME=ID/],
    [
      ["eval", "--models", "m", "--api-key-env", "NO_SUCH_KEY"],
      /the environment variable NO_SUCH_KEY holds no key/,
    ],
    [["eval", "--tasks", "cube"], /^bench: Cannot find the task cube/],
    [
      ["eval", "--protocol", "chess"],
      /^bench: Cannot play the protocol "chess": .*It has standard, one_call$/,
    ],
    [["eval", "--protocol", "one_call", "--tasks", "stripe"], /none of the 1 tasks chosen has it/],
    [["eval", "--models", "builtin:sweep,builtin:sweep"], /it is asked for twice/],
    [
      ["replay", "/no/such/folder"],
      /^bench: Cannot read the data set \/no\/such\/folder: there is no such file or folder/,
    ],
    [["replay"], /missing required argument 'where'/],
    [["evla"], /unknown command 'evla'\n.*Did you mean eval/],
    [["rescore", "/no/such/folder"], /^bench: Cannot read the data set \/no\/such\/folder: /],
    [["rescore", "runs", "--tolerance", "-1"], /It must not be negative/],
    [["rescore", "runs", "--shape"], /^bench: Cannot measure shapes: nothing says where .* --out FOLDER$/],
    [["rescore", "runs", "--out", "o"], /^bench: Cannot measure shapes: --out is where --shape writes/],
  ] as const
) {
  Deno.test(`bench ${args.join(" ")} says what is wrong and exits 2`, async () => {
    await withFolder(async (out) => {
      const { code, stdout, stderr } = await bench(args[0] === "eval" ? [...args, "--out", out] : args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr.trim(), line);
      assert.ok(linesOf(stderr).length <= 2, stderr);
    });
  });
}

Deno.test("bench --help, eval --help and --version go to stdout and exit 0", async () => {
  for (const args of [["--help"], ["eval", "--help"], ["replay", "-h"], ["--version"]]) {
    const { code, stdout, stderr } = await bench(args);
    assert.deepEqual([code, stderr], [0, ""], args.join(" "));
    assert.ok(stdout.length > 4);
  }
  assert.match((await bench(["eval", "--help"])).stdout, /Examples:\n(.*\n)*.*--api-key-env NONE/);
});

Deno.test("bench eval reports one call as one call", async () => {
  await withFolder(async (out) => {
    const args = ["--protocol", "one_call", "--tasks", "cross", "--models", "builtin:sweep", "--runs", "1"];
    const { code, stderr } = await bench(["eval", ...args, "--out", out]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /\n1\/1 builtin:sweep__cross__r1: Match 0\.\d\d, 1 call, \d+\.\d s/);
  });
});

Deno.test("bench eval --help names every protocol", async () => {
  const { stdout } = await captureCli(["eval", "--help"]);
  const names = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(PROTOCOLS.map(({ id }) => id));
  assert.ok(stdout.replaceAll(/\s+/g, " ").includes(`rules of the episodes: ${names}`), stdout);
});

Deno.test("bench eval plays every benchmark with its demo policies, results on stdout, the rest on stderr", async () => {
  await withFolder(async (out) => {
    const { code, stdout, stderr } = await bench(["eval", "--out", out]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /builtin:random +medium_effort/);
    assert.match(stdout, /builtin:sweep +medium_effort/);
    assert.match(stderr, /^Toy: 12 episodes\n/);
    assert.match(stderr, /\n12\/12 builtin:\w+__\w+__r[12]: Match 0\.\d\d, 1[02] calls, /);
    for (const code of ["\x1b", "\r"]) {
      assert.ok(!(stdout + stderr).includes(code), "no terminal codes in a pipe");
    }
  });
});

Deno.test("bench eval --json prints episodes in the order planned, then a row a model, all of them documented", async () => {
  await withFolder(async (out) => {
    const args = [
      "eval",
      "--models",
      "builtin:sweep",
      "--models",
      "builtin:random",
      "--tasks",
      "cross,square",
    ];
    const { stdout } = await bench([...args, "--runs", "1", "--json", "--out", out]);
    const lines = linesOf(stdout).map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ kind }) => kind), [
      ...Array(4).fill("episode"),
      ...Array(2).fill("summary"),
    ]);
    assert.deepEqual(lines.slice(0, 4).map(({ episode_id }) => episode_id), [
      "builtin:sweep__cross__r1",
      "builtin:sweep__square__r1",
      "builtin:random__cross__r1",
      "builtin:random__square__r1",
    ]);
    for (const line of lines.slice(0, 4)) assert.deepEqual(episodeLineSchema.parse(line), line);
    for (const line of lines.slice(4)) assert.deepEqual(summaryLineSchema.parse(line), line);
    await documents(lines.flatMap((line) => Object.keys(line)));
  });
});

Deno.test("bench eval --fail-under exits 1 for a model whose mean is lower, and names it", async () => {
  await withFolder(async (out) => {
    const args = ["eval", "--models", "builtin:sweep", "--out", out];
    assert.equal((await bench([...args, "--fail-under", "0.1"])).code, 0);
    const missed = await bench([...args, "--fail-under", "0.99"]);
    assert.equal(missed.code, 1);
    assert.match(missed.stderr, /builtin:sweep: Match 0\.\d\d\d is under 0\.99\n$/);
  });
});

Deno.test("bench eval plays high effort on the effort subset unless tasks are named", async () => {
  await withFolder(async (out) => {
    const args = ["eval", "--models", "builtin:sweep", "--runs", "1", "--effort", "high", "--out", out];
    assert.match((await bench(args)).stderr, /^Toy: 2 episodes/);
    assert.match((await bench([...args, "--tasks", "stripe"])).stderr, /^Toy: 1 episode\n/);
  });
});

Deno.test("bench eval sends an endpoint the pictures, the key and the effort, and prints its row", async () => {
  await using endpoint = fakeEndpoint(({ turn: n }) => {
    const turns = [
      () => turn([{ name: "paint", args: { x: 0, y: 0 } }, { name: "look" }]),
      () => turn([{ name: "paint", raw: '{"x": 1' }], { text: "Hm." }),
      () => turn([], { text: "Let me think." }),
      () => turn([{ name: "submit" }]),
    ];
    return turns[n]();
  });
  Deno.env.set("TOY_KEY", " sk-toy \n");
  await withFolder(async (out) => {
    const args = [
      "eval",
      "toy",
      "--models",
      "mine=vendor/model-1",
      "--base-url",
      `${endpoint.url}/`,
      "--out",
      out,
    ];
    const options = [
      "--api-key-env",
      "TOY_KEY",
      "--effort",
      "high",
      "--extra-body",
      '{"seed": 7}',
      "--tasks",
      "cross",
    ];
    const { code, stdout, stderr } = await bench([...args, ...options, "--runs", "1"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^mine +high_effort/m);
    const [{ body, headers }] = endpoint.requests;
    assert.equal(headers.get("authorization"), "Bearer sk-toy");
    assert.deepEqual([body.model, body.reasoning_effort, body.seed], ["vendor/model-1", "high", 7]);
    const last = endpoint.requests[3].body.messages;
    assert.deepEqual(
      last.map(({ role }: { role: string }) => role),
      ["system", "user", "assistant", "tool", "tool", "user", "assistant", "tool", "assistant", "user"],
    );
    assert.match(JSON.stringify(last[5]), /image_url.*data:image\/png;base64,/);
    const run = await Deno.readTextFile(join(out, "toy/high_effort/run.json"));
    assert.ok(!run.includes("sk-toy"), "no secret is written");
  });
});

Deno.test("bench eval stops at once for a key that is refused, with one line", async () => {
  await using endpoint = fakeEndpoint(() => failure(401, "Incorrect API key provided"));
  await withFolder(async (out) => {
    const args = ["eval", "--models", "m", "--base-url", endpoint.url, "--api-key-env", "NONE", "--out", out];
    const { code, stdout, stderr } = await bench([...args, "--concurrency", "1"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(linesOf(stderr).at(-1) ?? "", /^bench: Cannot use model m: .*Incorrect API key/);
    assert.equal(endpoint.requests.length, 1);
  });
});

Deno.test("bench eval exits 4 when episodes failed, lists them, and --retry-errors continues them", async () => {
  await withFolder(async (out) => {
    const args = ["eval", "--models", "builtin:sweep", "--runs", "1", "--out", out];
    const breakCall = (episode: string, step: number) => {
      if (episode.includes("square") && step === 5) throw new Error("out of luck");
    };
    const failed = await bench([...args, "--fail-under", "99"], { breakCall });
    assert.equal(failed.code, 4);
    assert.match(failed.stdout, /builtin:sweep .* 1 of 3 /);
    assert.match(failed.stderr, /failed: builtin:sweep__square__r1: Error: out of luck/);
    assert.match(failed.stderr, /1 of 3 episodes failed and have no score; .*--retry-errors/);
    assert.equal((await bench(args)).code, 4, "they still count when nothing is left to play");
    const retried = await bench([...args, "--retry-errors"]);
    assert.equal(retried.code, 0, retried.stderr);
    assert.match(retried.stdout, /builtin:sweep .* 0 of 3 /);
  });
});

Deno.test("runCli() maps every kind of error to its exit code", async () => {
  const raise = (error: Error) =>
    bench(["eval"], () => {
      throw error;
    });
  assert.equal((await raise(new GpuError({ what: "No adapter", why: "none" }))).code, EXIT.noDevice);
  assert.equal((await raise(new BenchError({ what: "Cannot", why: "so" }, EXIT.differences))).code, 1);
  const unexpected = await raise(new TypeError("x is undefined"));
  assert.equal(unexpected.code, EXIT.infrastructure);
  assert.match(unexpected.stderr, /^bench: unexpected error, please report it: TypeError: x is undefined\n/);
});

Deno.test("bench replay finds nothing in a run, and exits 1 with one line for what was altered", async () => {
  await withFolder(async (out) => {
    await bench(["eval", "--out", out]);
    const clean = await bench(["replay", out, "--all"]);
    assert.deepEqual([clean.code, clean.stdout], [0, "12 episodes, 150 steps replayed: no differences\n"]);
    const path = join(out, "toy/medium_effort/builtin_sweep__square__r2/steps.jsonl");
    const steps = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, steps.replaceAll('"accepted":true', '"accepted":false'));
    const { code, stdout } = await bench(["replay", join(out, "toy"), "--all"]);
    assert.equal(code, 1);
    assert.deepEqual(linesOf(stdout), [
      "builtin:sweep__square__r2: step 0: accepted",
      "    recorded  false",
      "    now       true",
      "    10 more, --json lists them",
      "12 episodes, 150 steps replayed: 1 differs (accepted 11×)",
    ]);
    const sampled = await bench(["replay", out]);
    assert.deepEqual([sampled.code, linesOf(sampled.stdout).length], [0, 1]);
    assert.match(sampled.stdout, /^1 episode, /);
    assert.match(sampled.stderr, /^replay: the first episode of the only setting; --all replays all 12$/m);
    assert.equal((await bench(["replay", out, "--episodes", "*cross*"])).code, 0);
    assert.equal((await bench(["replay", out, "--episodes", "*cross*,*square__r2"])).code, 1);
    assert.match(
      (await bench(["replay", out, "--episodes", "x*"])).stderr,
      /none of 12 episodes matches x\*/,
    );
    assert.match(
      (await bench(["replay", out, "--settings", "low_effort"])).stderr,
      /there is no setting low_effort; there is medium_effort/,
    );
    const { stdout: json } = await bench(["replay", join(out, "toy/medium_effort"), "--all", "--json"]);
    const lines = linesOf(json).map((line) => JSON.parse(line));
    const reports = lines.map((line) => replayLineSchema.parse(line));
    assert.deepEqual(lines, reports, "the schema names every field");
    const [altered, ...others] = reports.filter(({ differences }) => differences.length > 0);
    assert.deepEqual(others, []);
    assert.equal(altered.differences.length, 11);
    assert.deepEqual(altered.differences[0], {
      step: 0,
      field: "accepted",
      recorded: "false",
      now: "true",
    });
    await documents(
      lines.flatMap((line) => [...Object.keys(line), ...Object.keys(line.differences[0] ?? {})]),
    );
  });
});

Deno.test("bench replay and bench rescore name the knobs that are not the benchmark's own, unless asked for", async () => {
  const cream = { profile: { paper: "cream", pens: [1, 2], nib: null } };
  await withFolder(async (out) => {
    await bench(["eval", "--models", "builtin:sweep", "--tasks", "cross", "--out", out], cream);
    const note = /^toy\/medium_effort: scored with paper cream \(default white\)$/m;
    const knobs = [{ knob: "paper", recorded: "cream", default: "white" }];
    for (const command of ["replay", "rescore"]) {
      const told = await bench([command, out], cream);
      assert.equal(told.code, 0, told.stderr);
      assert.match(told.stderr, note);
      const { stdout } = await bench([command, out, "--json"], cream);
      assert.deepEqual(JSON.parse(linesOf(stdout)[0]).not_default, knobs);
      const asked = await bench([command, out, "--profile", "creamy"], cream);
      assert.deepEqual([asked.code, asked.stderr.includes("scored with")], [0, false]);
      // Another one was asked for.
      const other = await bench([command, out, "--profile", "white"]);
      assert.match(other.stderr, note);
    }
    const run = join(out, "toy/medium_effort/run.json");
    await Deno.writeTextFile(run, (await Deno.readTextFile(run)).replace('"cream"', '"green"'));
    assert.equal((await bench(["replay", out], cream)).code, 1);
    const bad = await bench(["rescore", out], cream);
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /its run\.json has another profile than that of its profile_hash/);
  });
});

Deno.test("bench replay warns of another fingerprint and compares anyway, and names a task that is gone", async () => {
  await withFolder(async (out) => {
    await bench(["eval", "--models", "builtin:sweep", "--tasks", "cross", "--out", out]);
    const other = await bench(["replay", out], { fingerprint: "toy-2" });
    assert.equal(other.code, 0);
    assert.match(
      other.stderr,
      /toy\/medium_effort: recorded with another version of the environment; compares anyway/,
    );
    const path = join(out, "toy/medium_effort/builtin_sweep__cross__r1/episode.json");
    await Deno.writeTextFile(
      path,
      (await Deno.readTextFile(path)).replace('"task_id":"cross"', '"task_id":"circle"'),
    );
    const gone = await bench(["replay", out, "--all"]);
    assert.equal(gone.code, 2);
    assert.match(gone.stderr, /^bench: Cannot find the task circle: no task has this id$/m);
    assert.match(gone.stdout, /^1 episode, 11 steps replayed: no differences; 1 could not be replayed$/m);
  });
});

Deno.test("bench eval survives a reader that goes away", async () => {
  await withFolder(async (out) => {
    await runToy(["eval", "--out", out]);
    const command =
      `"${Deno.execPath()}" run --no-check -A tests/support/toy_cli.ts eval --json --out "${out}" | true`;
    const { code, stderr } = await new Deno.Command("bash", {
      args: ["-c", `set -o pipefail; ${command}`],
      cwd: new URL("../..", import.meta.url),
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  });
});

Deno.test("bench eval says when a model never made a call, and where episodes without an effort go", async () => {
  await using endpoint = fakeEndpoint(() => turn([], { text: "<tool_call>submit</tool_call>" }));
  await withFolder(async (out) => {
    const args = [
      "eval",
      "--models",
      "mute",
      "--base-url",
      endpoint.url,
      "--api-key-env",
      "NONE",
      "--out",
      out,
    ];
    const { code, stderr } = await bench([...args, "--tasks", "cross", "--runs", "1"]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^No --effort given: none is sent, and the episodes are filed as medium_effort$/m);
    assert.match(
      stderr,
      /^mute: 1 of 1 episodes ended without one tool call that ran; does the endpoint parse/m,
    );
    assert.equal(endpoint.requests.length, 4, "the opening and three requests to continue");
  });
});
