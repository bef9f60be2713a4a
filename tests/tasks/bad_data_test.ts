import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openData } from "../../tasks/data_source.ts";
import { parquetBytes } from "../support/parquet_files.ts";

type Columns = Parameters<typeof parquetBytes>[0];

const EPISODES: Columns = [
  { name: "episode_id", data: ["a", "b", "c"], type: "STRING" },
  { name: "model_name", data: ["m", "m", "m"], type: "STRING" },
  { name: "task_id", data: ["table__sculpt", "table__sculpt", "tree__sculpt"], type: "STRING" },
  { name: "score", data: [1, 2, 3], type: "DOUBLE" },
  { name: "cost_usd", data: [1, 2, null], type: "DOUBLE" },
  { name: "input_tokens", data: [1n, 2n, 3n], type: "INT64" },
  { name: "final_scene", data: ["[]", "[]", "[]"], type: "STRING" },
];
const TASKS: Columns = [
  { name: "task_id", data: ["table__sculpt", "tree__sculpt"], type: "STRING" },
  { name: "kind", data: ["build", "build"], type: "STRING" },
];
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const STEPS: Columns = [
  { name: "episode_id", data: ["a", "a", "a"], type: "STRING" },
  { name: "step", data: [0, 1, 2], type: "INT32" },
  { name: "tool", data: [null, "add_gaussians", "submit"], type: "STRING" },
  { name: "arguments", data: [null, "{}", "{}"], type: "STRING" },
  { name: "accepted", data: [null, true, true], type: "BOOLEAN" },
  { name: "response", data: ["", "", ""], type: "STRING" },
  { name: "hidden_score", data: [null, 1, 2], type: "DOUBLE" },
  { name: "scene", data: ["[]", "[]", "[]"], type: "STRING" },
  { name: "image", data: [image(PNG), null, image(PNG)], type: "JSON" },
];

/** A picture as text, since the writer's plain types know no structs; its bytes become base64. */
function image(bytes: Uint8Array) {
  return { bytes: bytes.toBase64(), path: null };
}

const with_ = (columns: Columns, name: string, data: unknown[]): Columns =>
  columns.map((column) => column.name === name ? { ...column, data } : column);
const without = (columns: Columns, name: string): Columns => columns.filter((column) => column.name !== name);

/** A data set with these tables; steps are written as JSON lines, whose pictures need no struct. */
async function withTables(
  tables: { episodes?: Columns; tasks?: Columns; steps?: Columns },
  test: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, split] of [["episodes", "one_shot"], ["tasks", "test"]] as const) {
      const columns = tables[name];
      if (columns === undefined) continue;
      const path = join(folder, name, `${split}-00000-of-00001.parquet`);
      await Deno.mkdir(dirname(path));
      await Deno.writeFile(path, parquetBytes(columns));
    }
    if (tables.steps !== undefined) {
      const columns = tables.steps;
      const rows = Array.from(
        columns[0].data,
        (_, row) => Object.fromEntries(columns.map(({ name, data }) => [name, data[row]])),
      );
      await Deno.mkdir(join(folder, "steps"));
      await Deno.writeTextFile(
        join(folder, "steps/one_shot.jsonl"),
        rows.map((row) => JSON.stringify(row)).join("\n"),
      );
    }
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const CASES: [string, { episodes?: Columns; tasks?: Columns; steps?: Columns }, RegExp, number][] = [
  [
    "a NaN score",
    { episodes: with_(EPISODES, "score", [1, Number.NaN, 3]) },
    /^Cannot read row 1 of \S+one_shot-00000-of-00001\.parquet as a row of splat episodes: column score: it is NaN\. .*--skip-bad$/,
    2,
  ],
  [
    "an infinite cost",
    { episodes: with_(EPISODES, "cost_usd", [0, Infinity, 0]) },
    /^Cannot read row 1 of [^;]*: column cost_usd: it is Infinity\. Correct the value/,
    2,
  ],
  [
    "an id without end that is there twice",
    { episodes: with_(EPISODES, "episode_id", ["a".repeat(1e5), "b", "a".repeat(1e5)]) },
    /^Cannot read row 2 of .*: column episode_id: a{60}… is there already in row 0 of /,
    2,
  ],
  [
    "an episode that is there twice",
    { episodes: with_(EPISODES, "episode_id", ["a", "b", "a"]) },
    /^Cannot read row 2 of .*: column episode_id: a is there already in row 0 of /,
    2,
  ],
  [
    "an episode of a task that is not among the tasks",
    { episodes: EPISODES, tasks: with_(TASKS, "task_id", ["table__sculpt", "robot__sculpt"]) },
    /^Cannot read row 2 of .*: column task_id: tree__sculpt is not in the table tasks\. /,
    2,
  ],
  [
    "a number of tokens beyond 2^53",
    { episodes: with_(EPISODES, "input_tokens", [1n, 2n ** 53n, 3n]) },
    /^Cannot read row 1 of .*: column input_tokens is 9007199254740992: /,
    2,
  ],
  [
    "text where a scene should be",
    { episodes: with_(EPISODES, "final_scene", ["[]", "[]", "[{"]) },
    /^Cannot read row 2 of .*: column final_scene is "\[\{": wanted valid JSON\. [^;]*--skip-bad$/,
    2,
  ],
];

