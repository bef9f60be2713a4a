import assert from "node:assert/strict";
import { join } from "node:path";
import { contentHash } from "../../env/hash.ts";
import { dataAddress, isDataAddress, taskAddress } from "../../tasks/data_address.ts";
import { shadowTaskSet, splatTaskSet } from "../../tasks/data_tasks.ts";
import { EMBEDDED_TASKS, SPLAT_TASKS } from "../../tasks/embedded_tasks.ts";
import { SHADOW_TASKS } from "../../tasks/embedded_shadow_tasks.ts";
import { shadowTaskFile, shadowTaskRow } from "../../tasks/shadow_task_rows.ts";
import { splatTaskFile, splatTaskRow } from "../../tasks/splat_task_rows.ts";
import { readTaskFile } from "../../tasks/read_task_file.ts";
import { findTaskFiles } from "../../tasks/task_source.ts";

const SPLAT = join(import.meta.dirname ?? ".", "../fixtures/data/splat");
const COMMIT = "0123456789abcdef0123456789abcdef01234567";

for (
  const [text, address] of [
    ["hf://org/name", { place: "hf://org/name", revision: null, taskId: null }],
    ["hf://org/name@main#table__sculpt", {
      place: "hf://org/name@main",
      revision: null,
      taskId: "table__sculpt",
    }],
    [`hf://org/name@${COMMIT}#a`, { place: `hf://org/name@${COMMIT}`, revision: COMMIT, taskId: "a" }],
    [`/data/splat@${COMMIT}#a`, { place: "/data/splat", revision: COMMIT, taskId: "a" }],
    ["./runs#rabbit", { place: "./runs", revision: null, taskId: "rabbit" }],
  ] as const
) {
  Deno.test(`dataAddress() takes ${text} apart`, () => {
    assert.equal(isDataAddress(text), true);
    assert.deepEqual(dataAddress(text), address);
    const { place, revision, taskId } = address;
    if (taskId !== null) assert.equal(taskAddress(place, revision, taskId), text);
  });
}

Deno.test("isDataAddress() leaves ids, paths and web addresses to others", () => {
  for (
    const text of [
      "table__sculpt",
      "table__*",
      "tasks/table.json",
      "https://a.org/t.json#x",
      "file:///t.json#x",
      "a#b/c",
    ]
  ) {
    assert.equal(isDataAddress(text), false, text);
  }
});

Deno.test("findTaskFiles() gives the tasks of a data set with their own prompts, tools and fixed points", async () => {
  const set = await splatTaskSet(SPLAT);
  const tasks = await findTaskFiles(set, []);
  assert.deepEqual(tasks.map(({ id, source }) => [id, source]), [
    ["table__sculpt", `${SPLAT}#table__sculpt`],
    ["table__assemble", `${SPLAT}#table__assemble`],
  ]);
  const [build, reassembly] = await Promise.all(tasks.map((task) => task.load()));
  assert.deepEqual(build.published, {
    prompts: { system: "You build.", user: "Build table__sculpt." },
    tools: [{ name: "add_gaussians", description: "Adds.", parameters: { type: "object", properties: {} } }],
  });
  assert.deepEqual(build.baselines, {
    empty: { score: 0, metrics: { psnr: 10.5, ssim: 0.8 } },
    fit_64: { score: 67.7, metrics: {} },
  });
  assert.deepEqual([build.kind, build.object, build.licence, build.effort_subset], [
    "build",
    "table",
    "CC BY 4.0",
    true,
  ]);
  assert.deepEqual([build.reference.length, build.held_out.length, build.fits?.[0].gaussians], [2, 2, 300]);
  assert.deepEqual(build.reference[1].camera.t, [0, 0, 2.25]);
  assert.deepEqual([build.start.length, reassembly.start.length, reassembly.kind], [0, 1, "reassembly"]);
  const [one] = await findTaskFiles(SPLAT_TASKS, ["table__sculpt"]);
  assert.equal(one.source, "embedded");
});

Deno.test("findTaskFiles() finds an address without --data, and says what is not there", async () => {
  const set = await splatTaskSet();
  const [task] = await findTaskFiles(set, [`${SPLAT}#table__assemble`]);
  assert.equal((await task.load()).task_id, "table__assemble");
  await assert.rejects(findTaskFiles(set, [`${SPLAT}#none`]), /its tasks are table__sculpt, table__assemble/);
  const shadow = SPLAT.replace("splat", "shadow");
  await assert.rejects(
    findTaskFiles(set, [`${shadow}#none`]),
    /they are of shadow\. Put shadow before the options/,
  );
});

