import assert from "node:assert/strict";
import { join } from "node:path";
import { compositeOnWhite, decodePng, encodePng } from "../../env/png.ts";
import { replayEpisode, type ReplayReport } from "../../eval/replay.ts";
import { readRun } from "../../tasks/run_reader.ts";
import { recordingIn } from "../support/recordings.ts";
import { evalToy, LOOK, paint, scriptedPlayer, SUBMIT, tasks } from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";
import { toyEnvironment, type ToyOptions } from "../support/toy_environment.ts";

const SETTING = "toy/medium_effort";
const EPISODE = join(SETTING, "scripted__cross__r1");

const player = () =>
  scriptedPlayer((turn) => {
    const turns = [
      { calls: [paint(0, 0), LOOK, { name: "paint", raw: "{" }] },
      { calls: [paint(9, 9), paint(6, 4)] },
      { calls: [LOOK] },
      { calls: [SUBMIT, LOOK] },
    ];
    return turns[turn];
  });

/** Plays an episode, lets `alter` change its files, and replays it. */
async function replayAfter(
  alter: (folder: string) => Promise<void> | void,
  toy: ToyOptions = {},
): Promise<ReplayReport> {
  let report: ReplayReport | null = null;
  await withFolder(async (folder) => {
    await evalToy(folder, { players: [player()] });
    await alter(folder);
    const recording = await recordingIn(folder);
    const environment = toyEnvironment(toy);
    report = await replayEpisode(environment, await environment.identity(), tasks("cross")[0], recording);
  });
  assert.ok(report);
  return report;
}

/** Replaces text in one line of the steps. */
const alterStep = (step: number, from: string | RegExp, to: string) => async (folder: string) => {
  const path = join(folder, EPISODE, "steps.jsonl");
  const lines = (await Deno.readTextFile(path)).split("\n");
  const altered = lines[step].replace(from, to);
  assert.notEqual(altered, lines[step], `the test altered nothing in ${lines[step]}`);
  lines[step] = altered;
  await Deno.writeTextFile(path, lines.join("\n"));
};

const alterFile = (name: string, from: string | RegExp, to: string) => async (folder: string) => {
  const path = join(folder, EPISODE, name);
  const text = await Deno.readTextFile(path);
  const altered = text.replace(from, to);
  assert.notEqual(altered, text, `the test altered nothing in ${name}`);
  await Deno.writeTextFile(path, altered);
};

const alterRun = (from: RegExp, to: string) => async (folder: string) => {
  const path = join(folder, SETTING, "run.json");
  const text = await Deno.readTextFile(path);
  assert.match(text, from);
  await Deno.writeTextFile(path, text.replace(from, to));
};

Deno.test("replayEpisode() finds no difference in what was just played, and counts calls that never ran", async () => {
  const report = await replayAfter(() => {});
  assert.deepEqual(report.differences, []);
  assert.equal(report.exact, true);
  assert.equal(report.steps, 7);
  assert.equal(report.callsNotRun, 2, "one malformed, one after the end");
});