for (const [what, tables, message, left] of CASES) {
  Deno.test(`episodes() names file, row and column of ${what}, and skips it when told to`, async () => {
    await withTables(tables, async (folder) => {
      const data = await openData(folder);
      await assert.rejects(Array.fromAsync(data.episodes()), { name: "BenchError", message });
      const bad: string[] = [];
      const skipping = await openData(folder, { onBad: (error) => bad.push(error.message) });
      assert.equal((await Array.fromAsync(skipping.episodes())).length, left);
      assert.equal(bad.length, 3 - left);
      assert.match(bad[0], message);
    });
  });
}

Deno.test("episodes() names a missing column once for the file, with the columns that are there", async () => {
  await withTables({ episodes: without(EPISODES, "cost_usd") }, async (folder) => {
    const message =
      /^Cannot read \S+ as splat episodes: column cost_usd is missing\. Give .*; the columns there are "episode_id", /;
    await assert.rejects(Array.fromAsync((await openData(folder)).episodes()), { message });
    const bad: string[] = [];
    const data = await openData(folder, { onBad: (error) => bad.push(error.message) });
    assert.deepEqual(await Array.fromAsync(data.episodes()), []);
    assert.equal(bad.length, 1);
    // Who does not ask for it does not miss it.
    const columns = ["episode_id", "score"] as const;
    assert.equal((await Array.fromAsync(data.episodes("one_shot", { columns }))).length, 3);
  });
});

Deno.test("episodes() passes over columns that nobody knows, and reads an empty table", async () => {
  await withTables(
    { episodes: [...EPISODES, { name: "extra", data: [1, 2, 3], type: "INT32" }] },
    async (folder) => {
      const [first] = await Array.fromAsync((await openData(folder)).episodes());
      assert.equal("extra" in first, false);
    },
  );
  await withTables({ episodes: EPISODES.map((column) => ({ ...column, data: [] })) }, async (folder) => {
    assert.deepEqual(await Array.fromAsync((await openData(folder)).episodes()), []);
  });
});

for (
  const [what, bad, message] of [
    [
      "bytes that are no PNG",
      image(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)),
      /column image: its bytes are no PNG file/,
    ],
    [
      "a picture without bytes",
      { bytes: null, path: "x.png" },
      /column image: the file holds no bytes of it/,
    ],
    ["text in place of a picture", "x.png", /column image is "x\.png": /],
  ] as const
) {
  Deno.test(`steps() names the row with ${what}, where pictures are read`, async () => {
    await withTables({ steps: with_(STEPS, "image", [image(PNG), bad, null]) }, async (folder) => {
      const data = await openData(folder, { bench: "splat" });
      assert.equal((await Array.fromAsync(data.steps("one_shot"))).length, 3);
      await assert.rejects(Array.fromAsync(data.steps("one_shot", { images: true })), (error: Error) => {
        assert.match(error.message, message);
        assert.match(error.message, /^Cannot read row 1 of \S+steps\/one_shot\.jsonl /);
        return true;
      });
    });
  });
}

Deno.test("steps() names the line that is no JSON, a step that is there twice, and a truncated file", async () => {
  await withTables({ steps: with_(STEPS, "step", [0, 1, 1]) }, async (folder) => {
    const path = join(folder, "steps/one_shot.jsonl");
    const read = async () =>
      await Array.fromAsync((await openData(path, { bench: "splat" })).steps("one_shot"));
    await assert.rejects(
      read(),
      /row 2 of .*: column episode_id and step: a, step 1 is there already in row 1 of/,
    );
    await Deno.writeTextFile(path, "\n{not json}\n", { append: true });
    const bad: string[] = [];
    const data = await openData(path, { bench: "splat", onBad: (error) => bad.push(error.message) });
    assert.equal((await Array.fromAsync(data.steps("one_shot"))).length, 2);
    assert.equal(bad.length, 2);
  });
  await withTables({ episodes: EPISODES }, async (folder) => {
    const path = join(folder, "episodes/one_shot-00000-of-00001.parquet");
    await Deno.truncate(path, (await Deno.stat(path)).size - 50);
    const message = /Cannot read .*episodes\/one_shot.*: no whole parquet file/;
    await assert.rejects(openData(folder), message);
    await assert.rejects(Array.fromAsync((await openData(folder, { bench: "splat" })).episodes()), message);
  });
});
