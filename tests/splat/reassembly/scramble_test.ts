import assert from "node:assert/strict";
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { rotate } from "../../../env/quaternion.ts";
import { moveOf, wayBack } from "../../../splat/reassembly/part_move.ts";
import { PARTS, scramble } from "../../../splat/reassembly/scramble.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Gaussian } from "../../../splat/scene.ts";
import { transform } from "../../../splat/tools/transform_group.ts";
import { stubPlay, stubTask } from "../../support/splat_stub.ts";

const SCENE = randomBlobScene(11);

/** Σ = R diag(s²) Rᵀ, row-major [3, 3]. */
function covariance({ scale, quaternion }: Gaussian): number[] {
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] satisfies Vector3[]).map((axis) =>
    rotate(quaternion, axis)
  );
  return [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => axes.reduce((sum, axis, k) => sum + scale[k] ** 2 * axis[i] * axis[j], 0))
  );
}

function near(a: readonly number[], b: readonly number[], tolerance: number): void {
  a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < tolerance, `${value} and ${b[i]}`));
}

Deno.test("scramble() labels all Gaussians with six parts and keeps the rest of each", () => {
  const { start, parts } = scramble(SCENE, 0, "blobs");
  assert.deepEqual(parts.map(({ group }) => group), [
    "part_1",
    "part_2",
    "part_3",
    "part_4",
    "part_5",
    "part_6",
  ]);
  assert.deepEqual(new Set(start.map(({ group }) => group)), new Set(parts.map(({ group }) => group)));
  start.forEach(({ id, scale, color, opacity }, i) => {
    const { mean: _, quaternion: __, group: ___, ...kept } = SCENE[i];
    assert.deepEqual({ id, scale, color, opacity }, kept);
  });
});

Deno.test("scramble() turns about the vertical by 45° to 180° either way and keeps means in the cube", () => {
  const senses = new Set<number>();
  for (let seed = 0; seed < 12; seed++) {
    const { start, parts } = scramble(randomBlobScene(seed), seed, "blobs");
    for (const { degrees } of parts) {
      assert.ok(Math.abs(degrees) >= 45 && Math.abs(degrees) <= 180, `${degrees}`);
      senses.add(Math.sign(degrees));
    }
    const reach = Math.max(...start.flatMap(({ mean }) => mean.map(Math.abs)));
    assert.ok(reach < 0.9 + 1e-4, `${reach}`);
  }
  assert.equal(senses.size, 2);
});

Deno.test("scramble() moves means and covariances as Σ' = R Σ Rᵀ, R from cosine and sine", () => {
  const { start, parts } = scramble(SCENE, 3, "blobs");
  start.forEach((gaussian, i) => {
    const part = parts.find(({ group }) => group === gaussian.group);
    assert.ok(part);
    const [c, s] = [Math.cos(part.degrees * Math.PI / 180), Math.sin(part.degrees * Math.PI / 180)];
    const r = [[c, -s, 0], [s, c, 0], [0, 0, 1]];
    const from = SCENE[i].mean.map((value, axis) => value - part.pivot[axis]);
    near(
      r.map((row, axis) =>
        row[0] * from[0] + row[1] * from[1] + row[2] * from[2] + part.pivot[axis] + part.translate[axis]
      ),
      gaussian.mean,
      1e-12,
    );
    const before = covariance(SCENE[i]);
    const turned = [0, 1, 2].flatMap((a) =>
      [0, 1, 2].map((b) => {
        let sum = 0;
        for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += r[a][k] * before[3 * k + l] * r[b][l];
        return sum;
      })
    );
    near(covariance(gaussian), turned, 1e-12);
  });
});

Deno.test("wayBack() undoes a move, and so does transform_group with its numbers", async () => {
  const { start, parts } = scramble(SCENE, 5, "blobs");
  const back = new Map(parts.map((part) => [part.group, moveOf(wayBack(part))]));
  start.forEach((gaussian, i) => {
    const move = back.get(gaussian.group ?? "");
    assert.ok(move);
    near(transform(gaussian, move).mean, SCENE[i].mean, 1e-12);
    near(covariance(transform(gaussian, move)), covariance(SCENE[i]), 1e-12);
  });

  const { episode } = stubPlay("standard", stubTask({ start, parts }));
  for (const { group, pivot, translate, degrees } of parts.map(wayBack)) {
    const rotate = { axis: "z", degrees };
    const { accepted } = await episode.call("transform_group", { group, rotate, pivot, translate });
    assert.ok(accepted);
  }
  await episode.call("submit", {});
  const { details } = await episode.result();
  const count = (group: string) => start.filter((gaussian) => gaussian.group === group).length;
  assert.deepEqual(
    details.part_errors,
    parts.map(({ group }) => ({ group, gaussians: count(group), distance: 0, angle_deg: 0, scale_error: 0 })),
  );
});

Deno.test("scramble() gives the same for the same seed and name, another for another", () => {
  assert.deepEqual(scramble(SCENE, 1, "a"), scramble(SCENE, 1, "a"));
  assert.notDeepEqual(scramble(SCENE, 1, "a").parts, scramble(SCENE, 2, "a").parts);
  assert.notDeepEqual(scramble(SCENE, 1, "a").parts, scramble(SCENE, 1, "b").parts);
});

Deno.test("scramble() shuffles labels: no place in the object keeps its label over seeds", () => {
  const highest = SCENE.reduce((best, gaussian) => gaussian.mean[2] > best.mean[2] ? gaussian : best).id;
  const labels = Array.from({ length: 20 }, (_, seed) => {
    return scramble(SCENE, seed, "blobs").start.find(({ id }) => id === highest)?.group;
  });
  assert.ok(new Set(labels).size >= 4, labels.join(" "));
});

Deno.test("scramble() refuses a scene of fewer Gaussians than parts", () => {
  assert.throws(
    () => scramble(SCENE.slice(0, PARTS - 1), 0, "few"),
    /Cannot take few apart: it has 5 Gaussians, 6 parts are wanted/,
  );
});
