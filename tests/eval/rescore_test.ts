import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import type { EnvironmentDefinition, TaskInfo } from "../../env/environment.ts";
import { rescoreLineSchema, rescoreTotalLineSchema } from "../../eval/json_output.ts";
import { beyond, type Rescored } from "../../eval/rescore.ts";
import { driftOf } from "../../eval/rescore_report.ts";
import { captureCli } from "../support/capture_cli.ts";
import { evalToy, paint, scriptedPlayer, SUBMIT, tasks } from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";
import { toyEnvironment, type ToyOptions } from "../support/toy_environment.ts";

/** The toy benchmark with a score, and what it was asked to score. */
function scoring(
  toy: ToyOptions = {},
): { environment: () => EnvironmentDefinition; asked: [string, number][] } {
  const asked: [string, number][] = [];
  const environment = () => {
    const plain = toyEnvironment(toy);
    return {
      ...plain,
      scoreStates: (task: TaskInfo, states: readonly unknown[]) => {
        asked.push([task.id, states.length]);
        return plain.scoreStates(task, states);
      },
    };
  };
  return { environment, asked };
}

async function rescore(where: string, toy: ToyOptions = {}, ...args: string[]) {
  const { environment, asked } = scoring(toy);
  const environments = { toy: () => Promise.resolve(environment()) };
  const result = await captureCli(["rescore", where, ...args], { ...CLI_CONTEXT, environments });
  return { ...result, asked };
}

/** Two tasks, three runs each. */
async function play(out: string, toy: ToyOptions = {}): Promise<void> {
  const players = [scriptedPlayer((turn) => ({ calls: turn < 2 ? [paint(turn, 1)] : [SUBMIT] }))];
  await evalToy(out, { players, tasks: tasks("cross", "square"), runs: 3, toy });
}

const EPISODE = "toy/medium_effort/scripted__cross__r2/episode.json";

async function alter(path: string, from: string | RegExp, to: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  const altered = text.replace(from, to);
  assert.notEqual(altered, text, "the test alters nothing");
  await Deno.writeTextFile(path, altered);
}

Deno.test("bench rescore scores all states of a task at once, from the states and not from what is recorded", async () => {
  await withFolder(async (out) => {
    await play(out);
    const clean = await rescore(out);
    assert.equal(clean.code, 0, clean.stdout + clean.stderr);
    assert.deepEqual(clean.asked.sort(), [["cross", 3], ["square", 3]]);
    assert.match(clean.stdout, /^toy: 6 episodes of .* rendered and scored again$/m);
    // What an environment measures now is told, whatever the log says.
    const shifted = await rescore(out, { metricShift: 0.5 });
    assert.equal(shifted.code, 1);
    assert.equal(shifted.stdout.match(/beyond the tolerance: medium_effort scripted__/g)?.length, 6);
    await alter(join(out, EPISODE), /"final_state":\[\d+,\d+\]/, '"final_state":[17]');
    const edited = await rescore(out);
    assert.equal(edited.code, 1);
    const lines = edited.stdout.split("\n").filter((line) => line.includes("beyond the tolerance"));
    assert.equal(lines.length, 1);
    assert.match(lines[0], /medium_effort scripted__cross__r2: .*painted 2, now 1 \(-1\.0000\)/);
  });
});

Deno.test("bench rescore --json prints the documented lines", async () => {
  await withFolder(async (out) => {
    await play(out);
    const { stdout } = await rescore(out, {}, "--json", "--episodes", "*cross*");
    const lines = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const [total, ...episodes] = lines.toReversed();
    assert.deepEqual(rescoreTotalLineSchema.parse(total), total, "the schema names every field");
    for (const line of episodes) assert.deepEqual(rescoreLineSchema.parse(line), line);
    assert.deepEqual([episodes.length, total.episodes, total.beyond], [3, 3, 0]);
    const document = await Deno.readTextFile(new URL("../../docs/json_output.md", import.meta.url));
    for (const key of [...Object.keys(total), ...Object.keys(episodes[0])]) {
      assert.ok(document.includes(`\`${key}\``), `docs/json_output.md does not tell of ${key}`);
    }
  });
});

