import assert from "node:assert/strict";
import { type Gpu, openGpu } from "../../../gpu/device.ts";
import { stream } from "../../../env/random.ts";
import { type Camera, cameraEye } from "../../../splat/camera.ts";
import { RENDER_PROFILES, type RenderProfile } from "../../../splat/render/profile.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Scene } from "../../../splat/scene.ts";
import { referenceRender } from "../../reference/render.ts";
import { deviceRender } from "./device_render.ts";
import { awkwardScene, fittedScene, gaussian, oddCamera, orbitCameras } from "./random_scenes.ts";

const SOAK = Deno.env.get("BENCH_SOAK") !== undefined;
const TOLERANCE = 1e-4;
const { torch } = RENDER_PROFILES;

interface View {
  scene: Scene;
  camera: Camera;
}

/** Scenes of 1 to 60 Gaussians of all themes. */
function awkwardViews(first: number, count: number, width: number, height: number): View[] {
  return Array.from({ length: count }, (_, k) => {
    const camera = oddCamera(first + k, width, height);
    return { scene: awkwardScene(first + k, 1 + (first + k) * 37 % 60, camera), camera };
  });
}

/** The camera turned level in place. */
function levelled(camera: Camera): Camera {
  const [x, y, z] = cameraEye(camera);
  const [right, , [a, b]] = camera.rotation;
  const length = Math.hypot(a, b);
  const forward: Vector3 = [a / length, b / length, 0];
  return {
    ...camera,
    rotation: [right, [0, 0, -1], forward],
    translation: [-(right[0] * x + right[1] * y), z, -(forward[0] * x + forward[1] * y)],
  };
}

/** Largest difference of the pixels away from thresholds, and the share of pixels that are near one. */
async function compare(gpu: Gpu, profile: RenderProfile, views: readonly View[]) {
  const pictures = await deviceRender(gpu, profile, views);
  let [interior, banded, pixels] = [0, 0, 0];
  for (const [at, { scene, camera }] of views.entries()) {
    const { rgbt, nearThreshold } = referenceRender(scene, camera, profile);
    pixels += nearThreshold.length;
    for (let i = 0; i < rgbt.length; i++) {
      if (nearThreshold[i >> 2]) {
        banded += 0.25;
        continue;
      }
      const difference = Math.abs(rgbt[i] - pictures[at][i]);
      interior = Number.isNaN(difference) ? Infinity : Math.max(interior, difference);
    }
  }
  return { interior, band: banded / pixels };
}

Deno.test("RenderPass agrees with the float64 reference on 200 random scenes, needles to giants", async () => {
  const gpu = await openGpu("software");
  const [width, height] = SOAK ? [256, 256] : [53, 37];
  for (let first = 0; first < (SOAK ? 1000 : 200); first += 100) {
    const { interior, band } = await compare(gpu, torch, awkwardViews(first, 100, width, height));
    assert.equal(band, 0);
    assert.ok(interior <= TOLERANCE, `largest difference ${interior} from seed ${first} on`);
  }
  gpu.close();
});

Deno.test("RenderPass agrees with the float64 reference on scenes of 300 Gaussians", async () => {
  const gpu = await openGpu("software");
  const views = orbitCameras(SOAK ? 8 : 3, 101, 75).map((camera, k) => ({
    scene: fittedScene(k, 300),
    camera,
  }));
  const { interior } = await compare(gpu, torch, views);
  assert.ok(interior <= TOLERANCE, `largest difference ${interior}`);
  gpu.close();
});

Deno.test("RenderPass agrees with the float64 reference on needles whose means are thousands of pixels away", async () => {
  const gpu = await openGpu("software");
  const camera = levelled(orbitCameras(1, 89, 67)[0]);
  const [eye, [right, , forward]] = [cameraEye(camera), camera.rotation];
  const views = Array.from({ length: 6 }, (_, seed) => {
    const draw = stream(seed, "needles from afar");
    const scene = Array.from({ length: 60 }, (_, id) => {
      const [ahead, aside] = [draw.range(0.02, 0.06), draw.range(-1, 1)];
      const along = (k: 0 | 1 | 2) => eye[k] + ahead * forward[k] + aside * right[k];
      // Along the camera's x axis, but for a degree or so: rotation about +Z takes x there, as the camera is level.
      const yaw = Math.atan2(right[1], right[0]) / 2;
      const tilt = 0.01 * draw.normal();
      return gaussian({
        id,
        mean: [along(0), along(1), along(2)],
        scale: [draw.range(0.3, 1), 1e-6, 1e-6],
        quaternion: [Math.cos(yaw), Math.sin(yaw) * tilt, -Math.cos(yaw) * tilt, Math.sin(yaw)],
        color: [draw.next(), draw.next(), draw.next()],
        opacity: draw.next(),
      });
    });
    return { scene, camera };
  });
  const { interior } = await compare(gpu, torch, views);
  gpu.close();
  const drawn = views.map(({ scene, camera }) => referenceRender(scene, camera, torch).rgbt);
  assert.ok(drawn.every((rgbt) => rgbt.some((value) => value < 0.9)), "some needle is in the picture");
  // Measured 1.8e-6 in double-float, 9.3e-6 in float32.
  assert.ok(interior <= 5e-6, `largest difference ${interior}`);
});

