/** A recorded SplatBench episode on the device: killed and resumed, replayed, altered in a copy and found out. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { EnvironmentDefinition } from "../../env/environment.ts";
import { compositeOnWhite, decodePng, encodePng } from "../../env/png.ts";
import type { EpisodeRecord } from "../../env/records.ts";
import { replayEpisode } from "../../eval/replay.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { readRun } from "../../tasks/run_reader.ts";
import { recordingIn } from "../support/recordings.ts";
import { evalToy, type ScriptedCall, scriptedPlayer, SUBMIT } from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";

const TASK = "mushroom__sculpt";
const SETTING = "splat/medium_effort";
const EPISODE = join(SETTING, `scripted__${TASK}__eval_r1`);

const gaussian = (x: number) => ({ pos: [x, 0.05, -0.1], scale: [0.4, 0.31, 0.2], color: "#b03a2e" });

/** An edit, a picture, a refused call and a second edit. */
const TURNS: readonly (readonly ScriptedCall[])[] = [
  [{ name: "add_gaussians", args: { gaussians: [gaussian(0), gaussian(0.3)] } }],
  [{ name: "render_views", args: { views: [2, 5] } }, { name: "delete_gaussians", args: { ids: [9] } }],
  [{ name: "edit_gaussians", args: { edits: [{ id: 2, opacity: 0.37 }] } }],
  [SUBMIT],
];
const ADD = 1;
const PICTURE = 2;
const REFUSED = 3;
const EDIT = 4;

const player = () => scriptedPlayer((turn) => ({ calls: TURNS[turn] }));

async function play(environment: EnvironmentDefinition, out: string, players = [player()]) {
  const { episodes: [record] } = await evalToy(out, {
    environment,
    players,
    tasks: await environment.findTasks([TASK]),
  });
  return record;
}

async function replay(environment: EnvironmentDefinition, out: string) {
  const [task] = await environment.findTasks([TASK]);
  return await replayEpisode(environment, await environment.identity(), task, await recordingIn(out));
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

const alterFile = (name: string, was: string | RegExp, now: string, line = 0) => async (out: string) => {
  const path = join(out, EPISODE, name);
  const lines = (await Deno.readTextFile(path)).split("\n");
  const altered = lines[line].replace(was, now);
  assert.notEqual(altered, lines[line], `the test altered nothing in ${lines[line]}`);
  lines[line] = altered;
  await Deno.writeTextFile(path, lines.join("\n"));
};

const alterStep = (step: number, was: string | RegExp, now: string) =>
  alterFile("steps.jsonl", was, now, step);

async function alterPixel(out: string): Promise<void> {
  const { episodes: [recorded] } = await readRun(out);
  const path = join(out, SETTING, "images", `${(await recorded.steps())[PICTURE].image}.png`);
  const image = compositeOnWhite(decodePng(await Deno.readFile(path)));
  image.data[3 * (image.width * 100 + 77) + 1] ^= 1;
  await Deno.writeFile(path, await encodePng(image));
}

/** What is altered in a copy of the run, and the row and field that the replay has to name first. */
const ALTERATIONS = [
  {
    what: "the opacity of one Gaussian",
    alter: alterStep(EDIT, /("state":.*"id":2.*"opacity":0\.)37/, "$138"),
    step: EDIT,
    field: "state[1].opacity",
  },
  {
    what: "the last bit of one Gaussian's mean",
    alter: alterStep(ADD, /("state":.*"id":2,"pos":\[0\.)3,/, "$130000000000000004,"),
    step: ADD,
    field: "state[1].pos[0]",
  },
  {
    what: "an accepted flag",
    alter: alterStep(REFUSED, '"accepted":false', '"accepted":true'),
    step: REFUSED,
    field: "accepted",
  },
  {
    what: "a hidden metric",
    alter: alterStep(EDIT, /"psnr":(\d+\.\d\d)/, '"psnr":$11'),
    step: EDIT,
    field: "hidden psnr",
  },
  {
    what: "a Gaussian of the final scene",
    alter: alterFile("episode.json", /("final_state":.*"id":2.*"opacity":0\.)37/, "$136"),
    step: null,
    field: "final_state[1].opacity",
  },
  { what: "one channel of one pixel", alter: alterPixel, step: PICTURE, field: "picture" },
];

const timeless = ({ seconds: _, ...record }: EpisodeRecord) => record;

async function onDevice(test: (environment: EnvironmentDefinition, folder: string) => Promise<void>) {
  await withFolder(async (folder) => {
    const environment = splatEnvironment({ device: "software" });
    try {
      await test(environment, folder);
    } finally {
      environment.close();
    }
  });
}

Deno.test("a SplatBench episode replays to itself on the device, and names the row of whatever was altered", async () => {
  await onDevice(async (environment, folder) => {
    const out = join(folder, "whole");
    await play(environment, out);
    const clean = await replay(environment, out);
    assert.deepEqual([clean.differences, clean.exact, clean.steps], [[], true, 6]);
    for (const [at, { what, alter, step, field }] of ALTERATIONS.entries()) {
      const copy = join(folder, `copy_${at}`);
      await copyFolder(out, copy);
      await alter(copy);
      const { differences: [first] } = await replay(environment, copy);
      assert.deepEqual([first?.step, first?.field], [step, field], what);
      if (field === "picture") assert.match(first.now, /^1 of \d+ pixels, the first at \(77, 100\): /);
    }
  });
});

Deno.test("a SplatBench episode killed after any message goes on to the same record, steps and pictures", async () => {
  await onDevice(async (environment, folder) => {
    const out = join(folder, "whole");
    const whole = timeless(await play(environment, out));
    const steps = await Deno.readTextFile(join(out, EPISODE, "steps.jsonl"));
    const transcript = (await Deno.readTextFile(join(out, EPISODE, "transcript.jsonl"))).split("\n");
    const images = (run: string) =>
      [...Deno.readDirSync(join(run, SETTING, "images"))].map(({ name }) => name);
    for (const messages of [1, 4, 6, 10]) {
      const killed = join(folder, `killed_${messages}`);
      await copyFolder(out, killed);
      await Deno.remove(join(killed, EPISODE, "episode.json"));
      for (const name of images(killed)) await Deno.remove(join(killed, SETTING, "images", name));
      const kept = transcript.slice(0, messages).map((line) => `${line}\n`).join("");
      await Deno.writeTextFile(join(killed, EPISODE, "transcript.jsonl"), `${kept}{"torn`);
      await Deno.writeTextFile(join(killed, EPISODE, "steps.jsonl"), `${steps.split("\n")[0]}\n`);
      const again = player();
      assert.deepEqual(timeless(await play(environment, killed, [again])), whole, `after ${messages}`);
      const turns = kept.split('"role":"assistant"').length - 1;
      assert.equal(again.asked.length, TURNS.length - turns, "no recorded turn is asked for again");
      assert.equal(await Deno.readTextFile(join(killed, EPISODE, "steps.jsonl")), steps);
      assert.deepEqual(images(killed).sort(), images(out).sort());
    }
  });
});
