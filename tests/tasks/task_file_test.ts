import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { readTaskFile } from "../../tasks/read_task_file.ts";
import { parseTaskFile } from "../../tasks/task_file.ts";

const TREE = new URL("../../tasks/embedded/tree__sculpt.json", import.meta.url);

Deno.test("readTaskFile() reads paths and file URLs alike", async () => {
  const file = await readTaskFile(TREE.pathname);
  assert.equal(file.task_id, "tree__sculpt");
  assert.deepEqual(await readTaskFile(TREE.href), file);
});

Deno.test("readTaskFile() reads past a byte order mark", async () => {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, `\ufeff${await Deno.readTextFile(TREE)}`);
    assert.equal((await readTaskFile(path)).task_id, "tree__sculpt");
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("readTaskFile() names a file that is missing or no JSON", async () => {
  const torn = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(torn, '{"schema_version": 1, "task');
    await assert.rejects(readTaskFile(torn), named(torn, /not valid JSON/));
  } finally {
    await Deno.remove(torn);
  }
  await assert.rejects(readTaskFile(torn), named(torn, /ENOENT|No such file/));
});

Deno.test("parseTaskFile() names the field that is missing or wrong", async () => {
  const file = await readTaskFile(TREE.pathname);
  const [first, ...rest] = file.reference;
  const [fit] = file.fits ?? [];
  const cases: [unknown, RegExp][] = [
    [[], /the file: /],
    [{ ...file, licence: undefined }, /licence: /],
    [{ ...file, schema_version: 2 }, /schema_version: /],
    [{ ...file, task_id: "../tree" }, /task_id: letters, digits/],
    [{ ...file, task_id: ".." }, /task_id: a folder is called so/],
    [{ ...file, task_id: "." }, /task_id: a folder is called so/],
    [{ ...file, task_id: "x".repeat(101) }, /task_id: at most 100 characters/],
    [{ ...file, kind: "puzzle" }, /kind: /],
    [{ ...file, held_out: [] }, /held_out: /],
    [
      { ...file, reference: [...rest, { ...first, camera: { ...first.camera, fx: 0 } }] },
      /reference\[7\]\.camera\.fx: /,
    ],
    [
      { ...file, reference: [{ ...first, camera: { ...first.camera, t: [0, 1] } }] },
      /reference\[0\]\.camera\.t/,
    ],
    [{ ...file, start: [{ id: 1.5 }] }, /start\[0\]\.id: /],
    [
      { ...file, fits: [{ ...fit, scene: fit.scene.slice(1) }] },
      /fits\[0\]: a fit has as many Gaussians as it says/,
    ],
    [{ ...file, fits: [fit, fit] }, /fits: two fits have the same number of Gaussians/],
    [{ ...file, fits: [{ ...fit, recipe_hash: undefined }] }, /fits\[0\]\.recipe_hash: /],
    [{ ...file, baselines: { empty: { score: "0", metrics: {} } } }, /baselines\.empty\.score: /],
    [
      { ...file, limits: { gaussians: 300, calls: 40, renders: -1, views_per_picture: 8 } },
      /limits\.renders: /,
    ],
  ];
  for (const [content, why] of cases) {
    assert.throws(() => parseTaskFile(content, "x.json"), named("x.json", why));
  }
});

function named(where: string, why: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof BenchError, String(error));
    assert.ok(error.message.includes(where));
    assert.match(error.message, why);
    assert.ok(!error.message.includes("\n"));
    return true;
  };
}
