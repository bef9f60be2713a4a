import assert from "node:assert/strict";
import { openGpu } from "../../../gpu/device.ts";
import { type Camera, orbitCamera } from "../../../splat/camera.ts";
import { RENDER_PROFILES, type RenderProfile } from "../../../splat/render/profile.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Scene } from "../../../splat/scene.ts";
import { deviceRender, largestDifference, pixelAt } from "./device_render.ts";
import { gaussian } from "./random_scenes.ts";

const { torch } = RENDER_PROFILES;

/** Looks from 4 units along −X at the origin; the origin is in the middle of pixel (26, 18). Focal length 60. */
const WIDTH = 53;
const HEIGHT = 37;
const DISTANCE = 4;
const FOCAL = 60;
const CAMERA: Camera = {
  rotation: [[0, 1, 0], [0, 0, -1], [-1, 0, 0]],
  translation: [0, 0, DISTANCE],
  fx: FOCAL,
  fy: FOCAL,
  cx: 26.5,
  cy: 18.5,
  width: WIDTH,
  height: HEIGHT,
};
const WHITE = 1;

async function drawAll(scenes: readonly Scene[], profile: RenderProfile = torch, camera = CAMERA) {
  const gpu = await openGpu("software");
  try {
    return await deviceRender(gpu, profile, scenes.map((scene) => ({ scene, camera })));
  } finally {
    gpu.close();
  }
}

async function draw(scene: Scene, profile: RenderProfile = torch, camera = CAMERA) {
  const [picture] = await drawAll([scene], profile, camera);
  return picture;
}

const center = (picture: Float32Array) => pixelAt(picture, WIDTH, 26, 18);
const close = (got: number, wanted: number, tolerance: number, message?: string) =>
  assert.ok(Math.abs(got - wanted) <= tolerance, `${message ?? "value"} ${got}, wanted ${wanted}`);

/** Sum of 1 − transmittance: how much light a scene takes away. */
function deposited(picture: Float32Array): number {
  let sum = 0;
  for (let i = 3; i < picture.length; i += 4) sum += 1 - picture[i];
  return sum;
}

Deno.test("RenderPass draws a ball on the axis as its closed form says", async () => {
  const [opacity, color, scale] = [0.7, 0.2, 0.25];
  const picture = await draw([
    gaussian({ opacity, color: [color, color, color], scale: [scale, scale, scale] }),
  ]);
  const variance = (FOCAL * scale / DISTANCE) ** 2 + 0.3;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const alpha = opacity * Math.exp(-((x - 26) ** 2 + (y - 18) ** 2) / (2 * variance));
      const [red, , , light] = pixelAt(picture, WIDTH, x, y);
      close(light, 1 - alpha, 3e-5, `transmittance at ${x}, ${y}`);
      close(red, alpha * color + (1 - alpha) * WHITE, 3e-5, `red at ${x}, ${y}`);
    }
  }
});

Deno.test("RenderPass draws +X, +Y and +Z where a camera sees them", async () => {
  const gpu = await openGpu("software");
  const ball = (mean: Vector3, color: Vector3) =>
    gaussian({ mean, color, scale: [0.05, 0.05, 0.05], opacity: 1 });
  const scene = [ball([0.6, 0, 0], [1, 0, 0]), ball([0, 0.6, 0], [0, 1, 0]), ball([0, 0, 0.6], [0, 0, 1])];
  const camera = (azimuthDeg: number, elevationDeg: number) =>
    orbitCamera({ azimuthDeg, elevationDeg, distance: 3, fovDeg: 40 }, 61, 45);
  const views = [camera(0, 0), camera(90, 0), camera(-90, 0), camera(0, 90)];
  const pictures = await deviceRender(gpu, torch, views.map((camera) => ({ scene, camera })));
  gpu.close();
  const place = (picture: Float32Array, channel: number) => {
    let [best, at] = [-1, 0];
    for (let i = 0; i < 61 * 45; i++) {
      const [r, g, b] = pixelAt(picture, 61, i % 61, Math.floor(i / 61));
      const purity = 2 * [r, g, b][channel] - r - g - b;
      if (purity > best) [best, at] = [purity, i];
    }
    return [Math.sign(at % 61 - 30), Math.sign(Math.floor(at / 61) - 22)];
  };
  // Columns grow to the right, rows downwards; the ball towards the camera is in the middle.
  assert.deepEqual([0, 1, 2].map((c) => place(pictures[0], c)), [[0, 0], [1, 0], [0, -1]], "from +X");
  assert.deepEqual([0, 1, 2].map((c) => place(pictures[1], c)), [[-1, 0], [0, 0], [0, -1]], "from +Y");
  assert.deepEqual([0, 2].map((c) => place(pictures[2], c)), [[1, 0], [0, -1]], "from -Y");
  assert.deepEqual([0, 1, 2].map((c) => place(pictures[3], c)), [[0, 1], [1, 0], [0, 0]], "from +Z");
});

