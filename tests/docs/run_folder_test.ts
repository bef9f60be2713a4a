import assert from "node:assert/strict";
import { join } from "node:path";
import { evalToy, LOOK, paint, scriptedPlayer, SUBMIT, tasks } from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";

const root = join(import.meta.dirname ?? ".", "../..");
const document = (name: string) => Deno.readTextFile(join(root, "docs", name));

/** Every key of a value, at any depth; below `free` keys are data, not fields. */
function keysOf(value: unknown, free: readonly string[]): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => keysOf(entry, free));
  return Object.entries(value).flatMap((
    [key, entry],
  ) => [key, ...(free.includes(key) ? [] : keysOf(entry, free))]);
}

const readLines = async (path: string): Promise<unknown[]> =>
  (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => JSON.parse(line));

Deno.test("docs/run_folder.md tells of every file and every field of a run on disk", async () => {
  await withFolder(async (out) => {
    const turns = [
      { calls: [paint(0, 0), LOOK, paint(99, 0), { name: "paint", raw: "{" }] },
      { text: "Hm." },
      { calls: [SUBMIT] },
    ];
    await evalToy(out, { players: [scriptedPlayer((turn) => turns[turn])], tasks: tasks("cross") });
    const run = join(out, "toy/medium_effort");
    const episode = join(run, "scripted__cross__r1");
    const text = await document("run_folder.md");
    const tells = (name: string, texts: string) =>
      assert.match(texts, new RegExp(`[\`/ ]${name}[\`/ ]`), name);

    const files = [...Deno.readDirSync(run), ...Deno.readDirSync(episode)].map(({ name }) => name);
    assert.equal(files.length, 7);
    for (const name of files) if (!name.startsWith("scripted")) tells(name, text);

    const free = [
      "profile",
      "models",
      "prompt_hashes",
      "task_hashes",
      "task_sources",
      "hidden",
      "budgets",
      "arguments",
      "raw",
      "usage",
    ];
    const values = [
      JSON.parse(await Deno.readTextFile(join(run, "run.json"))),
      ...await readLines(join(episode, "steps.jsonl")),
      ...await readLines(join(episode, "transcript.jsonl")),
    ];
    const fields = new Set(values.flatMap((value) => keysOf(value, free)));
    assert.ok(fields.size > 45, `${fields.size} fields`);
    for (const field of fields) tells(field, text);

    const record = JSON.parse(await Deno.readTextFile(join(episode, "episode.json")));
    const lines = await document("json_output.md");
    for (const field of Object.keys(record)) tells(field, lines + text);
  });
});
