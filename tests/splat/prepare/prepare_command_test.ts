import assert from "node:assert/strict";
import { join } from "node:path";
import { taskFileText } from "../../../tasks/task_text.ts";
import {
  prepareCommand,
  prepareRequestSchema,
  type PrepareSpeaker,
} from "../../../splat/prepare/prepare_command.ts";
import { isEmbedded, proceduralTasks } from "../../../splat/prepare/procedural_tasks.ts";
import { readTaskFile } from "../../../tasks/read_task_file.ts";
import { captureCli } from "../../support/capture_cli.ts";
import { PLAIN_LENS, sampleViews, SIZE, STANDING } from "./sample_capture.ts";
import { colmapTextFiles, nerfFiles, withFolder } from "./sample_layouts.ts";

/** As few views as a task needs. */
const VIEWS = sampleViews(STANDING, PLAIN_LENS, SIZE, 16);

const under = (folder: string, files: ReturnType<typeof nerfFiles>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("bench prepare nerf-synthetic makes two tasks that eval plays", async () => {
  await withFolder(under("My Table", nerfFiles(VIEWS)), async (folder) => {
    const out = join(folder, "tasks");
    const options = [
      "--out",
      out,
      "--name",
      "desk",
      "--licence",
      "CC0",
      "--steps",
      "3",
      "--device",
      "software",
    ];
    const made = await captureCli(["prepare", "nerf-synthetic", join(folder, "My Table"), ...options]);
    assert.equal(made.code, 0, made.stderr);
    const [build, reassembly] = ["sculpt", "assemble"].map((end) => join(out, `desk__${end}.json`));
    assert.equal(made.stdout, `${build}\n${reassembly}\n`);
    assert.match(
      made.stderr,
      /^desk: 16 photos with cameras\ndesk: fit of 300, step 3 of 3, loss 0\.\d{4}$/m,
    );
    assert.deepEqual(namesIn(out), ["desk__assemble.json", "desk__sculpt.json"]);
    const { title, licence, object } = await readTaskFile(reassembly);
    assert.deepEqual([title, licence, object], ["Reassemble the desk", "CC0", "desk"]);

    const run = ["--models", "builtin:mean", "--runs", "1", "--out", join(folder, "runs")];
    const played = await captureCli([
      "eval",
      "splat",
      "--tasks",
      out,
      "--json",
      "--device",
      "software",
      ...run,
    ]);
    assert.equal(played.code, 0, played.stderr);
    const episodes = played.stdout.trim().split("\n").map((line) => JSON.parse(line));
    const scored = episodes.filter(({ task_id, score }) => task_id && Number.isFinite(score));
    assert.deepEqual(scored.map(({ task_id }) => task_id).sort(), ["desk__assemble", "desk__sculpt"]);
  });
});

Deno.test("bench prepare colmap --masks reads masks from elsewhere, --no-fit makes the views alone", async () => {
  const files = Object.fromEntries(
    Object.entries(colmapTextFiles(VIEWS)).map((
      [name, content],
    ) => [name.replace(/^masks/, "cut outs"), content]),
  );
  await withFolder(under("shoe", files), async (folder) => {
    const shoe = join(folder, "shoe");
    const prepare = (...more: string[]) =>
      captureCli(["prepare", "colmap", shoe, "--no-fit", "--out", join(folder, "out"), ...more]);
    const without = await prepare();
    assert.equal(without.code, 2);
    assert.match(
      without.stderr,
      /^bench: Cannot read \S+ a\/0\.jpg: its mask \S+ a\/0\.jpg\.png is missing/m,
    );
    const made = await prepare("--masks", join(shoe, "cut outs"), "--title", "left shoe");
    assert.equal(made.code, 0, made.stderr);
    assert.equal(made.stdout, `${join(folder, "out/shoe__sculpt.json")}\n`);
    assert.match(made.stderr, /its licence is not known; --licence states it/);
    assert.match(made.stderr, /no score and no reassembly task, which need a fit/);
    const task = await readTaskFile(join(folder, "out/shoe__sculpt.json"));
    assert.deepEqual([task.title, task.fits, task.reference.length], ["Build the left shoe", undefined, 8]);
    assert.deepEqual(namesIn(join(folder, "out")), ["shoe__sculpt.json"]);

    await Deno.writeTextFile(join(folder, "out/shoe__assemble.json"), "{}");
    const over = await prepare("--masks", join(shoe, "cut outs"), "--force");
    assert.equal(over.code, 2);
    assert.match(over.stderr, /shoe__assemble\.json is of an earlier build\. Remove it, /);
    assert.equal((await readTaskFile(join(folder, "out/shoe__sculpt.json"))).title, "Build the left shoe");
  });
});

Deno.test("bench prepare all names what is missing or damaged, goes on, and stops when told", async () => {
  const lego = under("nerf_synthetic/lego", nerfFiles(VIEWS));
  await withFolder({ ...lego, "BlendedMVS/Jade/rgb/0_1.png": "x" }, async (folder) => {
    const out = join(folder, "out");
    const [printed, said]: string[][] = [[], []];
    const stop = new AbortController();
    const speaker: PrepareSpeaker = {
      print: (line) => printed.push(line),
      say: (line) => said.push(line),
      status: (line) => line.startsWith("Made snowman__assemble") && stop.abort(),
    };
    const request = prepareRequestSchema.parse({ what: "all", sources: folder, out, fit: false });
    assert.equal(await prepareCommand(request, speaker, stop.signal), 130);
    const missing = said.filter((line) => line.includes("missing, no folder of that name"));
    assert.deepEqual(missing.map((line) => line.split(":")[0]), [
      ...["chair", "hotdog", "ficus", "mic", "drums"],
      ...["ignatius", "caterpillar"],
    ]);
    assert.match(said.join("\n"), /^Cannot read \S+Jade\S*: /m);
    assert.deepEqual(
      printed,
      ["lego__sculpt", "snowman__sculpt", "snowman__assemble"].map((id) => join(out, `${id}.json`)),
    );
    assert.match((await readTaskFile(printed[0])).licence, /^CC BY-NC, model by Heinzelnisse/);
  });
});

Deno.test("bench prepare tries --out before the fits; all ends at once", async () => {
  await withFolder({ ...under("a/lego", nerfFiles(VIEWS)), "file": "x" }, async (folder) => {
    const out = ["--out", join(folder, "file/out"), "--device", "software"];
    const one = await captureCli(["prepare", "nerf-synthetic", join(folder, "a/lego"), ...out]);
    assert.equal(one.code, 2);
    assert.match(one.stderr, /^bench: Cannot write \S+file\/out: /m);
    assert.doesNotMatch(one.stderr, /fit of/);
    const all = await captureCli(["prepare", "all", "--sources", folder, ...out]);
    assert.deepEqual([all.code, all.stdout], [2, ""]);
    assert.match(all.stderr, /^bench: Cannot write \S+file\/out: .+\n$/);
  });
});

Deno.test("bench prepare replaces no task file but by --force, and says so before the work", async () => {
  await withFolder(
    { ...under("a/lego", nerfFiles(VIEWS)), "out/lego__assemble.json": "mine" },
    async (folder) => {
      const [out, there] = [join(folder, "out"), join(folder, "out/lego__assemble.json")];
      const rest = ["--out", out, "--device", "software", "--no-fit"];
      const one = await captureCli(["prepare", "nerf-synthetic", join(folder, "a/lego"), ...rest]);
      assert.deepEqual([one.code, one.stdout], [2, ""]);
      assert.match(
        one.stderr,
        /^bench: Cannot write \S+lego__assemble\.json: it is there already\..*--force\n$/m,
      );
      await Deno.rename(there, join(out, "lego__sculpt.json"));
      const forced = await captureCli([
        "prepare",
        "nerf-synthetic",
        join(folder, "a/lego"),
        ...rest,
        "--force",
      ]);
      assert.equal(forced.code, 0, forced.stderr);
      assert.equal((await readTaskFile(join(out, "lego__sculpt.json"))).task_id, "lego__sculpt");
      await Deno.rename(join(out, "lego__sculpt.json"), join(out, "tree__sculpt.json"));
      const twelve = await captureCli(["prepare", "procedural", "--out", out]);
      assert.deepEqual([twelve.code, twelve.stdout], [2, ""]);
      assert.match(twelve.stderr, /Cannot write \S+tree__sculpt\.json: it is there already/);
    },
  );
});

Deno.test("proceduralTasks() makes the embedded files again, isEmbedded() sees one letter that differs", async () => {
  const most = Deno.env.get("BENCH_SOAK") ? 12 : 2;
  let seen = 0;
  for await (const { id, text } of proceduralTasks()) {
    const file = new URL(`../../../tasks/embedded/${id}.json`, import.meta.url);
    assert.ok(await Deno.readTextFile(file) === text, id);
    assert.ok(await isEmbedded({ id, text }), id);
    assert.ok(
      !await isEmbedded({ id, text: taskFileText({ ...JSON.parse(text), title: "Build the snowmen" }) }),
    );
    if (++seen === most) break;
  }
});

for (
  const [args, line] of [
    [["nerf-synthetic", "/nowhere"], /^bench: Cannot read \/nowhere: it has no transforms_train\.json/m],
    [["nsvf", "/nowhere"], /^bench: Cannot read \/nowhere\/(rgb|pose): there is no such folder/m],
    [["blendedmvs", "/nowhere"], /^bench: Cannot read \/nowhere\S*: /m],
    [["colmap", "/nowhere"], /^bench: Cannot read \/nowhere: it has no sparse\/0\/cameras\.bin/m],
    [["ply", "/nowhere.ply", "--up", "-y"], /^bench: Cannot read \/nowhere\.ply: there is no such file$/m],
    [["ply", "x.ply", "--up", "x"], /'x' is invalid\. Allowed choices are z, y, -y/],
    [["all", "--sources", "/nowhere"], /^bench: Cannot read \/nowhere: there is no such folder/m],
    [["all"], /required option '--sources <folder>' not specified/],
    [["nerf-synthetic", "x", "--name", "a/b"], /It must be one word/],
    [["nerf-synthetic", "x", "--title", "a\nb"], /It must be one line without control characters/],
    [["nerf-synthetic", "x", "--licence", "a\x1b[1m"], /It must be one line without control characters/],
    [["nerf-synthetic", "x", "--seed", "-1"], /It must be a whole number, 0 or more/],
    [["nerf-synthetic", "x", "--steps", "0"], /It must be a whole number, 1 or more/],
    [["nerf-synthetic"], /missing required argument 'folder'/],
    [["nerf-synthetic", "x", "--masks", "y"], /unknown option '--masks'/],
    [["lego"], /unknown command 'lego'/],
    [[], /Usage: bench prepare/],
  ] satisfies [string[], RegExp][]
) {
  Deno.test(`bench prepare ${args.join(" ")} explains itself and exits 2`, async () => {
    const { code, stderr, stdout } = await captureCli(["prepare", ...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, line);
  });
}
