import assert from "node:assert/strict";
import type { Quaternion } from "../../../env/quaternion.ts";
import { stream } from "../../../env/random.ts";
import { scaled, subtract, type Vector3 } from "../../../env/vector3.ts";
import { openGpu } from "../../../gpu/device.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { applyRow, projectPoint, type StageCamera } from "../../../shadow/pictures/camera.ts";
import { HandPainter, type PaintJob } from "../../../shadow/pictures/hand_painter.ts";
import { PaintPass } from "../../../shadow/pictures/paint_pass.ts";
import { POSED_VERTEX, SAMPLES } from "../../../shadow/pictures/paint_structs.ts";
import { type View, viewCamera } from "../../../shadow/pictures/views.ts";
import { type HandPose, type Pose, SIDES, START_POSE } from "../../../shadow/pose.ts";
import { castShadow } from "../../../shadow/stage/cast_shadow.ts";
import { type Mask, maskAt } from "../../../shadow/stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH, PIXELS_PER_METRE } from "../../../shadow/stage/stage.ts";
import { randomPoses } from "../random_poses.ts";
import { firstHand, firstHit } from "./rays.ts";
import { seenBy, skins, stagePoses } from "./stage_poses.ts";

const hands = await loadHands();
const gpu = await openGpu();
const pass = await PaintPass.create(gpu, hands);
const painter = await HandPainter.open(gpu, hands);

const [WIDTH, HEIGHT] = [512, 384];
const cameraOf = (view: View, pose: Pose, width = WIDTH, height = HEIGHT) =>
  viewCamera(view, skins(hands, pose), width, height);

Deno.test("the painter's skinning is the host's but for float32", async () => {
  const shots = [START_POSE, ...stagePoses(6, "skinning")].map((pose) => ({
    pose,
    camera: cameraOf("back", pose),
  }));
  const painting = pass.paint(shots);
  const [bytes] = await gpu.submit("test", painting.commands, [painting.posed]);
  painting.destroy();
  const posed = new Float32Array(bytes);
  const stride = POSED_VERTEX.byteLength / 4;
  let largest = 0;
  shots.forEach(({ pose }, shot) => {
    const expected = skins(hands, pose).flatMap((positions) => [...positions]);
    const first = shot * expected.length / 3 * stride;
    expected.forEach((value, i) => {
      largest = Math.max(largest, Math.abs(value - posed[first + Math.floor(i / 3) * stride + i % 3]));
    });
  });
  // Coordinates below 2 m come in steps of 1.2e-7; a vertex is the sum of some ten products.
  assert.ok(largest > 0 && largest < 1e-6, `${largest}`);
});

Deno.test("the painter shows at each place the hand that a ray from the camera meets first", async () => {
  const poses = stagePoses(3, "rays").map(nearEachOther);
  const views: View[] = ["front", "back", { azimuth: 140, elevation: -35 }];
  for (const [i, pose] of poses.entries()) {
    const camera = cameraOf(views[i], pose);
    const { covered, left } = await seenBy(gpu, pass, pose, camera);
    const draws = stream(i, "rays");
    let compared = 0;
    for (let trial = 0; trial < 300; trial++) {
      const [x, y] = [draws.integer(1, WIDTH - 1), draws.integer(1, HEIGHT - 1)];
      const expected = firstHands(camera, pose, x, y);
      // Rays beside an outline may fall to either side of it.
      if (new Set(expected).size > 1) continue;
      const at = y * WIDTH + x;
      const seen = covered[at] === 0 ? "none" : covered[at] < 4 ? "edge" : left[at] ? "left" : "right";
      assert.equal(seen, expected[0], `view ${i} at ${x}, ${y}`);
      compared += Number(seen !== "none");
    }
    assert.ok(compared >= 20, `${compared} rays of view ${i} met a hand`);
  }
});

Deno.test("the painter's depths are those of rays", async () => {
  const [pose] = stagePoses(1, "depths").map(nearEachOther);
  for (const view of ["front", "angle"] as const) {
    const camera = cameraOf(view, pose);
    const painting = pass.paint([{ pose, camera }]);
    const [bytes] = await gpu.submit("test", painting.commands, [painting.nearest]);
    painting.destroy();
    const nearest = new Float32Array(bytes);
    const samples = camera.width * SAMPLES;
    const draws = stream(0, "depths", view);
    const errors: number[] = [];
    while (errors.length < 60) {
      const [column, row] = [draws.integer(0, samples), draws.integer(0, camera.height * SAMPLES)];
      const { hand, point } = firstHit(hands, camera, pose, (column + 0.5) / SAMPLES, (row + 0.5) / SAMPLES);
      if (hand === "none") continue;
      const expected = applyRow(camera.nearness, point) / applyRow(camera.w, point);
      errors.push(Math.abs(nearest[row * samples + column] - expected) / metre(camera, point));
    }
    errors.sort((a, b) => a - b);
    // Corners are moved to eighths of a sample: on slopes that is some tenths of a millimetre, on outlines anything.
    assert.ok(errors[30] < 1e-4 && errors[54] < 1e-3, `${view}: ${errors[30]}, ${errors[54]}`);
  }
});

