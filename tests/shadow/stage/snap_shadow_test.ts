import assert from "node:assert/strict";
import type { Vector3 } from "../../../env/vector3.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import { type Pose, SIDES, START_POSE } from "../../../shadow/pose.ts";
import { castShadow, snapPose } from "../../../shadow/stage/cast_shadow.ts";
import { type Mask, maskArea, maskAt, maskWhere } from "../../../shadow/stage/mask.ts";
import { rasterize } from "../../../shadow/stage/rasterize.ts";
import { snapShadow } from "../../../shadow/stage/snap_shadow.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../../../shadow/stage/stage.ts";
import { TriangleList } from "../../../shadow/stage/triangle_list.ts";
import { randomPoses } from "../random_poses.ts";
import { assertSameMask, differingPixels } from "../same_mask.ts";
import { centreInside, type Corner } from "./brute_force.ts";

const hands = await loadHands();

Deno.test("snapShadow() throws a box as large as its face nearest to the lamp", () => {
  // Magnified by 2.5 / (2.5 - 1.25) = 2.
  const mask = shadowOf(box([-0.05, -0.025, 0.5], [0.1, 0.075, 1.25]));
  assertDark(mask, (x, y) => x > -0.1 && x < 0.2 && y > -0.05 && y < 0.15);
});

Deno.test("snapShadow() cuts off what is behind the screen", () => {
  // |x| <= 0.1 (1 - z) and |y| <= 0.1 for z from -1 to 1. With s = 2.5 / (2.5 - z), (X, Y) is dark when some s from 1
  // to 5/3 has |X| <= 0.25 - 0.15 s and |Y| <= 0.1 s; without the cut, from 5/7.
  const wedge = mesh(
    [[-0.2, -0.1, -1], [0.2, -0.1, -1], [0.2, 0.1, -1], [-0.2, 0.1, -1], [0, -0.1, 1], [0, 0.1, 1]],
    [[0, 2, 1], [0, 3, 2], [0, 1, 4], [2, 3, 5], [1, 2, 5], [1, 5, 4], [3, 0, 4], [3, 4, 5]],
  );
  assertDark(shadowOf(wedge), (x, y) => {
    const least = Math.max(1, Math.abs(y) / 0.1);
    return least <= 5 / 3 && Math.abs(x) <= 0.25 - 0.15 * least;
  });
  assert.equal(maskArea(shadowOf(box([-0.1, -0.1, -2], [0.1, 0.1, -0.01]))), 0);
});

Deno.test("snapShadow() keeps a box that reaches past the lamp from turning inside out", () => {
  // (X, Y) is dark when some s >= 2.5 / 1.5 has 0.1 s <= X <= 0.2 s and |Y| <= 0.1 s.
  for (const top of [2.495, 2.5, 2.505, 3]) {
    const mask = shadowOf(box([0.1, -0.1, 1], [0.2, 0.1, top]));
    assertDark(mask, (x, y) => x > 1 / 6 && Math.abs(y) <= x);
  }
});

Deno.test("snapShadow() fills the screen for a box around the line from the lamp, however far its corners land", () => {
  assert.equal(maskArea(shadowOf(box([-0.5, -0.5, 2.3], [0.5, 0.5, 2.4]))), MASK_WIDTH * MASK_HEIGHT);
  assert.equal(maskArea(shadowOf(box([-3, -3, 2.3], [3, 3, 2.6]))), MASK_WIDTH * MASK_HEIGHT);
  assert.equal(maskArea(shadowOf(box([-0.3, -0.2, 0.5], [-0.3 + 1e-9, -0.2 + 1e-9, 0.6]))), 0);
});

Deno.test("castShadow() darkens the pixels that any triangle of the skin covers, facing the lamp or not", () => {
  for (const pose of [START_POSE, ...randomPoses(2, "brute force")]) {
    assertSameMask(castShadow(hands, pose), bruteForce(pose));
  }
});

Deno.test("castShadow() leaves out the triangles that face away without losing a pixel, also beyond the guard", () => {
  for (const pose of randomPoses(40, "facing")) {
    const list = new TriangleList(1);
    for (const side of SIDES) {
      // A speck behind the screen opens the mesh, so that nothing is left out.
      const speck = [[0, 0, -0.1], [0.001, 0, -0.1], [0, 0.001, -0.1]].flat();
      const skin = skinHand(hands[side], pose[side]);
      const count = skin.length / 3;
      const triangles = Uint32Array.from([...hands[side].triangles, count, count + 1, count + 2]);
      snapShadow(Float64Array.from([...skin, ...speck]), triangles, list);
    }
    assertSameMask(castShadow(hands, pose), rasterize(list.triangles()));
  }
});