Deno.test("RenderPass has no half-pixel shift: a centred ball equals its mirror images", async () => {
  const camera = { ...CAMERA, width: 54, height: 38, cx: 27, cy: 19 };
  const picture = await draw([gaussian()], torch, camera);
  for (let y = 0; y < 38; y++) {
    for (let x = 0; x < 54; x++) {
      const own = pixelAt(picture, 54, x, y);
      // The cut-off ellipse may leave out what is below 2e-5 on one side of a tile border only.
      assert.ok(largestDifference(own, pixelAt(picture, 54, 53 - x, y)) <= 2e-5);
      assert.ok(largestDifference(own, pixelAt(picture, 54, x, 37 - y)) <= 2e-5);
    }
  }
  for (const [x, y] of [[20, 15], [26, 18], [24, 10]]) {
    const own = pixelAt(picture, 54, x, y);
    assert.ok(largestDifference(own, pixelAt(picture, 54, 53 - x, y)) <= 1e-6);
    assert.ok(largestDifference(own, pixelAt(picture, 54, x, 37 - y)) <= 1e-6);
  }
});

Deno.test("RenderPass lets through two opaque Gaussians what each profile predicts", async () => {
  const black = gaussian({ color: [0, 0, 0], opacity: 1 });
  const predicted: [RenderProfile, number][] = [
    [torch, 1e-4],
    [{ ...torch, alphaMax: 1 }, 0],
    [{ ...torch, alphaMax: 0.999 }, 1e-6],
    [RENDER_PROFILES["gsplat-1.5"], 1e-3],
    [RENDER_PROFILES["gsplat-1.6"], 1e-2],
    [{ ...RENDER_PROFILES.inria, output: "float-clamp" }, 1e-2],
    [{ ...RENDER_PROFILES.brush, output: "float-clamp" }, 1e-3],
    [{ ...RENDER_PROFILES["gsplat-1.6"], tStopDrops: false }, 1e-4],
  ];
  for (const [profile, wanted] of predicted) {
    const [red, green, blue, light] = center(await draw([black, { ...black, id: 1 }], profile));
    for (const got of [red, green, blue, light]) {
      close(got, wanted, 2e-8 + 1e-5 * wanted, JSON.stringify(profile));
    }
  }
});

Deno.test("RenderPass takes quaternions of any length, and draws nothing for one of length 0", async () => {
  const scale: Vector3 = [0.4, 0.1, 0.2];
  const [unit, double, zero, nothing] = await drawAll([
    [gaussian({ scale, quaternion: [1, 0, 0, 0] })],
    [gaussian({ scale, quaternion: [2, 0, 0, 0] })],
    [gaussian({ scale, quaternion: [0, 0, 0, 0] })],
    [],
  ]);
  assert.deepEqual(double, unit);
  assert.deepEqual(zero, nothing);
  assert.notDeepEqual(unit, nothing);
});

Deno.test("RenderPass draws scale 0 as its dilation alone, and scale 1e6 as a wall", async () => {
  const [dot, wall] = await drawAll([
    [gaussian({ scale: [0, 0, 0], opacity: 0.8 })],
    [gaussian({ scale: [1e6, 1e6, 1e6], opacity: 0.8 })],
  ]);
  for (const [x, y] of [[26, 18], [27, 18], [26, 16], [28, 19]]) {
    const alpha = 0.8 * Math.exp(-((x - 26) ** 2 + (y - 18) ** 2) / 0.6);
    close(pixelAt(dot, WIDTH, x, y)[3], 1 - alpha, 2e-5);
  }
  for (const [x, y] of [[0, 0], [26, 18], [52, 36]]) close(pixelAt(wall, WIDTH, x, y)[3], 0.2, 1e-6);
});

Deno.test("RenderPass deposits the same light for a needle along the axes and across them", async () => {
  const scale: Vector3 = [1e-4, 0.3, 1e-4];
  const turn = (degrees: number) => {
    const half = degrees * Math.PI / 360;
    return gaussian({ scale, opacity: 0.5, quaternion: [Math.cos(half), Math.sin(half), 0, 0] });
  };
  const pictures = await drawAll([[turn(0)], [turn(90)], [turn(45)], [turn(30)]]);
  const long = (FOCAL * 0.3 / DISTANCE) ** 2;
  const wanted = 0.5 * 2 * Math.PI * Math.sqrt((long + 0.3) * 0.3);
  // Sampling a Gaussian of variance 0.3 at whole pixels ripples by up to 2 exp(-2 pi^2 0.3) = 0.6 %.
  for (const picture of pictures) close(deposited(picture) / wanted, 1, 0.006);
});