Deno.test("the painter draws the nearer hand over the other, and the other way round from behind", async () => {
  const place = (z: number, hand: HandPose): HandPose => ({ ...hand, position: [0, -0.05, z] });
  for (const nearer of SIDES) {
    const pose: Pose = {
      right: place(nearer === "right" ? 1.2 : 0.8, START_POSE.right),
      left: place(nearer === "left" ? 1.2 : 0.8, START_POSE.left),
    };
    for (
      const [view, shown] of [["front", nearer], ["back", nearer === "right" ? "left" : "right"]] as const
    ) {
      const camera = cameraOf(view, pose);
      const { covered, left } = await seenBy(gpu, pass, pose, camera);
      const middle = projectPoint(camera, [0, -0.02, shown === nearer ? 1.2 : 0.8]);
      assert.ok(middle !== null);
      const at = Math.floor(middle[1]) * WIDTH + Math.floor(middle[0]);
      assert.deepEqual([covered[at], left[at] ? "left" : "right"], [4, shown], `${nearer} nearer, ${view}`);
    }
  }
});

Deno.test("the front shows hands exactly where their shadow is", async () => {
  for (const pose of [START_POSE, ...stagePoses(2, "front").map(nearEachOther)]) {
    const mask = castShadow(hands, pose);
    const camera = cameraOf("front", pose);
    const { covered } = await seenBy(gpu, pass, pose, camera);
    // A pixel of the picture spans more than one of the mask.
    const reach = Math.ceil(PIXELS_PER_METRE / camera.scale) + 1;
    let [compared, differ] = [0, 0];
    for (let y = reach; y < MASK_HEIGHT - reach; y += 2) {
      for (let x = reach; x < MASK_WIDTH - reach; x += 2) {
        if (isNearOutline(mask, x, y, reach)) continue;
        const pixel = projectPoint(camera, [
          (x + 0.5 - MASK_WIDTH / 2) / PIXELS_PER_METRE,
          (MASK_HEIGHT / 2 - y - 0.5) / PIXELS_PER_METRE,
          0,
        ]);
        assert.ok(pixel !== null);
        const at = Math.floor(pixel[1]) * WIDTH + Math.floor(pixel[0]);
        if (covered[at] !== (maskAt(mask, x, y) ? 4 : 0)) differ++;
        compared++;
      }
    }
    assert.ok(compared > 25_000);
    // A gap between fingers may be too narrow for the mask's pixels.
    assert.ok(differ <= 3, `${differ} of ${compared} differ`);
  }
});

Deno.test("the mirrored pose gives the mirrored picture, hands exchanged", async () => {
  const [pose] = stagePoses(1, "mirror").map(nearEachOther);
  const mirror = ({ angles, position: [x, y, z], orientation: [w, a, b, c] }: HandPose): HandPose => {
    const orientation: Quaternion = [w, a, -b, -c];
    return { angles, position: [-x, y, z], orientation };
  };
  const mirrored: Pose = { right: mirror(pose.left), left: mirror(pose.right) };
  const camera = cameraOf("back", pose);
  const [here, there] = [
    await seenBy(gpu, pass, pose, camera),
    // The camera that sees the mirrored world: x turns round, and so do columns.
    await seenBy(gpu, pass, mirrored, mirroredCamera(camera)),
  ];
  let [differ, drawn] = [0, 0];
  for (let at = 0; at < here.covered.length; at++) {
    const other = at - at % WIDTH + WIDTH - 1 - at % WIDTH;
    if (here.covered[at] > 0) drawn++;
    if (here.covered[at] !== there.covered[other]) differ++;
    else if (here.covered[at] === 4 && here.left[at] === there.left[other]) differ++;
  }
  assert.ok(drawn > 2000);
  // Samples on a side belong to the right of it, in both.
  assert.ok(differ < 0.005 * drawn, `${differ} of ${drawn} differ`);
});

