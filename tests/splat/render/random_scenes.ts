/** Seeded scenes and cameras for the renderer's tests: ordinary ones and every kind of awkward one. */
import { type Stream, stream } from "../../../env/random.ts";
import { type Camera, cameraEye, orbitCamera } from "../../../splat/camera.ts";
import type { Quaternion } from "../../../env/quaternion.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Gaussian, Scene } from "../../../splat/scene.ts";

/** A ball at the origin; `over` replaces what a test is about. */
export function gaussian(over: Partial<Gaussian> = {}): Gaussian {
  return {
    id: 0,
    mean: [0, 0, 0],
    scale: [0.2, 0.2, 0.2],
    quaternion: [1, 0, 0, 0],
    color: [0.2, 0.5, 0.8],
    opacity: 0.7,
    group: null,
    ...over,
  };
}

/** Scene like a fitted object: radius 0.9, scales 0.02 to 0.07, opacities 0.3 to 0.95. */
export function fittedScene(seed: number, count: number): Scene {
  const draw = stream(seed, "fitted");
  return Array.from({ length: count }, (_, id) => ({
    id,
    mean: inBall(draw, 0.9),
    scale: [draw.range(0.02, 0.07), draw.range(0.02, 0.07), draw.range(0.02, 0.07)],
    quaternion: direction(draw),
    color: [draw.next(), draw.next(), draw.next()],
    opacity: draw.range(0.3, 0.95),
    group: null,
  }));
}

/** Cameras around the origin, as the benchmark has them. */
export function orbitCameras(count: number, width: number, height: number): Camera[] {
  return Array.from({ length: count }, (_, k) =>
    orbitCamera(
      { azimuthDeg: 360 * k / count + 7, elevationDeg: 15 + 30 * (k % 2), distance: 3.6, fovDeg: 40 },
      width,
      height,
    ));
}

/** A camera with off-centre principal point and unequal focal lengths, anywhere around. */
export function oddCamera(seed: number, width: number, height: number): Camera {
  const draw = stream(seed, "camera");
  const camera = orbitCamera(
    {
      azimuthDeg: draw.range(0, 360),
      elevationDeg: draw.range(-80, 80),
      distance: draw.range(1.5, 5),
      fovDeg: draw.range(25, 80),
    },
    width,
    height,
  );
  return {
    ...camera,
    fy: camera.fy * draw.range(0.9, 1.1),
    cx: camera.cx + width * draw.range(-0.2, 0.2),
    cy: camera.cy + height * draw.range(-0.2, 0.2),
  };
}

/** What an awkward scene has beside ordinary Gaussians, by seed. A giant hides all else, so only two themes have any. */
export const THEMES = ["needles", "discs", "dots", "around", "giants", "all"] as const;
type Theme = typeof THEMES[number];

/** `count` Gaussians: ordinary ones, and those of the seed's theme, in view or around the camera. */
export function awkwardScene(seed: number, count: number, camera: Camera): Scene {
  const draw = stream(seed, "awkward");
  const theme = THEMES[seed % THEMES.length];
  return Array.from({ length: count }, (_, id) => {
    const length = draw.range(1, 5);
    const [w, x, y, z] = direction(draw);
    return {
      id,
      mean: awkwardMean(draw, theme, camera),
      scale: awkwardScale(draw, theme),
      quaternion: [w * length, x * length, y * length, z * length],
      color: [draw.next(), draw.next(), draw.next()],
      opacity: pick(draw, [0, 1, 0.99, 0.003, draw.next(), draw.next(), draw.next(), draw.next()]),
      group: null,
    };
  });
}

function awkwardMean(draw: Stream, theme: Theme, camera: Camera): Vector3 {
  const eye = cameraEye(camera);
  const [right, down, forward] = camera.rotation;
  const from = (ahead: number, aside: number, below = 0): Vector3 => [
    eye[0] + ahead * forward[0] + aside * right[0] + below * down[0],
    eye[1] + ahead * forward[1] + aside * right[1] + below * down[1],
    eye[2] + ahead * forward[2] + aside * right[2] + below * down[2],
  ];
  if (theme !== "around" && theme !== "all") return inBall(draw, 0.9);
  switch (draw.integer(0, 10)) {
    case 0:
      return eye;
    case 1:
      return from(-draw.range(0, 3), draw.range(-1, 1), draw.range(-1, 1));
    case 2:
    case 3:
      return from(draw.range(0.02, 0.5), draw.range(-1, 1), draw.range(-1, 1));
    case 4:
      return from(draw.range(0.02, 0.1), draw.range(-0.03, 0.03), draw.range(-0.03, 0.03));
    default:
      return inBall(draw, 0.9);
  }
}

function awkwardScale(draw: Stream, theme: Theme): Vector3 {
  const log = (low: number, high: number) => 10 ** draw.range(low, high);
  const kind = theme === "all" || theme === "around"
    ? pick(draw, ["needles", "discs", "dots"] as const)
    : theme;
  if (theme === "all" && draw.next() < 0.05) return [1e6, 1e6, 1e6];
  if (draw.next() < 0.5) return [log(-2, -0.7), log(-2, -0.7), log(-2, -0.7)];
  switch (kind) {
    case "needles":
      return [log(-1, 0), log(-5, -2), log(-5, -2)];
    case "discs":
      return [log(-1, -0.3), log(-1, -0.3), log(-5, -3)];
    case "dots":
      return pick(draw, [[0, 0, 0], [log(-7, -3), log(-7, -3), log(-7, -3)], [0.1, 0, 0]]);
    case "giants":
      return pick(draw, [[1e6, log(-5, -2), log(-5, -2)], [log(-5, -2), 1e6, 1e6], [1e6, 1e6, 1e6]]);
  }
}

function inBall(draw: Stream, radius: number): Vector3 {
  for (;;) {
    const [x, y, z] = [draw.range(-1, 1), draw.range(-1, 1), draw.range(-1, 1)];
    if (x * x + y * y + z * z <= 1) return [radius * x, radius * y, radius * z];
  }
}

function direction(draw: Stream): Quaternion {
  const [w, x, y, z] = [draw.normal(), draw.normal(), draw.normal(), draw.normal()];
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

function pick<T>(draw: Stream, choices: readonly T[]): T {
  return choices[draw.integer(0, choices.length)];
}
