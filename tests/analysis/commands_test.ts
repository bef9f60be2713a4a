import assert from "node:assert/strict";
import { join } from "node:path";
import { analyzeCommand, analyzeOptionsSchema } from "../../analysis/analyze_command.ts";
import { compareCommand, compareOptionsSchema } from "../../analysis/compare_command.ts";
import { openData } from "../../tasks/data_source.ts";
import { shadowRows, shadowStepRows, shadowTaskRows } from "./published_input.ts";

type Rows = ReturnType<typeof shadowRows>;

/** The made-up data as a folder of JSON lines, removed at the end. */
async function withData(rows: Rows, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "shadowbench" });
  try {
    const lines = (of: Iterable<unknown>) => [...of].map((row) => JSON.stringify(row)).join("\n") + "\n";
    for (const table of ["episodes", "steps", "tasks"]) await Deno.mkdir(join(folder, table));
    const ids = new Set(rows.map(({ episode_id }) => episode_id));
    const steps = Map.groupBy(shadowStepRows(), ({ episode_id }) => /@(\w+)\//.exec(episode_id)?.[1] ?? "");
    for (const [setting, own] of Map.groupBy(rows, ({ setting }) => setting)) {
      const effort = setting.replace("_effort", "");
      await Deno.writeTextFile(join(folder, "episodes", `${setting}.jsonl`), lines(own));
      await Deno.writeTextFile(
        join(folder, "steps", `${setting}.jsonl`),
        lines(
          (steps.get(effort) ?? []).filter(({ episode_id }) => ids.has(episode_id)).map((row) => ({
            ...row,
            image: null,
            pose: own[0].final_pose,
          })),
        ),
      );
    }
    await Deno.writeTextFile(join(folder, "tasks", "test.jsonl"), lines(shadowTaskRows()));
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function listener() {
  const printed: string[] = [];
  const noticed: string[] = [];
  return {
    printed,
    noticed,
    said: { print: (text: string) => printed.push(text), notice: (text: string) => noticed.push(text) },
  };
}

const analyzeOptions = (options: Record<string, unknown>) => analyzeOptionsSchema.parse(options);
const compareOptions = (options: Record<string, unknown>) => compareOptionsSchema.parse(options);

Deno.test("analyzeCommand() exits 0 against the published figures, 1 with one changed row, naming the cells", async () => {
  await withData(shadowRows(), async (folder) => {
    const { printed, said } = listener();
    assert.equal(await analyzeCommand(folder, analyzeOptions({ against: "published" }), said), 0);
    assert.match(printed[0], /^(\d+) of \1 figures are the same/m);
    assert.doesNotMatch(printed[0], /differs|not there/);
  });
  const rows = shadowRows();
  rows[0] = { ...rows[0], score: 99.5 };
  await withData(rows, async (folder) => {
    const { printed, said } = listener();
    assert.equal(await analyzeCommand(folder, analyzeOptions({ against: "published" }), said), 1);
    const differing = printed[0].split("\n").filter((line) => /differs/.test(line));
    assert.ok(differing.some((line) => line.includes("best_episodes")), differing.join("\n"));
    assert.ok(differing.some((line) => /leaderboard +Claude Opus 5\.5 +medium /.test(line)));
    assert.ok(differing.every((line) => /Opus|giraffe/.test(line)));
  });
});

Deno.test("analyzeCommand() writes every table, the leaderboard config and plots", async () => {
  await withData(shadowRows(), async (folder) => {
    const out = join(folder, "..", "tables_of_a_test");
    try {
      for (const [format, force] of [["parquet", false], ["csv", true]] as const) {
        const { said } = listener();
        assert.equal(
          await analyzeCommand(
            folder,
            analyzeOptions({ out, format, force, table: ["effort_gain", "moves"] }),
            said,
          ),
          0,
        );
      }
      const files = Array.from(Deno.readDirSync(out), ({ name }) => name).sort();
      assert.deepEqual(files, [
        "effort_gain.csv",
        "effort_gain.parquet",
        "leaderboard",
        "moves.csv",
        "moves.parquet",
      ]);
      const csv = await Deno.readTextFile(join(out, "effort_gain.csv"));
      assert.match(
        csv,
        /^model,before,after,gain,gain_low,gain_high,better_on,better_on_of,tasks\nClaude Sonnet 5.5,/,
      );
      // The config reads as the published one does: 18 rows and three references.
      const data = await openData(join(out, "leaderboard", "results-00000-of-00001.parquet"), {
        bench: "shadow",
      });
      const board = await Array.fromAsync(data.leaderboard());
      assert.equal(board.length, 21);
      const sonnet = board.find((row) =>
        row.model_name === "Claude Sonnet 5.5" && row.setting === "max_effort"
      );
      assert.equal(sonnet?.better_on, 19);
      assert.equal(sonnet?.gain_high?.toFixed(1), "36.7");
      assert.equal(sonnet?.reference_setting, "medium_effort");
      assert.equal(board.find((row) => row.model_name === "hull")?.score_low?.toFixed(1), "53.4");
    } finally {
      await Deno.remove(out, { recursive: true });
    }
  });
});

Deno.test("analyzeCommand() replaces no file unless told to, and writes none of the others", async () => {
  await withData(shadowRows(), async (folder) => {
    const out = join(folder, "..", "tables_in_the_way");
    for (const there of ["effort_gain.csv", "leaderboard/results-00000-of-00001.parquet"]) {
      try {
        await Deno.mkdir(join(out, "leaderboard"), { recursive: true });
        await Deno.writeTextFile(join(out, there), "mine");
        const options = analyzeOptions({ out, format: "csv", table: ["moves", "effort_gain"] });
        await assert.rejects(
          analyzeCommand(folder, options, listener().said),
          /Cannot write .*: it is there already\. .*--force/,
        );
        assert.equal(await Deno.readTextFile(join(out, there)), "mine");
        assert.ok(!await Deno.stat(join(out, "moves.csv")).then(() => true, () => false));
      } finally {
        await Deno.remove(out, { recursive: true });
      }
    }
  });
});

Deno.test("analyzeCommand() says which table is missing, why, and what stdout cannot take", async () => {
  const few = shadowRows().filter(({ model_name, task_id }) =>
    model_name === "GPT-6 Luna" && task_id < "bursill_c"
  );
  await withData(few, async (folder) => {
    await Deno.remove(join(folder, "steps", "high_effort.jsonl"));
    const { said, noticed } = listener();
    await assert.rejects(
      analyzeCommand(folder, analyzeOptions({ table: ["moves"] }), said),
      /Cannot show the table moves: it needs the table of steps/,
    );
    assert.match(noticed.join("\n"), /^Without the table steps: .*high_effort/m);
    await assert.rejects(
      analyzeCommand(folder, analyzeOptions({ table: ["nonsense"] }), said),
      /no such table/,
    );
    await assert.rejects(
      analyzeCommand(folder, analyzeOptions({ format: "csv" }), said),
      /Choose one with --table/,
    );
    for (const options of [{ format: "arrow" }, { plots: true }]) {
      await assert.rejects(analyzeCommand(folder, analyzeOptions(options), said), /Name one with --out/);
    }
  });
});

Deno.test("analyzeCommand() needs an episode", async () => {
  await withData([], async (folder) => {
    await Deno.writeTextFile(join(folder, "episodes", "medium_effort.jsonl"), "");
    await assert.rejects(analyzeCommand(folder, analyzeOptions({}), listener().said), /it has no episode/);
  });
});

Deno.test("compareCommand() compares two efforts, two models, and what both sides have", async () => {
  await withData(shadowRows(), async (folder) => {
    const compare = async (options: Record<string, unknown>) => {
      const { printed, said } = listener();
      const code = await compareCommand(
        [folder, folder],
        compareOptions({ format: "csv", ...options }),
        said,
      );
      return { code, lines: printed[0].split("\n").slice(1) };
    };
    // Published: +31.5 [+25.6, +36.7], better on 19 of 20.
    const efforts = { models: ["Claude Sonnet 5.5"], settings: ["medium_effort", "max_effort"] };
    const { lines: [sonnet], code } = await compare(efforts);
    assert.equal(code, 0);
    const cells = sonnet.replaceAll(/"[^"]*"/g, "x").split(",");
    assert.deepEqual(cells.slice(4, 7).map((cell) => Number(cell).toFixed(1)), ["31.5", "25.6", "36.7"]);
    assert.deepEqual(cells.slice(7, 10), ["19", "20", "0"]);
    // Half of the interval's width over 1.96, times 2.80.
    assert.ok(Math.abs(Number(cells[10]) - (36.7 - 25.6) / 2 / 1.96 * 2.8) < 0.1);
    assert.equal(cells[11], "B is better");
    assert.equal((await compare({ ...efforts, failUnder: 31 })).code, 0);
    assert.equal((await compare({ ...efforts, failUnder: 32 })).code, 1);
    const models = await compare({
      models: ["Claude Opus 5.5", "Claude Sonnet 5.5"],
      settings: ["max_effort"],
    });
    assert.match(models.lines[0], /within noise$/);
    const same = await compare({ failUnder: 0 });
    assert.equal(same.lines.length, 18);
    assert.ok(same.lines.every((line) => /,0,20,20,0,within noise$/.test(line)), same.lines[0]);
    await assert.rejects(compare({ models: ["nobody"] }), /no episode of nobody.*GPT-6 Luna in max_effort/);
    const each = await compare({ models: ["GPT-6 Luna", "GPT-6.1 Sol"] });
    assert.deepEqual(
      each.lines.map((line) => /^"GPT-6 Luna, (\w+)","GPT-6.1 Sol, (\w+)"/.exec(line)?.slice(1)),
      ["medium_effort", "high_effort", "max_effort"].map((setting) => [setting, setting]),
    );
  });
});
