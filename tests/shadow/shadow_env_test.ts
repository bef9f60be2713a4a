import assert from "node:assert/strict";
import { join } from "node:path";
import { compositeOnWhite, decodePng } from "../../env/png.ts";
import type { Image } from "../../env/image.ts";
import { imageKey } from "../../env/hash.ts";
import { create, Pose, randomWitnessTask, SYSTEM_PROMPT, tasks, TOOL_SPECS, USER_PROMPT } from "../../mod.ts";
import { poseToRow, START_POSE } from "../../shadow/pose.ts";
import { hands, stubEnvironment } from "../support/shadow_stub.ts";
import { withFolder } from "../support/with_folder.ts";

const environment = stubEnvironment();
const [FIRST] = tasks();

Deno.test("create() plays an episode and logs every step and every picture", async () => {
  await withFolder(async (folder) => {
    const logDir = join(folder, "log");
    const env = await create(FIRST, { environment, logDir });
    const opening = await env.observe();
    assert.equal(opening.text, USER_PROMPT);
    await env.call("plan", { subject: "dog", arrangement: "one hand" });
    const moved = await env.call("set_fingers", { hand: "right", joints: { "ring.mcp": 40 } });
    assert.ok(moved.accepted && !env.done);
    const before = await env.metrics();
    await env.call("peek_book");
    const after = await env.metrics();
    assert.equal(after.score_before_peeks, before.score);
    assert.ok(Math.abs(after.score - 0.94 * before.score) < 1e-12 && after.peeks === 1);
    await assert.rejects(env.final, /the episode has not ended/);
    await env.call("submit");
    const final = await env.final;
    assert.deepEqual([final.score, final.reward], [after.score, after.score / 100]);
    assert.deepEqual(poseToRow(Pose.parse(final.finalState)), poseToRow(env.pose));

    const lines = (await Deno.readTextFile(join(logDir, "steps.jsonl"))).trim().split("\n");
    assert.deepEqual(lines.map((line) => JSON.parse(line)), await env.steps);
    const names = [...Deno.readDirSync(logDir)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["000_reset.png", "003_peek_book.png", "steps.jsonl"]);
    const png = compositeOnWhite(decodePng(await Deno.readFile(join(logDir, "000_reset.png"))));
    assert.equal(imageKey(png), (await env.steps)[0].image);
    await assert.rejects(create(FIRST, { environment, logDir }), /it holds \S+ already/);
  });
});

Deno.test("create() logs one episode to a folder, whoever else asks for it at once, and none to a bad name", async () => {
  await withFolder(async (folder) => {
    const logDir = join(folder, "log");
    const asked = await Promise.allSettled(
      Array.from({ length: 4 }, () => create(FIRST, { environment, logDir })),
    );
    assert.equal(asked.filter(({ status }) => status === "fulfilled").length, 1);
    for (const one of asked) {
      if (one.status === "rejected") {
        assert.match(String(one.reason), /Cannot log an episode to \S+log: (it holds|another)/);
      }
    }
    for (const name of ["", " "]) {
      await assert.rejects(
        create(FIRST, { environment, logDir: name }),
        /Cannot log an episode to "": .*no folder/,
      );
    }
    // One that cannot be opened gives its folder back.
    const hand = join(folder, "no.glb");
    const broken = stubEnvironment("blank", { hand });
    await assert.rejects(
      create(FIRST, { environment: broken, logDir: join(folder, "b") }),
      /Cannot use hand model/,
    );
    await create(FIRST, { environment, logDir: join(folder, "b") });
  });
});

Deno.test("an episode gives out pictures and poses of the receiver's own", async () => {
  const spoiled = (image: Image | null) => {
    assert.ok(image !== null);
    const key = imageKey({ ...image });
    image.data.fill(7);
    return key;
  };
  const env = await create(FIRST, { environment });
  const opening = spoiled((await env.observe()).image);
  assert.equal(spoiled((await env.observe()).image), opening);
  const page = spoiled((await env.call("peek_book")).image);
  assert.equal(spoiled((await env.call("peek_book")).image), page);
  const other = await create(FIRST, { environment });
  assert.equal(spoiled((await other.call("peek_book")).image), page);
  assert.deepEqual((await env.steps).map(({ image }) => image), [opening, page, page]);
  const pose = poseToRow(env.pose);
  Object.assign(env.pose.right.angles, [9]);
  Object.assign(env.pose.right, { position: [0, 0, 2] });
  assert.deepEqual(poseToRow(env.pose), pose);
  for (const hand of Object.values(START_POSE)) {
    for (const shared of [START_POSE, hand, hand.angles, hand.position, hand.orientation]) {
      assert.ok(Object.isFrozen(shared));
    }
  }
});

Deno.test("create() takes a random task, whose witness path solves it", async () => {
  const file = await randomWitnessTask(3, { hands: 1, difficulty: 4 }, hands);
  const env = await create(file, { environment });
  await env.call("plan", { subject: "?", arrangement: "?" });
  for (const { tool, arguments: args } of file.witness?.path ?? []) {
    assert.ok((await env.call(tool, args)).accepted);
  }
  assert.equal((await env.metrics()).iou, 1);
  assert.deepEqual(poseToRow(env.pose), file.witness?.pose);
});

Deno.test("create() says which task there is not, and leaves no log of it", async () => {
  await withFolder(async (folder) => {
    const logDir = join(folder, "log");
    await assert.rejects(create("unicorn", { environment, logDir }), /Cannot find the task unicorn/);
    await assert.rejects(create("*", { environment, logDir }), /it names \d+ tasks/);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("Pose.parse() reads published poses and names what is wrong", () => {
  const row = {
    q: Array(46).fill(0.1),
    positions: [[0, 0, 1], [1, 2, 3]],
    quaternions: [[1, 0, 0, 0], [0, 1, 0, 0]],
  };
  const pose = Pose.parse(row);
  assert.deepEqual([pose.right.position, pose.left.position], [[0, 0, 1], [1, 2, 3]]);
  assert.equal(pose.left.angles.length, 23);
  assert.throws(() => Pose.parse({ ...row, q: [1] }), /Cannot read a pose: q: /);
});

Deno.test("the seed's names are there", () => {
  assert.ok(tasks().length > 0 && SYSTEM_PROMPT.length > 1000);
  assert.equal(TOOL_SPECS.length, 9);
});