Deno.test("splatTaskFile() gives back what splatTaskRow() was made of, fits and parts included", async () => {
  for (const id of ["table__sculpt", "table__assemble"]) {
    const file = await EMBEDDED_TASKS.find((task) => task.id === id)?.load();
    assert.ok(file !== undefined && file.fits !== undefined);
    const again = splatTaskFile(splatTaskRow(file), id);
    assert.equal(hashOf({ ...again, fits: undefined }), hashOf({ ...file, fits: undefined }));
    const bySize = (fits: typeof file.fits = []) => fits.toSorted((a, b) => a.gaussians - b.gaussians);
    assert.equal(contentHash(bySize(again.fits)), contentHash(bySize(file.fits)));
  }
  const [rabbit] = await findTaskFiles(SHADOW_TASKS, ["rabbit"]);
  const { witness: _, hand: __, ...file } = await rabbit.load();
  assert.equal(hashOf(shadowTaskFile(shadowTaskRow(file), "rabbit")), hashOf(file));
});

Deno.test("findTaskFiles() gives an embedded hand shadow that was exported its witness again, and no other one", async () => {
  const [rabbit] = await findTaskFiles(SHADOW_TASKS, ["rabbit"]);
  const file = await rabbit.load();
  const { target, book_page: _, schema_version: __, ...row } = shadowTaskRow(file);
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(folder, "tasks"));
    const picture = { bytes: target?.bytes?.toBase64(), path: null };
    for (
      const [changes, witness] of [
        [{}, file.witness],
        [{ hint: "Another book." }, undefined],
        [{ task_id: "hare" }, undefined],
      ] as const
    ) {
      const changed = JSON.stringify({ ...row, target: picture, ...changes });
      await Deno.writeTextFile(join(folder, "tasks", "test.jsonl"), changed);
      const [task] = await findTaskFiles(await shadowTaskSet(folder), []);
      assert.deepEqual((await task.load()).witness, witness);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("splatTaskFile() says what a row lacks", async () => {
  const [table] = await findTaskFiles(SPLAT_TASKS, ["table__sculpt"]);
  const row = splatTaskRow(await table.load());
  assert.throws(
    () => splatTaskFile({ ...row, held_out_cameras: row.held_out_cameras?.slice(1) }, "x#table"),
    {
      message: /^Cannot use the task x#table: held_out_images holds 8 photos and held_out_cameras 7 cameras/,
    },
  );
  assert.throws(
    () => shadowTaskFile({ schema_version: 1, task_id: "hare" }, "x#hare"),
    /target holds no picture/,
  );
});

Deno.test("readTaskFile() reads rows as JSON files in data/bench/tasks, photos inside or beside them", async () => {
  const [table] = await findTaskFiles(SPLAT_TASKS, ["table__sculpt"]);
  const file = await table.load();
  const { reference_images = [], held_out_images = [], schema_version: _, ...row } = splatTaskRow(file);
  const folder = await Deno.makeTempDir();
  try {
    const tasks = join(folder, "data/bench/tasks");
    await Deno.mkdir(tasks, { recursive: true });
    await Deno.writeFile(join(tasks, "photo_0.png"), reference_images[0].bytes ?? new Uint8Array());
    const content = {
      ...row,
      reference_images: reference_images.map(({ bytes }, i) => i === 0 ? "photo_0.png" : bytes?.toBase64()),
      held_out_images: held_out_images.map(({ bytes }) => ({ bytes: bytes?.toBase64() })),
    };
    const path = join(tasks, "table__sculpt.json");
    await Deno.writeTextFile(path, JSON.stringify(content));
    const read = await readTaskFile(path);
    assert.equal(contentHash(read.reference), contentHash(file.reference));
    assert.equal(contentHash(read.held_out), contentHash(file.held_out));
    const [found] = await findTaskFiles(await splatTaskSet(folder), ["table__*"]);
    assert.deepEqual([found.id, found.source], ["table__sculpt", path]);
    await Deno.writeTextFile(path, JSON.stringify({ ...content, held_out_images: ["none.png"] }));
    await assert.rejects(readTaskFile(path), /column held_out_images\[0\] is "none\.png"/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Of what is there: a comparison of photos field by field would take minutes to print. */
function hashOf(value: object): string {
  return contentHash(Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)));
}
