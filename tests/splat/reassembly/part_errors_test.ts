import assert from "node:assert/strict";
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { fromAxisAngle, rotate } from "../../../env/quaternion.ts";
import { partErrors } from "../../../splat/reassembly/part_errors.ts";
import { turnBetween } from "../../../splat/rotation_between.ts";
import { scramble } from "../../../splat/reassembly/scramble.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Gaussian } from "../../../splat/scene.ts";
import { transform } from "../../../splat/tools/transform_group.ts";

const TRUE = randomBlobScene(4);
const TASK = scramble(TRUE, 0, "blobs");

Deno.test("partErrors() gives the distances and degrees of the scramble for the start itself", () => {
  const errors = partErrors(TASK, TASK.start);
  TASK.parts.forEach(({ degrees, translate, pivot, group }, i) => {
    // The pivot is the mean of the part up to rounding, so the centre moved by the translation.
    assert.ok(Math.abs((errors[i].distance ?? NaN) - Math.hypot(...translate)) < 3e-4, `${pivot}`);
    assert.ok(Math.abs((errors[i].angle_deg ?? NaN) - Math.abs(degrees)) < 1e-3);
    assert.deepEqual([errors[i].group, errors[i].scale_error], [group, 0]);
  });
});

Deno.test("partErrors() measures a known similarity of one part, and zero for the others", () => {
  const [{ group }] = TASK.parts;
  const members = TASK.start.flatMap((gaussian, i) => gaussian.group === group ? [TRUE[i]] : []);
  const mean = (axis: 0 | 1 | 2) => members.reduce((sum, { mean }) => sum + mean[axis], 0) / members.length;
  const change = {
    scale: 1.25,
    rotation: fromAxisAngle([1, -2, 0.5], 70),
    pivot: [mean(0), mean(1), mean(2)] as const,
    translate: [0.3, 0, -0.4] as const,
  };
  const end = TRUE.map((gaussian, i) => {
    return TASK.start[i].group === group ? transform(gaussian, change) : gaussian;
  });
  const [first, ...others] = partErrors(TASK, end);
  assert.deepEqual(first, {
    group,
    gaussians: members.length,
    distance: 0.5,
    angle_deg: 70,
    scale_error: 0.25,
  });
  for (const { distance, angle_deg, scale_error } of others) {
    assert.deepEqual([distance, angle_deg, scale_error], [0, 0, 0]);
  }
});

Deno.test("partErrors() goes by id: labels may change, deleted Gaussians do not count, none left is null", () => {
  const [first, second, third] = TASK.parts.map(({ group }) => group);
  const keep = (_: Gaussian, i: number) => {
    if (TASK.start[i].group === first) return false;
    if (TASK.start[i].group !== second) return true;
    return TASK.start.slice(0, i).filter(({ group }) => group === second).length < 2;
  };
  const end = TRUE.filter(keep).map((gaussian) => ({ ...gaussian, group: "mine" }));
  const errors = partErrors(TASK, end);
  const empty = { gaussians: 0, distance: null, angle_deg: null, scale_error: null };
  assert.deepEqual(errors[0], { group: first, ...empty });
  assert.deepEqual(errors[1], {
    group: second,
    gaussians: 2,
    distance: 0,
    angle_deg: null,
    scale_error: null,
  });
  assert.deepEqual([errors[2].group, errors[2].distance, errors[2].angle_deg], [third, 0, 0]);
});

Deno.test("turnBetween() finds the angle of any rotation, half turns and mirrored order included", () => {
  const points: Vector3[] = [[1, 0.2, 0], [-0.5, 1, 0.3], [-0.4, -1, 0.6], [-0.1, -0.2, -0.9]];
  for (const angle of [0, 1e-4, 12.5, 90, 179.9, 180]) {
    for (const axis of [[0, 0, 1], [1, 0, 0], [-1, 2, 3]] satisfies Vector3[]) {
      const turned = points.map((point) => rotate(fromAxisAngle(axis, angle), point));
      assert.ok(Math.abs(turnBetween(points, turned) - angle) < 1e-6, `${angle} about ${axis}`);
    }
  }
});
