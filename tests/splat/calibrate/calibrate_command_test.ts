import assert from "node:assert/strict";
import { join } from "node:path";
import { encodePngStable } from "../../../env/png.ts";
import { openGpu } from "../../../gpu/device.ts";
import {
  calibrateMetricsCommand,
  calibrateOptionsSchema,
  calibrateRenderCommand,
} from "../../../splat/calibrate/calibrate_command.ts";
import type { EvidenceTask } from "../../../splat/calibrate/evidence_task.ts";
import { cameraToRow } from "../../../splat/camera.ts";
import { loadProfile } from "../../../splat/load_profile.ts";
import { sceneToRows } from "../../../splat/scene.ts";
import type { View } from "../../../splat/task.ts";
import { parseTaskFile } from "../../../tasks/task_file.ts";
import { splatTaskRow } from "../../../tasks/splat_task_rows.ts";
import { randomTable } from "./random_tables.ts";

/** A data set as JSON lines: reassemblies with the scrambled start as their recorded scene, and final scenes. */
async function writeDataSet(folder: string, tasks: readonly EvidenceTask[]): Promise<void> {
  const lines = (rows: readonly unknown[]) =>
    rows.map((row) =>
      JSON.stringify(row, (_key, value) => value instanceof Uint8Array ? value.toBase64() : value) + "\n"
    ).join("");
  await Deno.mkdir(join(folder, "tasks"), { recursive: true });
  await Deno.mkdir(join(folder, "episodes"));
  const views = (own: readonly View[]) =>
    own.map(({ camera, photo }) => ({
      camera: cameraToRow(camera),
      photo: encodePngStable(photo).toBase64(),
    }));
  const rows = tasks.map(({ reference, heldOut, empty, scenes }, at) => {
    const scrambled = scenes[2];
    return splatTaskRow(parseTaskFile({
      schema_version: 1,
      task_id: `object_${at}__assemble`,
      object: `object_${at}`,
      kind: "reassembly",
      title: "An object",
      licence: "MIT",
      effort_subset: false,
      reference: views(reference),
      held_out: views(heldOut),
      start: sceneToRows(scrambled.scene).map((row, id) => ({ ...row, id: id + 1 })),
      baselines: {
        empty: { score: 0, metrics: empty ?? {} },
        scrambled: { score: null, metrics: scrambled.metrics },
        mean: { score: 4, metrics: { psnr: 1, ssim: 1 } },
      },
    }, "test"));
  });
  const episodes = tasks.flatMap(({ scenes }, at) =>
    scenes.slice(3).map(({ scene, metrics }, run) => ({
      episode_id: `m__object_${at}__assemble__eval_r${run + 1}`,
      model_name: "m",
      task_id: `object_${at}__assemble`,
      score: 0,
      cost_usd: 0,
      input_tokens: 0,
      metrics: JSON.stringify(metrics),
      final_scene: JSON.stringify(sceneToRows(scene).map((row, id) => ({ ...row, id: id + 1 }))),
    }))
  );
  await Deno.writeTextFile(join(folder, "tasks", "test-00000-of-00001.jsonl"), lines(rows));
  await Deno.writeTextFile(
    join(folder, "episodes", "medium_effort-00000-of-00001.jsonl"),
    lines(episodes),
  );
}

Deno.test("bench calibrate metrics, then render, write one profile that holds what the data set was made with", async () => {
  const gpu = await openGpu("software");
  const table = await randomTable(4, gpu);
  gpu.close();
  const folder = await Deno.makeTempDir();
  const printed: string[] = [];
  const noticed: string[] = [];
  const said = {
    print: (text: string) => printed.push(text),
    notice: (text: string) => noticed.push(text),
    status: () => {},
  };
  try {
    await writeDataSet(folder, table.tasks);
    const out = join(folder, "p.json");
    const options = calibrateOptionsSchema.parse({ out, device: "software" });
    assert.equal(await calibrateMetricsCommand(folder, options, said), 0);
    assert.match(printed.join("\n"), /psnr\.mode: pooled, decided\n.*missed of 2\n/);
    assert.match(noticed.join("\n"), /Wrote metrics to .*p\.json/);
    printed.length = 0;
    const json = { ...options, profile: out, json: true };
    assert.equal(await calibrateRenderCommand(folder, json, said), 0);
    const verdicts = new Map(
      printed.map((line): [string, unknown] => {
        const { knob, ...rest } = JSON.parse(line);
        return [String(knob), rest];
      }),
    );
    assert.deepEqual([...verdicts.keys()].slice(0, 2), ["pixelCenter", "dilation"]);
    const { render, metrics } = await loadProfile(out);
    assert.equal(render.dilation, table.render.dilation);
    assert.equal(render.pixelCenter, table.render.pixelCenter);
    assert.equal(metrics.psnr.mode, table.metrics.psnr.mode);
    assert.equal(metrics.ssim.window, table.metrics.ssim.window);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("bench calibrate says what a data set lacks", async () => {
  const folder = await Deno.makeTempDir();
  const said = { print: () => {}, notice: () => {}, status: () => {} };
  const options = calibrateOptionsSchema.parse({ out: join(folder, "p.json"), device: "software" });
  try {
    const gpu = await openGpu("software");
    const { tasks: [task] } = await randomTable(4, gpu, 1);
    gpu.close();
    await writeDataSet(folder, [{ ...task, empty: null }]);
    await assert.rejects(
      calibrateMetricsCommand(folder, options, said),
      /record no metrics of the empty scene/,
    );
    const wrong = { ...task, empty: { psnr: 3, ssim: 0.5 } };
    await Deno.remove(join(folder, "tasks"), { recursive: true });
    await Deno.remove(join(folder, "episodes"), { recursive: true });
    await writeDataSet(folder, [wrong]);
    assert.equal(await calibrateMetricsCommand(folder, options, said), 1);
    await assert.rejects(Deno.stat(options.out));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
