import assert from "node:assert/strict";
import { encodePngStable } from "../../env/png.ts";
import { imageKey } from "../../env/hash.ts";
import { blankImage } from "../../env/image.ts";
import { SHADOW_TASKS } from "../../tasks/embedded_shadow_tasks.ts";
import type { PoseRow } from "../../tasks/shadow_rows.ts";
import { parseShadowTaskFile, type ShadowTaskFile } from "../../tasks/shadow_task_file.ts";
import { taskFromFile } from "../../shadow/load_task.ts";
import { poseToRow, START_POSE } from "../../shadow/pose.ts";
import { maskAt } from "../../shadow/stage/mask.ts";
import { maskToBase64 } from "../../shadow/stage/mask_image.ts";
import { FRAME } from "../support/shadow_stub.ts";

const page = encodePngStable(blankImage(1024, 768, [1, 2, 3])).toBase64();

const LOOK = { name: "look", description: "Look.", parameters: {} };

function file(changes: Partial<ShadowTaskFile> = {}): ShadowTaskFile {
  return {
    schema_version: 1,
    bench: "shadow",
    task_id: "frame",
    title: "Frame",
    hint: "Mind the hole.",
    licence: "MIT",
    effort_subset: false,
    target: maskToBase64(FRAME),
    target_svg: "<svg/>",
    ...changes,
  };
}

/** The start as a witness, changed, and a path whose second call is of a tool. */
function witnessed(change: (pose: PoseRow) => void, tool = "move_hand"): Partial<ShadowTaskFile> {
  const pose = poseToRow(START_POSE);
  change(pose);
  return { witness: { pose, path: ["move_hand", tool].map((tool) => ({ tool, arguments: {} })) } };
}

Deno.test("taskFromFile() decodes the target and fills in the standard budgets", () => {
  const task = taskFromFile(file({ book_page: page }), "/tasks/frame.json");
  assert.deepEqual(task.target, FRAME);
  assert.deepEqual([maskAt(task.target, 200, 150), maskAt(task.target, 240, 180)], [true, false]);
  assert.deepEqual(task.limits, { calls: 100, looks: 32, peeks: 3 });
  assert.deepEqual([task.bookPage?.width, task.bookPage?.height, task.witness], [1024, 768, null]);
  const { id, source, effortSubset, protocols } = task.info;
  assert.deepEqual([id, source, effortSubset, protocols], ["frame", "/tasks/frame.json", false, [
    "standard",
  ]]);
});

Deno.test("taskFromFile() hashes all that answers and scores depend on, and no names", async () => {
  const hashOf = (changes: Partial<ShadowTaskFile>) => taskFromFile(file(changes), "x").info.contentHash;
  const { witness, hand } = await SHADOW_TASKS.embedded[0].load();
  const plain = hashOf({});
  assert.equal(hashOf({ task_id: "other", licence: "CC0", target_svg: "<svg></svg>" }), plain);
  const changes: Partial<ShadowTaskFile>[] = [
    { hint: "Mind it." },
    // The drawn page shows it.
    { title: "Window" },
    { witness, hand },
    { book_page: page },
    { limits: { calls: 10, looks: 1, peeks: 0 } },
    { published: { prompts: { system: "s", user: "u" }, tools: [] } },
  ];
  const hashes = changes.map(hashOf);
  assert.equal(new Set([plain, ...hashes]).size, changes.length + 1);
  assert.equal(hashOf({ book_page: page, title: "Window" }), hashOf({ book_page: page }));
});

Deno.test("taskFromFile() brings prompts and tools of a published task", async () => {
  const { ShadowEpisode } = await import("../../shadow/episode.ts");
  const { stubPlay } = await import("../support/shadow_stub.ts");
  const tools = [{ name: "look", description: "Look.", parameters: {} }];
  const published = { prompts: { system: "S", user: "U" }, tools };
  const episode = await stubPlay(taskFromFile(file({ published, book_page: page }), "x"));
  assert.ok(episode instanceof ShadowEpisode);
  assert.deepEqual([episode.prompts, episode.tools], [published.prompts, tools]);
  assert.equal((await episode.observe()).text, "U");
});

