import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { openGpu } from "../../../gpu/device.ts";
import type { Camera } from "../../../splat/camera.ts";
import { RENDER_PROFILES } from "../../../splat/render/profile.ts";
import { CULLING } from "../../../splat/render/render_kernels.ts";
import type { Quaternion } from "../../../env/quaternion.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Gaussian, Scene } from "../../../splat/scene.ts";
import { deviceRender, largestDifference, pixelAt } from "./device_render.ts";
import { awkwardScene, fittedScene, oddCamera, orbitCameras } from "./random_scenes.ts";

const { torch } = RENDER_PROFILES;
const [WIDTH, HEIGHT] = [67, 43];
/** What culling may change, plus rounding: tiles cut other pixels after a change of the scene. */
const CULLED = CULLING.alphaBudget + CULLING.lightBudget + 2e-6;

const scene = fittedScene(5, 90);
const [camera] = orbitCameras(1, WIDTH, HEIGHT);

Deno.test("RenderPass does not depend on the order of Gaussians of distinct depth", async () => {
  const gpu = await openGpu("software");
  const draw = stream(1, "shuffle");
  const shuffled = scene.map((gaussian) => ({ gaussian, key: draw.next() })).sort((a, b) => a.key - b.key)
    .map(({ gaussian }) => gaussian);
  const [a, b] = await deviceRender(gpu, torch, [{ scene, camera }, { scene: shuffled, camera }]);
  gpu.close();
  assert.notDeepEqual(shuffled, scene);
  assert.deepEqual(a, b);
});

Deno.test("RenderPass breaks ties of depth by index", async () => {
  const gpu = await openGpu("software");
  const [red, blue]: Gaussian[] = [
    { ...scene[0], mean: [0, 0, 0], color: [1, 0, 0] },
    { ...scene[0], mean: [0, 0, 0], color: [0, 0, 1] },
  ];
  const views = [[red, blue], [blue, red]].map((scene) => ({ scene, camera }));
  const [redFirst, blueFirst] = await deviceRender(gpu, torch, views);
  gpu.close();
  const at = [Math.floor(WIDTH / 2), Math.floor(HEIGHT / 2)] as const;
  const [r, , b] = pixelAt(redFirst, WIDTH, ...at);
  assert.ok(r > b);
  const [r2, , b2] = pixelAt(blueFirst, WIDTH, ...at);
  assert.deepEqual([r2, b2], [b, r]);
});

Deno.test("RenderPass tells depths apart that are equal in float32", async () => {
  const gpu = await openGpu("software");
  const facing: Camera = { ...camera, rotation: [[0, 1, 0], [0, 0, -1], [-1, 0, 0]], translation: [0, 0, 3] };
  const [red, blue]: Gaussian[] = [
    { ...scene[0], mean: [0, 0, 0], color: [1, 0, 0] },
    { ...scene[0], mean: [1e-9, 0, 0], color: [0, 0, 1] },
  ];
  const [picture] = await deviceRender(gpu, torch, [{ scene: [red, blue], camera: facing }]);
  gpu.close();
  const [r, , b] = pixelAt(picture, WIDTH, Math.floor(WIDTH / 2), Math.floor(HEIGHT / 2));
  assert.ok(b > r, "the blue one is nearer by 1e-9");
});

Deno.test("RenderPass draws the mirror image of a mirrored scene", async () => {
  const gpu = await openGpu("software");
  // The camera looks along -X, so that y -> -y mirrors the picture left to right.
  const facing: Camera = { ...camera, rotation: [[0, 1, 0], [0, 0, -1], [-1, 0, 0]], translation: [0, 0, 3] };
  const mirrored = scene.map((gaussian): Gaussian => {
    const { mean: [x, y, z], quaternion: [w, i, j, k] } = gaussian;
    // A = diag(1, -1, 1): A Rq A is the rotation by (w, -i, j, -k); the Gaussian's own axes are symmetric.
    return { ...gaussian, mean: [x, -y, z], quaternion: [w, -i, j, -k] };
  });
  const [own, image] = await deviceRender(gpu, torch, [
    { scene, camera: facing },
    { scene: mirrored, camera: facing },
  ]);
  gpu.close();
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const difference = largestDifference(
        pixelAt(own, WIDTH, x, y),
        pixelAt(image, WIDTH, WIDTH - 1 - x, y),
      );
      assert.ok(difference <= CULLED, `${difference} at ${x}, ${y}`);
    }
  }
});