Deno.test("snapPose() keeps half of the triangles of hands before the screen, none of hands beside it", () => {
  const all = 2 * hands.right.triangles.length / 3;
  const kept = snapPose(hands, START_POSE).length / 6;
  assert.ok(kept > 0.35 * all && kept < 0.55 * all, `${kept} of ${all}`);
  const away = (x: number) => ({ ...START_POSE.right, position: [x, 0, 1] as const });
  assert.equal(snapPose(hands, { right: away(3), left: away(-3) }).length, 0);
});

Deno.test("castShadow() mirrors with the pose, but for centres on an edge", () => {
  for (const { right } of randomPoses(5, "mirror").filter((_, i) => i % 4 !== 3)) {
    const [w, x, y, z] = right.orientation;
    const [px, py, pz] = right.position;
    const left = { ...right, position: [-px, py, pz] as const, orientation: [w, x, -y, -z] as const };
    const parked = { ...right, position: [3, 0, 1] as const };
    const mirrored = castShadow(hands, { right: parked, left });
    const mask = castShadow(hands, { right, left: parked });
    const back = maskWhere((x, y) => maskAt(mirrored, MASK_WIDTH - 1 - x, y));
    assert.ok(differingPixels(mask, back).length <= 3);
  }
});

/** All triangles of both skins, each against the pixels about it. */
function bruteForce(pose: Pose): Mask {
  const dark = new Set<number>();
  for (const side of SIDES) {
    const skin = skinHand(hands[side], pose[side]);
    const { triangles } = hands[side];
    const corners = Array.from({ length: skin.length / 3 }, (_, i): Corner => {
      const scale = 16 * 640 * 2.5 / (2.5 - skin[3 * i + 2]);
      return [Math.round(skin[3 * i] * scale), Math.round(-skin[3 * i + 1] * scale)];
    });
    for (let at = 0; at < triangles.length; at += 3) {
      const triangle = [0, 1, 2].map((k) => corners[triangles[at + k]]);
      const [xs, ys] = [triangle.map(([x]) => x / 16 + 256), triangle.map(([, y]) => y / 16 + 192)];
      for (
        let y = Math.max(0, Math.floor(Math.min(...ys)));
        y < Math.min(MASK_HEIGHT, Math.max(...ys));
        y++
      ) {
        for (
          let x = Math.max(0, Math.floor(Math.min(...xs)));
          x < Math.min(MASK_WIDTH, Math.max(...xs));
          x++
        ) {
          if (centreInside(triangle, x, y)) dark.add(y * MASK_WIDTH + x);
        }
      }
    }
  }
  return maskWhere((x, y) => dark.has(y * MASK_WIDTH + x));
}

function shadowOf({ positions, triangles }: { positions: Float64Array; triangles: Uint32Array }): Mask {
  const list = new TriangleList(1);
  snapShadow(positions, triangles, list);
  return rasterize(list.triangles());
}

function box([x0, y0, z0]: Vector3, [x1, y1, z1]: Vector3) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((
    i,
  ): Vector3 => [i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0]);
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return mesh(corners, faces.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]));
}

function mesh(corners: readonly Vector3[], triangles: readonly (readonly number[])[]) {
  return { positions: Float64Array.from(corners.flat()), triangles: Uint32Array.from(triangles.flat()) };
}

/**
 * Asserts which points of the screen, in metres, are dark. Corners are rounded to 1/16 pixel, so pixels whose centres lie
 * nearer than that to an edge may be either.
 */
function assertDark(mask: Mask, dark: (x: number, y: number) => boolean): void {
  let certain = 0;
  for (let row = 0; row < MASK_HEIGHT; row++) {
    for (let column = 0; column < MASK_WIDTH; column++) {
      const around = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]].map(([x, y]) =>
        dark((column + 0.5 + x / 16) / 640 - 0.4, 0.3 - (row + 0.5 + y / 16) / 640)
      );
      if (around.some((value) => value !== around[0])) continue;
      assert.equal(maskAt(mask, column, row), around[0], `${column}, ${row}`);
      certain++;
    }
  }
  assert.ok(certain > 0.99 * MASK_WIDTH * MASK_HEIGHT);
}
