import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { LEAST_W, projectPoint, type StageCamera } from "../../../shadow/pictures/camera.ts";
import { INSET } from "../../../shadow/pictures/framing.ts";
import { type View, viewCamera, VIEWS, viewWords } from "../../../shadow/pictures/views.ts";
import { type Pose, START_POSE } from "../../../shadow/pose.ts";
import { PIXELS_PER_METRE } from "../../../shadow/stage/stage.ts";
import { skins, stagePoses } from "./stage_poses.ts";

const hands = await loadHands();
const ANGLES = [-1, 0, 1, 2].flatMap((i) =>
  [-90, -37, 0, 12.5, 90].map((elevation) => ({ azimuth: 71 * i, elevation }))
);
const ALL_VIEWS: readonly View[] = ["front", "back", "side", "top", "angle", ...ANGLES];

Deno.test("viewCamera() shows every posed vertex, clear of the title, from every view", () => {
  const bent = START_POSE.right.angles.with(0, Math.PI / 3);
  const poses: Pose[] = [
    START_POSE,
    { right: { ...START_POSE.right, angles: bent }, left: { ...START_POSE.left, position: [1, 0.8, 0.3] } },
    ...stagePoses(12, "framing"),
  ];
  for (const pose of poses) {
    const positions = skins(hands, pose);
    for (const view of ALL_VIEWS) {
      for (const [width, height] of [[512, 384], [301, 187]]) {
        const camera = viewCamera(view, positions, width, height);
        const { left, right, top, bottom } = pictured(camera, positions);
        const where = JSON.stringify({ view, width, left, right, top, bottom });
        assert.ok(left >= INSET.side - 1e-6 && right <= width - INSET.side + 1e-6, where);
        assert.ok(top >= INSET.top - 1e-6 && bottom <= height - INSET.bottom + 1e-6, where);
      }
    }
  }
});

Deno.test("viewCamera() puts the world's axes where a person who stands there sees them", () => {
  const middle: Vector3 = [0, 0, 1];
  const steps: Record<string, Vector3> = { x: [0.1, 0, 1], y: [0, 0.1, 1], z: [0, 0, 1.1] };
  const seen = (view: View) => {
    const camera = viewCamera(view, skins(hands, START_POSE), 512, 384);
    const [x, y] = pixelOf(camera, middle);
    return Object.entries(steps).map(([axis, place]) => {
      const [dx, dy] = pixelOf(camera, place).map((value, k) => Math.round(value - [x, y][k]));
      return `${axis} ${dx > 0 ? "right" : dx < 0 ? "left" : dy < 0 ? "up" : dy > 0 ? "down" : "none"}`;
    }).join(", ");
  };
  assert.equal(seen("front"), "x right, y up, z none");
  assert.equal(seen("back"), "x left, y up, z none");
  assert.equal(seen("side"), "x none, y up, z left");
  assert.equal(seen("top"), "x right, y none, z down");
  assert.equal(seen({ azimuth: -90, elevation: 0 }), "x none, y up, z right");
  assert.equal(seen({ azimuth: 0, elevation: -90 }), "x right, y none, z up");
});

Deno.test("viewCamera() of the front sees each point where its shadow falls", () => {
  const camera = viewCamera("front", skins(hands, START_POSE), 512, 384);
  // From a lamp 2.5 m away, what is 1 m above the screen casts a shadow 5/3 as far from the middle.
  for (const [x, y] of [[0.1, 0.05], [-0.2, 0.1], [0.21, -0.17]]) {
    const [ax, ay] = pixelOf(camera, [x, y, 1]);
    const [bx, by] = pixelOf(camera, [x * 5 / 3, y * 5 / 3, 0]);
    assert.ok(Math.hypot(ax - bx, ay - by) < 1e-9);
  }
  const [right] = pixelOf(camera, [0.4, 0, 0]);
  const [left] = pixelOf(camera, [-0.4, 0, 0]);
  assert.ok(Math.abs(right - left - 0.8 * camera.scale) < 1e-9);
  assert.ok(camera.scale < PIXELS_PER_METRE);
});

Deno.test("viewCamera() of parallel views shows a length the same everywhere", () => {
  const camera = viewCamera({ azimuth: 35, elevation: 25 }, skins(hands, START_POSE), 512, 384);
  const span = (at: Vector3) => {
    const [ax, ay] = pixelOf(camera, at);
    const [bx, by] = pixelOf(camera, [at[0], at[1] + 0.1, at[2]]);
    return Math.hypot(ax - bx, ay - by);
  };
  assert.ok(Math.abs(span([0, 0, 0.2]) - span([0.7, -0.4, 2])) < 1e-9);
  assert.ok(Math.abs(span([0, 0, 1]) - 0.1 * camera.scale * Math.cos(25 * Math.PI / 180)) < 1e-9);
});

Deno.test("viewCamera() keeps still while hands move little", () => {
  const moved = (dx: number): Pose => ({
    ...START_POSE,
    right: { ...START_POSE.right, position: [0.13 + dx, -0.05, 1] },
  });
  for (const view of ["front", "back", "side", "top", "angle"] as const) {
    const cameras = [0, 0.004, 0.008, 0.012].map((dx) =>
      JSON.stringify(viewCamera(view, skins(hands, moved(dx)), 512, 384))
    );
    assert.ok(new Set(cameras).size <= 2, view);
  }
});

Deno.test("viewCamera() refuses angles and sizes that cannot be drawn", () => {
  const positions = skins(hands, START_POSE);
  const bad: [View, number, number, RegExp][] = [
    [{ azimuth: 361, elevation: 0 }, 512, 384, /azimuth 361°.*−360 to 360/],
    [{ azimuth: 0, elevation: 90.5 }, 512, 384, /elevation 90.5°.*−90 to 90/],
    [{ azimuth: NaN, elevation: 0 }, 512, 384, /azimuth NaN/],
    ["front", 4000, 384, /4000 × 384.*96 to 1024/],
    ["top", 512, 50, /512 × 50/],
    ["side", 512.5, 384, /512.5 × 384/],
  ];
  for (const [view, width, height, message] of bad) {
    assert.throws(
      () => viewCamera(view, positions, width, height),
      (error) => error instanceof BenchError && message.test(error.message),
    );
  }
  const broken = [positions[0].with(7, NaN)];
  assert.throws(() => viewCamera("back", broken, 512, 384), /no finite place/);
});

Deno.test("viewWords() names a view as its caption does", () => {
  assert.equal(viewWords("side"), "side");
  assert.equal(viewWords({ azimuth: -30.25, elevation: 12 }), "azimuth −30.3° elevation 12°");
  assert.deepEqual(Object.keys(VIEWS), ["front", "back", "side", "top", "angle"]);
});

function pixelOf(camera: StageCamera, point: Vector3): readonly [number, number] {
  const pixel = projectPoint(camera, point);
  assert.ok(pixel !== null);
  return pixel;
}

/** The smallest rectangle around all points, by the camera's rows alone. */
function pictured({ column, row, w }: StageCamera, positions: readonly Float64Array[]) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const points of positions) {
    for (let i = 0; i < points.length; i += 3) {
      const p = [points[i], points[i + 1], points[i + 2], 1];
      const apply = (r: readonly number[]) => r.reduce((sum, value, k) => sum + value * p[k], 0);
      assert.ok(apply(w) > LEAST_W);
      const [x, y] = [apply(column) / apply(w), apply(row) / apply(w)];
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box;
}