Deno.test("RenderPass draws the same bits for quaternions three times as long", async () => {
  const gpu = await openGpu("software");
  const longer = scene.map((gaussian): Gaussian => {
    const [w, x, y, z] = gaussian.quaternion;
    return { ...gaussian, quaternion: [3 * w, 3 * x, 3 * y, 3 * z] };
  });
  const [a, b] = await deviceRender(gpu, torch, [{ scene, camera }, { scene: longer, camera }]);
  gpu.close();
  assert.deepEqual(a, b);
});

Deno.test("RenderPass draws the same picture when world and cameras move together", async () => {
  const gpu = await openGpu("software");
  const turn = unitQuaternion(stream(2, "turn"));
  const shift: Vector3 = [1.5, -0.7, 2.2];
  const moved = move(scene, turn, shift);
  const [a, b] = await deviceRender(gpu, torch, [
    { scene, camera },
    { scene: moved, camera: moveCamera(camera, turn, shift) },
  ]);
  gpu.close();
  const difference = largestDifference(a, b);
  assert.ok(difference <= CULLED, `${difference}`);
});

Deno.test("RenderPass draws a batch of unlike scenes as it draws each alone, bit for bit, every time", async () => {
  const gpu = await openGpu("software");
  const views = Array.from({ length: 9 }, (_, seed) => {
    const camera = oddCamera(seed, WIDTH, HEIGHT);
    return { camera, scene: awkwardScene(seed, [0, 1, 31, 32, 33, 64, 65, 150, 300][seed], camera) };
  });
  const together = await deviceRender(gpu, torch, views);
  assert.deepEqual(await deviceRender(gpu, torch, views), together);
  for (const [at, view] of views.entries()) {
    const [alone] = await deviceRender(gpu, torch, [view]);
    assert.deepEqual(alone, together[at], `view ${at}`);
  }
  gpu.close();
});

Deno.test("RenderPass leaves out no more than its budgets allow", async () => {
  const gpu = await openGpu("software");
  const views = Array.from({ length: 12 }, (_, seed) => {
    const camera = oddCamera(seed, WIDTH, HEIGHT);
    return { camera, scene: awkwardScene(seed, 120, camera) };
  });
  const culled = await deviceRender(gpu, torch, views);
  const whole = await deviceRender(gpu, torch, views, { alphaBudget: 0, lightBudget: 0 });
  gpu.close();
  const differences = culled.map((picture, at) => largestDifference(picture, whole[at]));
  assert.ok(Math.max(...differences) <= CULLING.alphaBudget + CULLING.lightBudget, `${differences}`);
});

/** A scene turned about the origin, then shifted. */
function move(scene: Scene, turn: Quaternion, shift: Vector3): Scene {
  return scene.map((gaussian) => ({
    ...gaussian,
    mean: add(rotate(turn, gaussian.mean), shift),
    quaternion: product(turn, gaussian.quaternion),
  }));
}

/** The camera that sees a moved scene as `camera` sees the scene: R' = R Qᵀ, t' = t − R' shift. */
function moveCamera(camera: Camera, turn: Quaternion, shift: Vector3): Camera {
  const [x, y, z] = camera.rotation.map((row) => rotate(turn, row));
  const along = (row: Vector3) => row[0] * shift[0] + row[1] * shift[1] + row[2] * shift[2];
  const [a, b, c] = camera.translation;
  return { ...camera, rotation: [x, y, z], translation: [a - along(x), b - along(y), c - along(z)] };
}

function unitQuaternion(draw: ReturnType<typeof stream>): Quaternion {
  const [w, x, y, z] = [draw.normal(), draw.normal(), draw.normal(), draw.normal()];
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

function product([a, b, c, d]: Quaternion, [w, x, y, z]: Quaternion): Quaternion {
  return [
    a * w - b * x - c * y - d * z,
    a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w,
  ];
}

function rotate(q: Quaternion, [x, y, z]: Vector3): Vector3 {
  const [w, i, j, k] = q;
  const [, a, b, c] = product(product(q, [0, x, y, z]), [w, -i, -j, -k]);
  return [a, b, c];
}

function add(a: Vector3, b: Vector3): Vector3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
