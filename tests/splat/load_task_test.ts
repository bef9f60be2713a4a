import assert from "node:assert/strict";
import { encodePngStable } from "../../env/png.ts";
import { writePng } from "../../env/png_chunks.ts";
import { blankImage } from "../../env/image.ts";
import { BenchError } from "../../env/errors.ts";
import type { Camera } from "../../splat/camera.ts";
import { loadTask, taskFromFile } from "../../splat/load_task.ts";
import { standardRig } from "../../splat/rig.ts";
import { STANDARD_LIMITS } from "../../splat/task.ts";
import { EMBEDDED_TASKS } from "../../tasks/embedded_tasks.ts";
import type { TaskFile } from "../../tasks/task_file.ts";

/** A picture that says it has 16 million pixels. */
const HUGE = writePng(
  { width: 4096, height: 4095, depth: 8, colorType: 2, interlaced: false },
  new Uint8Array(3),
).toBase64();

const TABLE = new URL("../../tasks/embedded/table__sculpt.json", import.meta.url);

Deno.test("loadTask() loads every embedded task with its photos, cameras and licence", async () => {
  const rig = standardRig();
  for (const { id } of EMBEDDED_TASKS) {
    const task = await loadTask(id);
    assert.equal(task.info.id, id);
    assert.equal(task.info.source, "embedded");
    assert.equal(task.info.licence, "CC BY 4.0");
    const isBuild = id.endsWith("__sculpt");
    const protocols = ["standard", "early_submit_refused"];
    assert.deepEqual(task.info.protocols, isBuild ? [...protocols, "one_shot"] : protocols);
    assert.equal(`${task.object}__${isBuild ? "sculpt" : "assemble"}`, id);
    assert.deepEqual(
      [task.kind, task.start.length, task.parts.length],
      isBuild ? ["build", 0, 0] : [
        "reassembly",
        300,
        6,
      ],
    );
    assert.deepEqual([task.published, task.limits], [null, STANDARD_LIMITS]);
    assert.deepEqual(task.reference.map(({ camera }) => camera), rig.reference.map(stored));
    assert.deepEqual(task.heldOut.map(({ camera }) => camera), rig.heldOut.map(stored));
    for (const { photo } of [...task.reference, ...task.heldOut]) {
      assert.deepEqual([photo.width, photo.height, photo.data.length], [256, 256, 256 * 256 * 3]);
      assert.ok(borderIsWhite(photo.data), `${id}: the object touches the border`);
      assert.ok(photo.data.some((value) => value < 128), `${id}: an empty photo`);
    }
  }
});

Deno.test("loadTask() marks eight of the twelve tasks for the effort subset", async () => {
  const tasks = await Promise.all(EMBEDDED_TASKS.map(({ id }) => loadTask(id)));
  assert.equal(tasks.filter(({ info }) => info.effortSubset).length, 8);
  const builds = tasks.filter(({ info, kind }) => info.effortSubset && kind === "build");
  assert.equal(builds.length, 4);
});

Deno.test("loadTask() reads a path, a file URL and an http URL like the embedded id", async () => {
  const byId = await loadTask("table__sculpt");
  const text = await Deno.readTextFile(TABLE);
  const server = Deno.serve(
    { port: 0, onListen: () => {} },
    (request) =>
      new URL(request.url).pathname === "/table.json"
        ? new Response(text)
        : new Response("", { status: 404 }),
  );
  const base = `http://localhost:${server.addr.port}`;
  try {
    for (const where of [TABLE.pathname, TABLE.href, `${base}/table.json`]) {
      const task = await loadTask(where);
      assert.deepEqual(task, { ...byId, info: { ...byId.info, source: where } });
    }
    await assert.rejects(loadTask(`${base}/chair.json`), /HTTP status 404/);
  } finally {
    await server.shutdown();
  }
});

Deno.test("loadTask() says which tasks there are when there is no such one", async () => {
  await assert.rejects(loadTask("tabel__sculpt"), oneLine(/no embedded task.*table__sculpt/));
  await assert.rejects(
    loadTask("data/bench/tasks/table__sculpt.json"),
    oneLine(/Did you mean table__sculpt\?/),
  );
  await assert.rejects(loadTask("*__sculpt"), oneLine(/it names 6 tasks/));
});

Deno.test("taskFromFile() gives each camera the size of its photo", () => {
  const task = taskFromFile(smallFile(), "small.json");
  assert.deepEqual([task.reference[0].camera.width, task.reference[0].camera.height], [17, 13]);
  assert.equal(task.info.source, "small.json");
});