for (
  const { what, alter, step, field } of [
    {
      what: "one value of a state",
      alter: alterStep(4, '"state":[0,34]', '"state":[0,33]'),
      step: 4,
      field: "state[1]",
    },
    {
      what: "an accepted flag",
      alter: alterStep(3, '"accepted":false', '"accepted":true'),
      step: 3,
      field: "accepted",
    },
    {
      what: "a kind of refusal",
      alter: alterStep(3, '"bad_value"', '"over_budget"'),
      step: 3,
      field: "refusal",
    },
    { what: "a text", alter: alterStep(2, "3 looks", "2 looks"), step: 2, field: "response" },
    { what: "a tool", alter: alterStep(4, '"tool":"paint"', '"tool":"look"'), step: 4, field: "tool" },
    { what: "an argument", alter: alterStep(1, '"x":0', '"x":1'), step: 1, field: "arguments.x" },
    {
      what: "a hidden metric",
      alter: alterStep(1, /"match":0\.\d/, '"match":0.1'),
      step: 1,
      field: "hidden match",
    },
    { what: "a budget", alter: alterStep(2, '"looks":3', '"looks":4'), step: 2, field: "budgets.looks" },
    { what: "the end", alter: alterStep(6, '"done":true', '"done":false'), step: 6, field: "done" },
    {
      what: "the final state",
      alter: alterFile("episode.json", '"final_state":[0,34]', '"final_state":[0,34,34]'),
      step: null,
      field: "final_state[2]",
    },
    {
      what: "a metric of the record",
      alter: alterFile(
        "episode.json",
        /"metrics":\{"match":0\.\d+,"painted":2\},"reward"/,
        '"metrics":{"match":0.5,"painted":2},"reward"',
      ),
      step: null,
      field: "metric match",
    },
    {
      what: "a count of the record",
      alter: alterFile("episode.json", '"bad_value":1', '"bad_value":2'),
      step: null,
      field: "refusals.bad_value",
    },
    {
      what: "a budget of the record",
      alter: alterFile("episode.json", '"looks":2', '"looks":1'),
      step: null,
      field: "budget_used.looks",
    },
    {
      what: "the kind of score",
      alter: alterFile("episode.json", '"score_kind":"full"', '"score_kind":"partial"'),
      step: null,
      field: "score_kind",
    },
    {
      what: "a point of the curve",
      alter: alterFile("episode.json", /"curve":\[\{"step":0,/, '"curve":[{"step":1,'),
      step: null,
      field: "curve[0].step",
    },
    ...[
      ["run", '"run":1', '"run":2', "episode_id"],
      ["model", '"model_name":"scripted"', '"model_name":"clever"', "episode_id"],
      ["setting", '"setting":"medium_effort"', '"setting":"high_effort"', "setting"],
      ["protocol", '"protocol":"standard"', '"protocol":"one_call"', "protocol"],
      ["effort subset", '"effort_subset":true', '"effort_subset":false', "effort_subset"],
      ["way of ending", '"ended_by":"submit"', '"ended_by":"no_calls"', "ended_by"],
      ["error", '"error":null', '"error":"none"', "error"],
      ["status", '"status":"complete"', '"status":"error"', "status"],
      ["closing message", '"closing_message":null', '"closing_message":"Done."', "closing_message"],
      ["count of tokens", '"output_tokens":28', '"output_tokens":8', "usage.output_tokens"],
      ["cost", '"cost_usd":0.04', '"cost_usd":0.03', "cost_usd"],
      ["count of calls that never ran", '"invalid_json":1', '"invalid_json":2', "calls_not_run.invalid_json"],
      [
        "version of the environment",
        '"env_fingerprint":"toy-1"',
        '"env_fingerprint":"toy-0"',
        "env_fingerprint",
      ],
      ["curve", /"curve":\[.*?\],"plans"/, '"curve":[],"plans"', "curve[0]"],
    ].map(([what, from, to, field]) => ({
      what: `the ${what} of the record`,
      alter: alterFile("episode.json", from, String(to)),
      step: null,
      field: String(field),
    })),
    ...[
      ["benchmark of the run", '"bench":"toy"', '"bench":"splat"', "bench"],
      ["profile, and not its hash,", '"paper":"white"', '"paper":"cream"', "profile_hash"],
    ].map(([what, from, to, field]) => ({
      what: `the ${what} in run.json`,
      alter: alterRun(new RegExp(from.replace(":", ": ?")), to),
      step: null,
      field,
    })),
    {
      what: "the prompt",
      alter: alterFile("transcript.jsonl", '"text":"You paint."', '"text":"You may paint."'),
      step: null,
      field: "message 1: content",
    },
    {
      what: "the opening picture",
      alter: alterFile("transcript.jsonl", /"key":"./, '"key":"x'),
      step: null,
      field: "message 2: images[0]",
    },
    {
      what: "the answer to a call",
      alter: alterFile("transcript.jsonl", '"text":"Painted (0, 0)."', '"text":"Painted (0, 1)."'),
      step: null,
      field: "message 4: content",
    },
    {
      what: "the reason why a call never ran",
      alter: alterFile("transcript.jsonl", '"not_run":"invalid_json"', '"not_run":"cut_off"'),
      step: null,
      field: "message 6: not_run",
    },
    {
      what: "a call of the transcript",
      alter: alterFile("transcript.jsonl", String.raw`\"x\":6`, String.raw`\"x\":5`),
      step: 4,
      field: "arguments.x",
    },
  ]
) {
  Deno.test(`replayEpisode() finds ${what} that was altered, and names step and field`, async () => {
    const { differences: [first] } = await replayAfter(alter);
    assert.equal(first?.step, step);
    assert.equal(first?.field, field);
    assert.notEqual(first.recorded, first.now);
  });
}

for (
  const { what, alter, field } of [
    { what: "left out", alter: (lines: string[], at: number) => lines.splice(at, 1), field: "tool" },
    {
      what: "there twice",
      alter: (lines: string[], at: number) => lines.splice(at, 0, lines[at]),
      field: "tool",
    },
    {
      what: "changed for the next",
      alter: (lines: string[], at: number) => {
        [lines[at], lines[at + 3]] = [lines[at + 3], lines[at]];
      },
      field: "tool",
    },
  ]
) {
  Deno.test(`replayEpisode() finds a turn of the model that is ${what}`, async () => {
    const { differences } = await replayAfter(async (folder) => {
      const path = join(folder, EPISODE, "transcript.jsonl");
      const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
      const at = lines.findIndex((line) => line.includes('"x\\":9'));
      assert.ok(at > 0 && lines[at + 3].includes('"assistant"'));
      alter(lines, at);
      await Deno.writeTextFile(path, lines.join("\n") + "\n");
    });
    assert.equal(differences[0]?.field, field);
    assert.ok(differences.some(({ field }) => field.startsWith("message ")));
  });
}

Deno.test("replayEpisode() checks what a failed episode came to, and finds a score that it cannot have", async () => {
  const failed = (text: string) => text.replace('"score":null', '"score":0.5');
  for (
    const { at, alter } of [
      { at: 0, alter: (text: string) => text },
      { at: 2, alter: (text: string) => text },
      { at: 2, alter: failed },
    ]
  ) {
    await withFolder(async (folder) => {
      const breakCall = (_: string, step: number) => {
        if (step === 2 + at) throw new TypeError("out of luck");
      };
      const { episodes: [{ status }] } = await evalToy(folder, { players: [player()], toy: { breakCall } });
      assert.equal(status, "error");
      const path = join(folder, EPISODE, "episode.json");
      await Deno.writeTextFile(path, alter(await Deno.readTextFile(path)));
      const recording = await recordingIn(folder);
      for (const environment of [toyEnvironment(), toyEnvironment({ breakCall })]) {
        const identity = await environment.identity();
        const { differences } = await replayEpisode(environment, identity, tasks("cross")[0], recording);
        assert.deepEqual(differences.map(({ field }) => field), alter === failed ? ["score"] : []);
      }
    });
  }
});

Deno.test("replayEpisode() finds one altered pixel and names its picture and place", async () => {
  let name = "";
  const report = await replayAfter(async (folder) => {
    const { episodes: [recorded] } = await readRun(folder);
    name = `${(await recorded.steps())[5].image}.png`;
    const path = join(folder, SETTING, "images", name);
    const image = compositeOnWhite(decodePng(await Deno.readFile(path)));
    image.data[3 * (2 * 7 + 4) + 1] ^= 1;
    await Deno.writeFile(path, await encodePng(image));
  });
  assert.equal(report.differences.length, 1);
  const [{ step, field, recorded, now }] = report.differences;
  assert.deepEqual([step, field, recorded], [5, "picture", `images/${name}`]);
  assert.match(now, /^1 of 35 pixels, the first at \(4, 2\): \(200, 221, 240\) is now \(200, 220, 240\)$/);
});

Deno.test("replayEpisode() names a picture that is missing", async () => {
  const report = await replayAfter(async (folder) => {
    await Deno.remove(join(folder, SETTING, "images"), { recursive: true });
  });
  assert.match(report.differences[0].recorded, /^Cannot read .*\.png: there is no such file/);
});

Deno.test("replayEpisode() names missing and surplus steps", async () => {
  const path = (folder: string) => join(folder, EPISODE, "steps.jsonl");
  const dropped = await replayAfter(async (folder) => {
    const lines = (await Deno.readTextFile(path(folder))).trimEnd().split("\n");
    await Deno.writeTextFile(path(folder), lines.slice(0, -1).join("\n") + "\n");
  });
  assert.deepEqual(dropped.differences[0], { step: 6, field: "step", recorded: "missing", now: "submit" });
  const doubled = await replayAfter(async (folder) => {
    const lines = (await Deno.readTextFile(path(folder))).trimEnd().split("\n");
    await Deno.writeTextFile(
      path(folder),
      [...lines, lines[6].replace('"step":6', '"step":7')].join("\n") + "\n",
    );
  });
  assert.deepEqual(doubled.differences[0], { step: 7, field: "step", recorded: "submit", now: "missing" });
});

Deno.test("replayEpisode() follows automatic submits and episodes that were ended from outside", async () => {
  for (const turns of [[{ calls: [paint(0, 0), LOOK] }], [{ calls: [LOOK] }, { text: "Enough." }]]) {
    await withFolder(async (folder) => {
      const played = scriptedPlayer((turn) => turns[Math.min(turn, turns.length - 1)]);
      const { episodes: [{ ended_by }] } = await evalToy(folder, { players: [played] });
      assert.equal(ended_by, turns.length === 1 ? "budget" : "no_calls");
      const recording = await recordingIn(folder);
      const environment = toyEnvironment();
      const report = await replayEpisode(
        environment,
        await environment.identity(),
        tasks("cross")[0],
        recording,
      );
      assert.deepEqual(report.differences, []);
    });
  }
});

Deno.test("replayEpisode() keeps to the bands on another device", async () => {
  const other = { device: "slide rule" };
  const within = await replayAfter(() => {}, { ...other, pixelShift: 2, metricShift: 0.009 });
  assert.equal(within.exact, false);
  assert.deepEqual(within.differences, []);
  const pixels = await replayAfter(() => {}, { ...other, pixelShift: 3 });
  assert.match(pixels.differences[0].now, /^35 of 35 pixels/);
  const metrics = await replayAfter(() => {}, { ...other, metricShift: 0.011 });
  assert.equal(metrics.differences[0].field, "hidden match");
  const same = await replayAfter(() => {}, { pixelShift: 1 });
  assert.match(same.differences[0].now, /^35 of 35 pixels/, "on the same device nothing may move");
});
