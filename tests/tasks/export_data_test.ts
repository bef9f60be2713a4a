import assert from "node:assert/strict";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { fileSource } from "../../tasks/byte_source.ts";
import { columnTypes } from "../../tasks/column_types.ts";
import { type DataSet, openData } from "../../tasks/data_source.ts";
import { exportData } from "../../tasks/export_data.ts";
import { openParquet } from "../../tasks/parquet.ts";
import { isBenchId, TABLES } from "../../tasks/tables.ts";
import { GAUSSIAN, SETTING, writeSmallRun } from "../support/small_run.ts";

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