Deno.test("taskFromFile() takes limits, start scenes and published prompts", () => {
  const published = {
    prompts: { system: "You build.", user: "Go." },
    tools: [{ name: "submit", description: "Ends.", parameters: { type: "object" } }],
  };
  const task = taskFromFile({
    ...smallFile(),
    kind: "reassembly",
    limits: { gaussians: 7, calls: 5, renders: 3, views_per_picture: 2 },
    start: [gaussian(3)],
    published,
  }, "small.json");
  assert.deepEqual(task.limits, { gaussians: 7, calls: 5, renders: 3, viewsPerPicture: 2 });
  assert.deepEqual(task.info.protocols, ["standard", "early_submit_refused"]);
  assert.deepEqual(task.start[0].mean, [0.1, 0.2, 0.3]);
  assert.deepEqual(task.published, published);
});

Deno.test("taskFromFile() names file and field of bad data", () => {
  const view = smallFile().reference[0];
  const R = view.camera.R;
  const bad = (part: Partial<TaskFile>, why: RegExp) =>
    assert.throws(() => taskFromFile({ ...smallFile(), ...part }, "bad.json"), oneLine(why));
  const withR = (rows: typeof R) => ({ held_out: [view, { ...view, camera: { ...view.camera, R: rows } }] });
  bad(withR([[1.01, 0, 0], R[1], R[2]]), /bad\.json: held_out\[1\]\.camera\.R: not a rotation/);
  bad(withR([R[1], R[0], R[2]]), /held_out\[1\]\.camera\.R: a mirror image/);
  bad({ reference: [{ ...view, photo: "!!" }] }, /reference\[0\]\.photo: not valid base64/);
  bad({ reference: [{ ...view, photo: view.photo.slice(0, 60) }] }, /reference\[0\]\.photo: /);
  bad(
    { reference: [view, { ...view, photo: photo(16, 13) }] },
    /reference\[1\]\.photo: 16 × 13, but the first is/,
  );
  bad({ reference: [{ ...view, photo: photo(40, 10) }] }, /40 × 10 pixels, at least 11/);
  // Its pixels are missing: it is the header alone that is looked at.
  bad({ reference: [{ ...view, photo: HUGE }] }, /4096 × 4095 pixels, the most are 4194304/);
  bad({ start: [gaussian(1), gaussian(1)] }, /start\[1\]\.id: 1 is there twice/);
  bad({ start: [{ ...gaussian(1), scale: [0.1, 0, 0.1] }] }, /start\[0\]\.scale/);
  bad({ start: [{ ...gaussian(1), quat: [0, 0, 0, 0] }] }, /start\[0\]\.quat/);
  bad({ start: [{ ...gaussian(1), color: [0, 1.5, 0] }] }, /start\[0\]\.color/);
  bad({ start: [{ ...gaussian(1), opacity: -0.1 }] }, /start\[0\]\.opacity/);
  bad(
    { fits: [{ gaussians: 1, scene: [{ ...gaussian(1), opacity: 2 }], recipe_hash: "r" }] },
    /fits\[0\]\.scene\[0\]\.opacity/,
  );
  bad(
    { start: Array.from({ length: 301 }, (_, i) => gaussian(i)) },
    /start: 301 Gaussians, but the limit is 300/,
  );
});

/** As JSON keeps a camera: without the sign of zero. */
function stored(camera: Camera): unknown {
  return JSON.parse(JSON.stringify(camera));
}

function smallFile(): TaskFile {
  const view = {
    camera: {
      R: [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
      t: [0, 0, 4],
      fx: 20,
      fy: 21,
      cx: 8,
      cy: 6.5,
    } satisfies TaskFile["reference"][number]["camera"],
    photo: photo(17, 13),
  };
  return {
    schema_version: 1,
    task_id: "dot__sculpt",
    object: "dot",
    kind: "build",
    title: "Build the dot",
    licence: "CC BY 4.0",
    effort_subset: false,
    reference: [view],
    held_out: [view],
    start: [],
  };
}

function photo(width: number, height: number): string {
  return encodePngStable(blankImage(width, height, [10, 20, 30])).toBase64();
}

function gaussian(id: number): TaskFile["start"][number] {
  return {
    id,
    pos: [0.1, 0.2, 0.3],
    scale: [0.1, 0.1, 0.1],
    quat: [1, 0, 0, 0],
    color: [0.5, 0.5, 0.5],
    opacity: 0.9,
    group: "part_1",
  };
}

function borderIsWhite(data: Uint8Array): boolean {
  for (let i = 0; i < 256; i++) {
    for (const pixel of [i, 255 * 256 + i, i * 256, i * 256 + 255]) {
      if (data[pixel * 3] !== 255 || data[pixel * 3 + 1] !== 255 || data[pixel * 3 + 2] !== 255) return false;
    }
  }
  return true;
}

function oneLine(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof BenchError, String(error));
    assert.match(error.message, pattern);
    assert.ok(!error.message.includes("\n"));
    return true;
  };
}