Deno.test("paintMany() gives the bytes of each picture alone, every time", async () => {
  const [pose] = stagePoses(1, "bytes").map(nearEachOther);
  const jobs: PaintJob[] = [
    { pose: START_POSE, view: "front", width: 512, height: 384 },
    { pose, view: "angle", width: 301, height: 187 },
    { pose, view: "top", width: 512, height: 384 },
    { pose: START_POSE, view: { azimuth: -20, elevation: 5 }, width: 96, height: 96 },
  ];
  const together = await painter.paintMany(jobs);
  assert.deepEqual(await painter.paintMany(jobs), together);
  const other = await HandPainter.open(gpu, hands);
  for (const [i, { pose, view, width, height }] of jobs.entries()) {
    assert.deepEqual(await other.paint(pose, view, width, height), together[i]);
  }
  other.destroy();
  assert.notDeepEqual(together[0].data, together[2].data);
});

Deno.test("paint() draws right and left hand in tones that no shading brings together", async () => {
  const { covered, left } = await seenBy(gpu, pass, START_POSE, cameraOf("back", START_POSE));
  const { data } = await painter.paint(START_POSE, "back", WIDTH, HEIGHT);
  const sums = { right: [0, 0, 0, 0], left: [0, 0, 0, 0] };
  for (let at = 0; at < covered.length; at++) {
    if (covered[at] < 4) continue;
    const sum = sums[left[at] ? "left" : "right"];
    for (let c = 0; c < 3; c++) sum[c] += data[3 * at + c];
    sum[3]++;
  }
  const mean = ([r, g, b, count]: number[]) => [r / count, g / count, b / count];
  const [right, other] = [mean(sums.right), mean(sums.left)];
  assert.ok(right.every((value, c) => value > other[c] + 40), JSON.stringify({ right, other }));
});

Deno.test("paint() marks each hand with its letter's badge at its own forearm, and none that is hidden", async () => {
  const badge = { right: [176, 92, 30], left: [74, 34, 26] };
  const count = ({ data }: { data: Uint8Array }, [r, g, b]: number[]) => {
    let sum = 0;
    let column = 0;
    for (let at = 0; at < data.length; at += 3) {
      if (data[at] !== r || data[at + 1] !== g || data[at + 2] !== b) continue;
      sum++;
      column += at / 3 % WIDTH;
    }
    return { sum, column: column / sum };
  };
  const front = await painter.paint(START_POSE, "front", WIDTH, HEIGHT);
  const [right, left] = [count(front, badge.right), count(front, badge.left)];
  assert.ok(right.sum > 200 && left.sum > 200);
  assert.ok(right.column > WIDTH / 2 && left.column < WIDTH / 2);
  // From the right, the right hand hides the left at the start.
  const side = await painter.paint(START_POSE, "side", WIDTH, HEIGHT);
  assert.ok(count(side, badge.right).sum > 200);
  assert.equal(count(side, badge.left).sum, 0);
});

Deno.test("paint() draws what it can of hands beyond lamp and screen", async () => {
  for (const pose of randomPoses(20, "beyond").filter((_, i) => i % 4 === 3)) {
    for (const view of ["front", "angle"] as const) {
      assert.equal((await painter.paint(pose, view, 128, 96)).data.length, 128 * 96 * 3);
    }
  }
});

function isNearOutline(mask: Mask, x: number, y: number, reach: number): boolean {
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      if (maskAt(mask, x + dx, y + dy) !== maskAt(mask, x, y)) return true;
    }
  }
  return false;
}

/** Both hands about the middle of the stage, so that they overlap. */
function nearEachOther({ right, left }: Pose): Pose {
  return {
    right: { ...right, position: [0.05, 0.02, 1.05] },
    left: { ...left, position: [-0.04, -0.03, 0.9] },
  };
}

function mirroredCamera(camera: StageCamera): StageCamera {
  const [a, b, c, d] = camera.column;
  // column'(p) = width − column(mirror of p)
  return { ...camera, column: [a, -b, -c, camera.width - d] };
}

/** What the rays through a pixel and its corners' neighbours meet first. */
function firstHands(camera: StageCamera, pose: Pose, x: number, y: number): string[] {
  return [[0, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]].map(([dx, dy]) =>
    firstHand(hands, camera, pose, x + 0.5 + dx, y + 0.5 + dy)
  );
}

/** How much nearness falls in a metre. */
function metre(camera: StageCamera, point: Vector3): number {
  const further = subtract(point, scaled(camera.toward, 1e-4));
  const nearness = (p: Vector3) => applyRow(camera.nearness, p) / applyRow(camera.w, p);
  return Math.abs(nearness(point) - nearness(further)) / 1e-4;
}
