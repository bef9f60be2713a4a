import assert from "node:assert/strict";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { fileSource } from "../../tasks/byte_source.ts";
import { columnTypes } from "../../tasks/column_types.ts";
import { type DataSet, openData } from "../../tasks/data_source.ts";
import { BenchError } from "../../env/errors.ts";
import { exportCommand } from "../../tasks/export_command.ts";
import { exportData } from "../../tasks/export_data.ts";
import { openParquet } from "../../tasks/parquet.ts";
import { isBenchId, TABLES } from "../../tasks/tables.ts";
import { GAUSSIAN, SETTING, writeSmallRun } from "../support/small_run.ts";
import { withFolder } from "../support/with_folder.ts";

async function withExport(
  bench: "splat" | "shadow",
  format: "parquet" | "jsonl" | "arrow" | "csv",
  test: (run: DataSet, out: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await writeSmallRun(join(folder, "runs"), bench);
    const run = await openData(join(folder, "runs"));
    const out = join(folder, "out");
    await exportData(run, out, { format });
    await test(run, out);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const bench of ["splat", "shadow"] as const) {
  for (const format of ["parquet", "jsonl"] as const) {
    Deno.test(`exportData() writes ${bench} as ${format} that reads back as the run itself`, async () => {
      await withExport(bench, format, async (run, out) => {
        const data = await openData(out);
        assert.deepEqual([data.bench, await data.settings()], [bench, [SETTING]]);
        const rows = (of: DataSet): (() => AsyncIterable<object>)[] => [
          () => of.episodes(),
          () => of.steps(SETTING, { images: true }),
          () => of.transcripts(SETTING),
          () => of.tasks(),
        ];
        for (const [at, read] of rows(data).entries()) {
          const own = await Array.fromAsync(rows(run)[at]());
          // Columns without a value are null in files, which rows leave out.
          assert.deepEqual((await Array.fromAsync(read())).map(withoutLicence), own.map(withoutLicence));
          assert.ok(own.length > 0);
        }
      });
    });
  }
}

Deno.test("exportData() passes licences on: with tasks, episodes and steps, and in LICENSE.md", async () => {
  await withExport("splat", "parquet", async (_, out) => {
    const data = await openData(out);
    const [episode] = await Array.fromAsync(data.episodes());
    const [step] = await Array.fromAsync(data.steps(SETTING));
    const [task] = await Array.fromAsync(data.tasks());
    assert.deepEqual([task.licence, episode.licence, step.licence], Array(3).fill("CC BY 4.0"));
    assert.match(await Deno.readTextFile(join(out, "LICENSE.md")), /## CC BY 4\.0\n\ntable__sculpt\n/);
  });
});

Deno.test("exportData() keeps float64 to the last bit, and notes Image features for the hub's packages", async () => {
  await withExport("splat", "parquet", async (_, out) => {
    const data = await openData(out);
    const steps = await Array.fromAsync(data.steps(SETTING));
    assert.deepEqual(steps[2].scene, [GAUSSIAN]);
    const file = await openParquet(await fileSource(join(out, `steps/${SETTING}-00000-of-00001.parquet`)));
    const { features } = JSON.parse(file.notes.huggingface).info;
    assert.deepEqual(features.image, { _type: "Image" });
    assert.deepEqual(features.scene[0].pos, [{ dtype: "float64", _type: "Value" }]);
    assert.deepEqual(Object.keys(features), file.columns);
    assert.match(
      await Deno.readTextFile(join(out, "README.md")),
      /^---\n.*config_name: episodes\n\s+default: true/s,
    );
  });
});

Deno.test("exportData() writes Arrow files that apache-arrow reads, and CSV with pictures beside it", async () => {
  await withExport("splat", "arrow", async (run, out) => {
    const table = tableFromIPC(await Deno.readFile(join(out, `steps/${SETTING}.arrow`)));
    const own = await Array.fromAsync(run.steps(SETTING, { images: true }));
    assert.deepEqual([...table].map((row) => row.toJSON().response), own.map(({ response }) => response));
    assert.deepEqual([...table.get(0)?.toJSON().image.bytes], [...own[0].image?.bytes ?? []]);
    assert.deepEqual([...table.get(1)?.toJSON().scene.get(0).pos], GAUSSIAN.pos);
  });
  await withExport("splat", "csv", async (_, out) => {
    const text = await Deno.readTextFile(join(out, `steps/${SETTING}.csv`));
    assert.match(text, /"Step 1, “quoted”, with\ntwo lines"/);
    const [path] = /images\/[0-9a-f]{64}\.png/.exec(text) ?? [""];
    assert.deepEqual([...(await Deno.readFile(join(out, path))).subarray(1, 4)], [
      ...new TextEncoder().encode("PNG"),
    ]);
  });
});

Deno.test("openData() says that arrow and csv are for other tools", async () => {
  for (const format of ["arrow", "csv"] as const) {
    await withExport("splat", format, async (_, out) => {
      const message = /: arrow and csv are for other tools\. Name a folder of --format parquet or jsonl$/;
      await assert.rejects(openData(out), { name: "BenchError", message });
      await assert.rejects(openData(join(out, `steps/${SETTING}.${format}`)), {
        name: "BenchError",
        message,
      });
    });
  }
});

Deno.test("exportData() leaves a full folder alone", async () => {
  await withExport("splat", "csv", async (run, out) => {
    await assert.rejects(exportData(run, out, { format: "csv" }), /it is not empty/);
  });
});

Deno.test("columnTypes() knows every column of every table and no other", () => {
  for (const [bench, tables] of Object.entries(TABLES)) {
    assert.ok(isBenchId(bench));
    for (const name of ["leaderboard", "episodes", "steps", "transcripts", "tasks"] as const) {
      assert.deepEqual(
        Object.keys(columnTypes(bench, name)).sort(),
        Object.keys(tables[name].schema.shape).sort(),
        `${bench} ${name}`,
      );
    }
  }
});

function withoutLicence(row: object): object {
  return Object.fromEntries(
    Object.entries(row).filter(([column, value]) =>
      column !== "licence" && value !== undefined && value !== null
    ),
  );
}

/** Throws when all is written but the transcripts. */
function breaking(data: DataSet, error: Error): DataSet {
  return {
    ...data,
    async *transcripts(...args) {
      yield* data.transcripts(...args);
      throw error;
    },
  };
}

Deno.test("exportData() leaves nothing of an export that failed or was killed, so that it works again", async () => {
  for (const format of ["parquet", "jsonl", "arrow", "csv"] as const) {
    await withFolder(async (folder) => {
      await writeSmallRun(join(folder, "runs"), "splat");
      const run = await openData(join(folder, "runs"));
      const out = join(folder, "new", "out");
      await assert.rejects(exportData(breaking(run, new Error("full")), out, { format }), /full/);
      await assert.rejects(Deno.stat(out), Deno.errors.NotFound);
      const signal = AbortSignal.abort();
      await Deno.mkdir(out, { recursive: true });
      await assert.rejects(exportData(run, out, { format, signal }), { name: "AbortError" });
      assert.deepEqual([...Deno.readDirSync(out)], []);
      // As a process leaves it that is killed.
      await Deno.mkdir(join(out, ".unfinished/steps"), { recursive: true });
      await Deno.writeTextFile(join(out, ".unfinished/steps/old.jsonl"), "{}");
      await exportData(run, out, { format });
      const names = [...Deno.readDirSync(out)].map(({ name }) => name).sort();
      const images = format === "csv" ? ["images"] : [];
      assert.deepEqual(
        names,
        ["LICENSE.md", "README.md", "episodes", ...images, "steps", "tasks", "transcripts"],
      );
      assert.equal([...Deno.readDirSync(join(out, "steps"))].length, 1);
    });
  }
});

Deno.test("exportCommand() leaves out steps and transcripts of bad episodes, and exits with 2 where none is left", async () => {
  await withFolder(async (folder) => {
    await writeSmallRun(join(folder, "runs"), "splat");
    const whole = join(folder, "whole");
    await exportData(await openData(join(folder, "runs")), whole, { format: "jsonl" });
    const path = join(whole, `episodes/${SETTING}.jsonl`);
    const [first, second] = (await Deno.readTextFile(path)).trim().split("\n");
    await Deno.writeTextFile(path, `${first}\n${second.replace(/"score":[^,]+/, '"score":"bad"')}\n`);
    const options = { format: "jsonl", skipBad: true } as const;
    const signal = new AbortController().signal;
    const out = join(folder, "out");
    const said = await exportCommand(whole, { ...options, out }, () => {}, signal);
    assert.match(said, /; 1 left out for being bad$/);
    const data = await openData(out);
    const [episode] = await Array.fromAsync(data.episodes());
    for (const rows of [data.steps(SETTING), data.transcripts(SETTING)]) {
      const ids = (await Array.fromAsync<{ episode_id: string }>(rows)).map(({ episode_id }) => episode_id);
      assert.deepEqual([...new Set(ids)], [episode.episode_id]);
    }
    await Deno.writeTextFile(path, "no JSON\n");
    const none = join(folder, "none");
    await assert.rejects(
      exportCommand(whole, { ...options, bench: "splat", out: none }, () => {}, signal),
      (error: Error) =>
        error instanceof BenchError && error.exitCode === 2 && /no episode is left/.test(error.message),
    );
    await assert.rejects(Deno.stat(none), Deno.errors.NotFound);
  });
});

Deno.test("openData() asks which benchmark of a folder with both is meant, and takes the one named", async () => {
  await withFolder(async (folder) => {
    const both = join(folder, "both");
    for (const bench of ["splat", "shadow"] as const) {
      await writeSmallRun(join(folder, bench), bench);
      await exportData(await openData(join(folder, bench)), join(both, bench), { format: "jsonl" });
    }
    await assert.rejects(
      openData(both),
      /it holds both benchmarks\. Name \S+splat or \S+shadow, or .*--bench/,
    );
    for (const bench of ["splat", "shadow"] as const) {
      const data = await openData(both, { bench });
      assert.deepEqual([data.bench, data.where], [bench, join(both, bench)]);
    }
  });
});