Deno.test("RenderPass stays finite at, before and behind the eye", async () => {
  const at = (x: number) => [gaussian({ mean: [x, 0, 0] })];
  const scenes = [at(DISTANCE), at(DISTANCE - 1e-6), at(DISTANCE + 0.5), at(DISTANCE - 0.02), []];
  const [eye, before, behind, near, nothing] = await drawAll(scenes);
  for (const picture of [eye, before, behind]) assert.deepEqual(picture, nothing);
  assert.ok(near.every(Number.isFinite));
  close(center(near)[3], 0.3, 1e-5);
  const [inFront] = await drawAll([at(DISTANCE - 1e-6)], { ...torch, near: 0 });
  assert.ok(inFront.every(Number.isFinite));
});

Deno.test("RenderPass clamps the Jacobian: energy falls as a Gaussian leaves the frame", async () => {
  const halfFrame = DISTANCE * 26.5 / FOCAL;
  const at = (factor: number) => [gaussian({ mean: [0, factor * halfFrame, 0], scale: [0.3, 0.3, 0.3] })];
  const factors = [0.9, 1.1, 1.3, 1.5, 1.7, 2, 3];
  const energies = (await drawAll(factors.map(at))).map(deposited);
  for (const [k, energy] of energies.entries()) {
    assert.ok(Number.isFinite(energy));
    if (k > 0) assert.ok(energy <= energies[k - 1], `${energies} at ${factors}`);
  }
});

Deno.test("RenderPass leaves sRGB alone: opaque #808080 is 128, and 129 under alpha max 0.99", async () => {
  const gray = [gaussian({ color: [128 / 255, 128 / 255, 128 / 255], opacity: 1 })];
  const byte = async (profile: Partial<RenderProfile>) =>
    255 * center(await draw(gray, { ...torch, ...profile }))[0];
  close(await byte({ alphaMax: 1, output: "round8" }), 128, 1e-4);
  close(await byte({ output: "round8" }), 129, 1e-4);
  // 128 * 0.99 + 255 * 0.01 = 129.27
  close(await byte({}), 129.27, 1e-3);
  close(await byte({ background: [0.6, 0, 0], output: "round8" }), 128, 1e-4);
  close(await byte({ background: [0.6, 0, 0], output: "trunc8" }), 128, 1e-4);
  close(await byte({ alphaMax: 0.995, output: "trunc8" }), 128, 1e-4);
  close(await byte({ alphaMax: 0.995, output: "round8" }), 129, 1e-4);
});

Deno.test("RenderPass clamps colours before it blends them, unless told not to", async () => {
  const [wild, tame] = await drawAll([
    [gaussian({ color: [-1, 2, 0.5] }), gaussian({ id: 1, mean: [-0.5, 0, 0], color: [0.5, 0.1, 0.3] })],
    [gaussian({ color: [0, 1, 0.5] }), gaussian({ id: 1, mean: [-0.5, 0, 0], color: [0.5, 0.1, 0.3] })],
  ]);
  assert.deepEqual(wild, tame);
  const black = { ...torch, colorClamp: false, background: [0, 0, 0] } satisfies RenderProfile;
  const pair = [
    gaussian({ color: [-0.5, 0, 0] }),
    gaussian({ id: 1, mean: [-0.5, 0, 0], color: [1, 0, 0], opacity: 1 }),
  ];
  close(center(await draw(pair, black))[0], 0, 1e-6, "0.3 * 0.99 - 0.7 * 0.5 is negative:");
  const lighter = [gaussian({ color: [-0.2, 0, 0] }), pair[1]];
  close(center(await draw(lighter, black))[0], 0.3 * 0.99 - 0.7 * 0.2, 1e-5);
});

Deno.test("RenderPass adds up 300 faint Gaussians, or none of them under a cut of 1/255", async () => {
  const faint = Array.from({ length: 300 }, (_, id) => gaussian({ id, opacity: 0.003, color: [0, 0, 0] }));
  close(center(await draw(faint))[0], (1 - 0.003) ** 300, 3e-6);
  const [cut, nothing] = await drawAll([faint, []], { ...torch, alphaMin: 1 / 255 });
  assert.deepEqual(cut, nothing);
});

Deno.test("RenderPass draws an empty scene as the background, every pixel", async () => {
  const background = [0.25, 0.5, 0.75] as [number, number, number];
  const picture = await draw([], { ...torch, background });
  assert.deepEqual([...picture], Array.from({ length: WIDTH * HEIGHT }, () => [...background, 1]).flat());
});