Deno.test("bench rescore --state goes on where it was, and scores anew whatever changed", async () => {
  await withFolder(async (out) => {
    await play(out);
    const file = join(out, "state.jsonl");
    const first = await rescore(out, {}, "--state", file, "--episodes", "*cross*");
    assert.deepEqual(first.asked, [["cross", 3]]);
    // Killed while it wrote a line.
    await Deno.writeTextFile(file, '{"torn', { append: true });
    const second = await rescore(out, {}, "--state", file);
    assert.deepEqual([second.code, second.asked], [0, [["square", 3]]]);
    assert.deepEqual((await rescore(out, {}, "--state", file)).asked, []);
    await alter(join(out, EPISODE), /"final_state":\[\d+,\d+\]/, '"final_state":[17]');
    const edited = await rescore(out, {}, "--state", file);
    assert.deepEqual([edited.code, edited.asked], [1, [["cross", 1]]]);
    const other = await rescore(out, { fingerprint: "toy-2" }, "--state", file);
    assert.deepEqual(other.asked.map(([, states]) => states), [3, 3], "another version scores for itself");
    for (const text of ['{"other": 1}\n', "# Notes\n\nOf mine.\n", "no line end"]) {
      await Deno.writeTextFile(file, text);
      const foreign = await rescore(out, {}, "--state", file);
      assert.equal(foreign.code, 2);
      assert.match(
        foreign.stderr,
        /^bench: Cannot keep results in .*state\.jsonl: it is no state file of rescore, .*Name another file/m,
      );
      assert.equal(await Deno.readTextFile(file), text, "and is left as it was");
    }
  });
});

Deno.test("bench rescore leaves out what has no score, and names what cannot be scored", async () => {
  await withFolder(async (out) => {
    await play(out);
    const path = join(out, EPISODE);
    await alter(path, '"status":"complete"', '"status":"error"');
    const failed = await rescore(out);
    assert.equal(failed.code, 0);
    assert.match(failed.stderr, /^1 episode without a score$/m);
    await alter(path, '"status":"error"', '"status":"complete"');
    await alter(path, /"final_state":\[\d+,\d+\]/, '"final_state":null');
    const lost = await rescore(out);
    assert.equal(lost.code, 2);
    assert.match(
      lost.stderr,
      /^bench: Cannot rescore medium_effort scripted__cross__r2: it has a score, and no final/m,
    );
    assert.match(lost.stdout, /^toy: 5 episodes/m, "the others are scored");
    await alter(path, '"task_id":"cross"', '"task_id":"circle"');
    const unknown = await rescore(out);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /scripted__cross__r2: .*circle/);
  });
});

/** An episode whose score is off by so much. */
function drifting(difference: number | null, rounded: boolean, metrics: Rescored["metrics"] = {}): Rescored {
  const record = {
    episode_id: `e${difference}`,
    bench: "toy",
    setting: "s",
    model_name: "m",
    task_id: "t",
    score: 50,
    score_kind: "full",
    metrics: { psnr: 20 },
  } as const;
  const now = {
    score: difference === null ? null : 50 + difference,
    metrics: { psnr: 20 + (metrics.psnr ?? 0) },
  };
  const columns = [
    { key: "score", title: "Score", digits: 1, higherIsBetter: true },
    { key: "psnr", title: "PSNR", digits: 2, higherIsBetter: true },
  ];
  return {
    place: record.episode_id,
    source: "a",
    record,
    now,
    difference,
    metrics,
    columns,
    notDefault: [],
    ofLastStep: false,
    rounded,
    shape: null,
  };
}

Deno.test("driftOf() gives mean and largest size, worst first, and takes the tolerance from the digits of all states", () => {
  const [report] = driftOf([drifting(0.02, true), drifting(-0.22, true), drifting(0, true)], null);
  assert.ok(report.mean !== null && Math.abs(report.mean - 0.08) < 1e-12);
  assert.deepEqual([report.largest, report.tolerance, report.beyond], [0.22, 0.25, []]);
  assert.deepEqual(report.episodes.map(({ difference }) => difference), [-0.22, 0.02, 0]);
  const [whole] = driftOf([drifting(0.02, true), drifting(0, false)], null);
  assert.deepEqual([whole.tolerance, whole.beyond.length], [0.001, 1]);
  const [own] = driftOf([drifting(0.02, true)], 0.01);
  assert.deepEqual([own.tolerance, own.beyond.map(({ what }) => what)], [0.01, [["score"]]]);
});

Deno.test("beyond() wants a score where there was one, and each metric within its share", () => {
  assert.deepEqual(beyond(drifting(0.25, false), 0.25), []);
  assert.deepEqual(beyond(drifting(-0.2501, false), 0.25), ["score"]);
  assert.deepEqual(beyond(drifting(null, false), 1000), ["score"]);
  assert.deepEqual(beyond(drifting(0, false, { psnr: 0.049 }), 0.25), []);
  assert.deepEqual(beyond(drifting(0, false, { psnr: -0.051 }), 0.25), ["psnr"]);
  assert.deepEqual(beyond(drifting(0, false, { psnr: null }), 0.25), ["psnr"]);
});