for (
  const [changes, why] of [
    [{ target: "%" }, /Cannot use the task x: target: /],
    [{ target: encodePngStable(blankImage(512, 383)).toBase64() }, /target: .*512 × 383.*512 × 384/],
    [{ target: encodePngStable(blankImage(512, 384)).toBase64() }, /target: it holds nothing dark/],
    [{ book_page: "bm8=" }, /book_page: /],
    [
      { book_page: encodePngStable(blankImage(768, 1024)).toBase64() },
      /book_page: it is 768 × 1024, and a page is 1024 × 768/,
    ],
    [witnessed((pose) => pose.q[0] = 1e300), /witness\.pose: right wrist\.flex would be .*range/],
    [
      witnessed((pose) => pose.quaternions[1] = [0, 0, 0, 0]),
      /witness\.pose: left orientation .*no unit quaternion/,
    ],
    [
      witnessed((pose) => pose.positions[0] = [0, 0, 3]),
      /witness\.pose: right wrist would be at z = 3 m/,
    ],
    [
      witnessed(() => {}, "rm"),
      /witness\.path\[1\]\.tool: "rm" moves no hand; set_fingers, move_hand, turn_hand do/,
    ],
    [witnessed(() => {}, "submit"), /witness\.path\[1\]\.tool: "submit"/],
  ] as const
) {
  Deno.test(`taskFromFile() names the field: ${why.source}`, () => {
    assert.throws(() => taskFromFile(file(changes), "x"), why);
  });
}

for (
  const [changes, why] of [
    [{ bench: "splat" }, /Cannot read the task f\.json: bench: /],
    [{ hint: "" }, /: hint: /],
    [{ limits: { calls: 0, looks: 1, peeks: 1 } }, /: limits\.calls: /],
    [{ witness: { pose: {}, path: [] } }, /: witness\.pose\.q: /],
    [{ task_id: "a/b" }, /: task_id: letters, digits/],
    [{ task_id: "." }, /: task_id: a folder is called so/],
    [{ task_id: ".." }, /: task_id: a folder is called so/],
    [{ task_id: "x".repeat(101) }, /: task_id: at most 100 characters/],
    [{ schema_version: 2 }, /: schema_version: /],
    [
      { published: { prompts: { system: "s", user: "u" }, tools: [] } },
      /: published\.tools: an episode needs/,
    ],
    [
      { published: { prompts: { system: "s", user: "u" }, tools: [LOOK, LOOK] } },
      /: published\.tools: two tools have one name/,
    ],
  ] as const
) {
  Deno.test(`parseShadowTaskFile() names the field: ${why.source}`, () => {
    assert.throws(() => parseShadowTaskFile({ ...file(), ...changes }, "f.json"), why);
  });
}

Deno.test("a witness goes from file to task and back without loss", async () => {
  for (const { load } of SHADOW_TASKS.embedded) {
    const stored = await load();
    const { witness } = taskFromFile(stored, "embedded");
    assert.ok(witness !== null);
    assert.deepEqual(poseToRow(witness.pose), stored.witness?.pose);
  }
});

Deno.test("book and prompt show a witness in its own hand alone", async () => {
  const { witness, hand } = await SHADOW_TASKS.embedded[0].load();
  assert.ok(witness !== undefined && hand !== undefined);
  const { stubPlay } = await import("../support/shadow_stub.ts");
  const pageOf = async (changes: Partial<ShadowTaskFile>) => {
    const episode = await stubPlay(taskFromFile(file(changes), "x"));
    const { image } = await episode.call("peek_book", {});
    assert.ok(image !== null);
    return { page: imageKey(image), told: episode.prompts.user };
  };
  const [own, other, none] = [
    await pageOf({ witness, hand }),
    await pageOf({ witness, hand: { ...hand, hash: "0" } }),
    await pageOf({}),
  ];
  assert.deepEqual(other, none);
  assert.notEqual(own.page, none.page);
  assert.match(own.told, /how its author holds the hands/);
  assert.match(none.told, /no hands/);
});
