import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import type { Console } from "../../eval/play/human_player.ts";
import { playCommand, playOptionsSchema } from "../../eval/play_command.ts";
import { replayCommand, replayOptionsSchema } from "../../eval/replay_command.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";
import { toyEnvironment } from "../support/toy_environment.ts";

/** Types the lines, then leaves. */
function script(...lines: string[]): Console & { printed: string[] } {
  const left = [...lines];
  const printed: string[] = [];
  return {
    printed,
    print: (text) => printed.push(text),
    readLine: () => Promise.resolve(left.shift() ?? null),
  };
}

async function play(folder: string, console: Console, options: Record<string, unknown> = {}) {
  const chosen = playOptionsSchema.parse({
    protocol: "standard",
    runs: 1,
    out: join(folder, "runs"),
    pictures: join(folder, "pictures"),
    device: "auto",
    ...options,
  });
  return await playCommand(toyEnvironment(), "cross", chosen, console, new AbortController().signal);
}

const episode = (folder: string, run = 1) =>
  join(folder, `runs/toy/medium_effort/human__cross__r${run}/episode.json`);
const record = async (folder: string) => JSON.parse(await Deno.readTextFile(episode(folder)));
const pictures = (folder: string) =>
  Array.from(Deno.readDirSync(join(folder, "pictures/human__cross__r1")), ({ name }) => name).sort();

Deno.test("playCommand() prints the opening and each answer, writes pictures, and logs a model called human", async () => {
  await withFolder(async (folder) => {
    const person = script("", "# a remark", "paint 1 2", "pa x=3 y=9", "look", "history", "submit");
    assert.equal(await play(folder, person), 0);
    const all = person.printed.join("\n");
    assert.match(all, /^You paint\./);
    assert.match(all, /The picture has 7 × 5 cells\./);
    assert.match(all, /Tools: paint, look, submit\./);
    assert.match(all, /Painted \(1, 2\)\.\nRefused: x and y must be cells/);
    assert.match(all, /1\. paint \{"x":1,"y":2\}\n2\. paint \{"x":3,"y":9\} \(bad_value\)\n3\. look \{\}/);
    assert.deepEqual(pictures(folder), ["00_opening.png", "03_look.png"]);
    const { model_name, status, ended_by, calls, cost_usd } = await record(folder);
    assert.deepEqual([model_name, status, ended_by, calls, cost_usd], ["human", "complete", "submit", 4, 0]);
    // Nothing that was typed beside the calls reached the environment, and all of it replays.
    const options = replayOptionsSchema.parse({ device: "auto" });
    const open = () => Promise.resolve(toyEnvironment());
    const where = [join(folder, "runs")];
    assert.equal(await replayCommand(open, { ...options, where }, new AbortController().signal), 0);
  });
});

Deno.test("playCommand() leaves the episode at the end of input and goes on later where it was", async () => {
  await withFolder(async (folder) => {
    assert.equal(await play(folder, script("paint 0 0", "look")), 0);
    await assert.rejects(Deno.stat(episode(folder)), Deno.errors.NotFound);
    const person = script("paint 1 1", "submit");
    assert.equal(await play(folder, person), 0);
    const all = person.printed.join("\n");
    assert.match(all, /Goes on after 2 calls/);
    assert.match(all, /Match 0\.\d+, 3 looks left\./);
    assert.ok(!all.includes("Painted (0, 0)"), "older answers are not told again");
    const { calls, final_state } = await record(folder);
    assert.deepEqual([calls, final_state], [4, [0, 8]]);
    // A finished one is not played again.
    const idle = script("paint 3 3");
    assert.equal(await play(folder, idle), 0);
    assert.deepEqual(idle.printed, []);
  });
});

Deno.test("playCommand() sends nothing that it cannot read, and tells how to write it", async () => {
  await withFolder(async (folder) => {
    const person = script(
      "help",
      "help pai",
      "help zap",
      "zap 1",
      "paint {",
      '"x": 2,',
      '"y": 3}',
      "paint {]",
    );
    await play(folder, person);
    const all = person.printed.join("\n");
    assert.match(all, /help TOOL shows its arguments/);
    assert.match(all, /\n {2}paint 0 0\n {6}Paints one cell black\.\n {2}look\n/);
    assert.match(
      all,
      /paint: Paints one cell black\.\n {2}x: a whole number\.\n {2}y: .*\n {2}Typed as: paint 0 0\n/,
    );
    assert.match(
      all,
      /There is no tool zap\.\nNot sent: there is no tool zap; there is paint, look, submit\./,
    );
    assert.match(all, /Painted \(2, 3\)\./);
  });
});

Deno.test("playCommand() leaves at quit or exit, and says how to play again after the end", async () => {
  await withFolder(async (folder) => {
    for (const word of ["quit", "exit"]) {
      const person = script("paint 0 0", word, "submit");
      assert.equal(await play(folder, person), 0);
      await assert.rejects(Deno.stat(episode(folder)), Deno.errors.NotFound);
    }
    const command = (...typed: string[]) =>
      captureCli(
        [
          "play",
          "toy",
          "cross",
          "--out",
          join(folder, "runs"),
          "--pictures",
          join(folder, "pictures"),
          ...typed,
        ],
        { ...CLI_CONTEXT, environments: { toy: () => Promise.resolve(toyEnvironment()) } },
      );
    await play(folder, script("submit"));
    const { code, stderr } = await command();
    assert.equal(code, 0);
    assert.match(
      stderr,
      /human__cross__r1: submitted, .*\n.*\nTo play again: --runs 2, or another folder with --out\n$/,
    );
  });
});

Deno.test("playCommand() plays the number of episodes asked for, one after the other", async () => {
  await withFolder(async (folder) => {
    assert.equal(await play(folder, script("submit", "paint 0 0", "submit"), { runs: 2 }), 0);
    assert.deepEqual(JSON.parse(await Deno.readTextFile(episode(folder, 2))).calls, 2);
  });
});

Deno.test("playCommand() says in one line which task or protocol there is not", async () => {
  await withFolder(async (folder) => {
    const options = playOptionsSchema.parse({
      protocol: "two_shot",
      runs: 1,
      out: folder,
      pictures: folder,
      device: "auto",
    });
    const stop = new AbortController().signal;
    await assert.rejects(
      playCommand(toyEnvironment(), "nothing", options, script(), stop),
      /Cannot find the task nothing/,
    );
    await assert.rejects(
      playCommand(toyEnvironment(), "cross", options, script(), stop),
      /Cannot play the protocol "two_shot"/,
    );
  });
});

Deno.test("bench play reads a script from a pipe", async () => {
  await withFolder(async (folder) => {
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", join(import.meta.dirname ?? ".", "../support/toy_cli.ts"), "play"]
        .concat(["toy", "cross", "--out", join(folder, "runs"), "--pictures", join(folder, "pictures")]),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    });
    await using process = command.spawn();
    const writer = process.stdin.getWriter();
    await writer.write(new TextEncoder().encode("paint 1 1\nlook\nsubmit\n"));
    await writer.close();
    const { code, stdout, stderr } = await process.output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert.equal(code, 0, err);
    assert.match(out, /Painted \(1, 1\)\.\nMatch 0\.\d+, 3 looks left\.\nPicture: .*02_look\.png/);
    assert.match(err, /human__cross__r1: submitted, Match 0\.\d+/);
    assert.deepEqual(pictures(folder), ["00_opening.png", "02_look.png"]);
  });
});
