import assert from "node:assert/strict";
import { type SplatTask, STANDARD_LIMITS } from "../../splat/task.ts";
import { taskContentHash } from "../../splat/task_hash.ts";
import { stubTask } from "../support/splat_stub.ts";

const task = stubTask();
const [first, ...rest] = task.heldOut;
const camera = { ...first.camera, cx: first.camera.cx + 1e-9 };
const pixel = first.photo.data.slice();
pixel[7] ^= 1;
const gaussian = {
  id: 1,
  mean: [0, 0, 0],
  scale: [1, 1, 1],
  quaternion: [1, 0, 0, 0],
  color: [0, 0, 0],
  opacity: 1,
  group: null,
} as const;

const CHANGES: Record<string, Partial<SplatTask>> = {
  "a held-out camera": { heldOut: [{ ...first, camera }, ...rest] },
  "a pixel of a held-out photo": {
    heldOut: [{ ...first, photo: { ...first.photo, data: pixel } }, ...rest],
  },
  "the order of reference views": { reference: task.reference.toReversed() },
  "a limit": { limits: { ...STANDARD_LIMITS, renders: 15 } },
  "the start": { start: [gaussian] },
  "a prompt of its own": { published: { prompts: { system: "Build.", user: "Go." }, tools: [] } },
};

for (const [what, change] of Object.entries(CHANGES)) {
  Deno.test(`taskContentHash() changes with ${what}`, () => {
    assert.notEqual(taskContentHash({ ...task, ...change }), taskContentHash(task));
  });
}

Deno.test("taskContentHash() is that of an equal task, wherever it was found and whatever it is called", () => {
  const info = { ...task.info, source: "elsewhere.json", title: "Other" };
  const same: SplatTask = { ...stubTask(), info, object: "other" };
  assert.equal(taskContentHash(same), taskContentHash(task));
});