// The share of pixels where some alpha is within 0.1 % of its cut, some transmittance within 0.1 % of its stop (opacities
// of 0.99 and 1 meet alpha max 0.99 and stop at 1e-4 exactly), or some radius within 0.001 pixels of the next tile.
const BANDS = { "inria": 0.03, "gsplat-1.5": 0.01, "gsplat-1.6": 0.03, "brush": 0.01 } as const;

for (const name of ["inria", "gsplat-1.5", "gsplat-1.6", "brush"] as const) {
  Deno.test(`RenderPass agrees with the float64 reference away from the thresholds of ${name}`, async () => {
    const gpu = await openGpu("software");
    // 8-bit rounding is a threshold everywhere; it has its own test.
    const profile: RenderProfile = { ...RENDER_PROFILES[name], output: "float-clamp" };
    const { interior, band } = await compare(gpu, profile, awkwardViews(0, SOAK ? 600 : 120, 53, 37));
    assert.ok(interior <= TOLERANCE, `largest difference ${interior}`);
    assert.ok(band <= BANDS[name], `${band} of the pixels are near a threshold`);
    gpu.close();
  });
}

/** Needles, discs and surroundings (giants hide what knobs change), and a Gaussian beyond the right border. */
function knobViews(): View[] {
  const [camera] = orbitCameras(1, 41, 29);
  const beside = gaussian({ mean: [0, 2.2, 0], scale: [0.5, 0.3, 0.4], quaternion: [2, 0.3, 0.1, 0.5] });
  return [
    ...[0, 1, 3, 6, 7, 9, 15].flatMap((seed) => awkwardViews(seed, 1, 41, 29)),
    { scene: [beside], camera: { ...camera, cx: 12 } },
  ];
}

const KNOBS: Partial<RenderProfile>[] = [
  { dilation: 0, detFloor: "skip" },
  { dilation: 1, minScale: 0.01 },
  { compensation: "sqrt-det" },
  { alphaMax: 0.5 },
  { alphaMin: 0.02 },
  { tStop: 0.01, tStopDrops: true },
  { tStop: 0.01, tStopDrops: false },
  { extent: "sigma3-circle", pixelCenter: 0 },
  { extent: "sigma3-circle", dilation: 0, minScale: 1e-4 },
  { extent: "sigma3.33-rect-opacity" },
  { extent: "opacity-ellipse" },
  { pixelCenter: 0 },
  { sort: "distance" },
  { jacobianClamp: "none" },
  { jacobianClamp: "asym0.3" },
  { near: 1.2, far: 3.1 },
  { normalizeQuat: false },
  { background: [0.2, 0, 0.7] },
];

Deno.test("RenderPass agrees with the float64 reference on each knob of the profile", async () => {
  const gpu = await openGpu("software");
  for (const knob of KNOBS) {
    const { interior, band } = await compare(gpu, { ...torch, ...knob }, knobViews());
    assert.ok(interior <= TOLERANCE, `${JSON.stringify(knob)}: largest difference ${interior}`);
    assert.ok(band <= 0.1, `${JSON.stringify(knob)}: ${band} of the pixels are near a threshold`);
  }
  gpu.close();
});

Deno.test("referenceRender() shows every knob of the profile in the scenes that compare them", () => {
  const views = knobViews();
  const plain = views.map(({ scene, camera }) => referenceRender(scene, camera, torch).rgbt);
  for (const knob of KNOBS) {
    const changed = views.some(({ scene, camera }, at) =>
      referenceRender(scene, camera, { ...torch, ...knob }).rgbt.some((value, i) =>
        Math.abs(value - plain[at][i]) > 10 * TOLERANCE
      )
    );
    assert.ok(changed, `${JSON.stringify(knob)} changes no pixel`);
  }
});
