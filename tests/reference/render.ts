/**
 * Float64 reference renderer: every Gaussian at every pixel, no tiles, from the equations of EWA splatting and the
 * conventions of a RenderProfile. It shares no code with `splat/render/`, only the type of the profile.
 */
import type { RenderProfile } from "../../splat/render/profile.ts";

export interface ReferenceGaussian {
  mean: readonly number[];
  scale: readonly number[];
  quaternion: readonly number[];
  color: readonly number[];
  opacity: number;
}

export interface ReferenceCamera {
  rotation: readonly (readonly number[])[];
  translation: readonly number[];
  fx: number;
  fy: number;
  cx: number;
  cy: number;
  width: number;
  height: number;
}

export interface ReferencePicture {
  /** [height, width, 4]: RGB, then transmittance. */
  rgbt: Float64Array;
  /** [height, width]: 1 where a threshold of the profile is so near that float32 may fall on its other side. */
  nearThreshold: Uint8Array;
}

/** Draws a scene. */
export function referenceRender(
  scene: readonly ReferenceGaussian[],
  camera: ReferenceCamera,
  profile: RenderProfile,
): ReferencePicture {
  const footprints = scene
    .map((gaussian, index) => ({ footprint: project(gaussian, camera, profile), index }))
    .flatMap(({ footprint, index }) => footprint ? [{ ...footprint, index }] : [])
    .sort((a, b) => a.key - b.key || a.index - b.index);
  const { width, height } = camera;
  const rgbt = new Float64Array(width * height * 4);
  const nearThreshold = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const { color, light, doubtful } = shade(footprints, x, y, profile);
      for (let c = 0; c < 3; c++) {
        rgbt[at * 4 + c] = finish(color[c] + light * profile.background[c], profile);
      }
      rgbt[at * 4 + 3] = light;
      nearThreshold[at] = Number(doubtful);
    }
  }
  return { rgbt, nearThreshold };
}

interface Footprint {
  key: number;
  mean: [number, number];
  /** Inverse covariance [[a, b], [b, c]]. */
  conic: [number, number, number];
  opacity: number;
  color: number[];
  /** Half-open pixel ranges x0, y0, x1, y1. */
  reach: [number, number, number, number];
  /** As reach, where a rounding of the radius might end it instead. */
  doubtfulReach: [number, number, number, number];
}

function project(
  gaussian: ReferenceGaussian,
  camera: ReferenceCamera,
  profile: RenderProfile,
): Footprint | null {
  const R = camera.rotation;
  const inCamera = R.map((row, i) => dot(row, gaussian.mean) + camera.translation[i]);
  const [X, Y, Z] = inCamera;
  if (Z <= profile.near || (profile.far !== null && Z >= profile.far)) return null;

  const tanX = camera.width / (2 * camera.fx);
  const tanY = camera.height / (2 * camera.fy);
  let [tx, ty] = [X / Z, Y / Z];
  if (profile.jacobianClamp === "sym1.3") {
    tx = Math.max(-1.3 * tanX, Math.min(1.3 * tanX, tx));
    ty = Math.max(-1.3 * tanY, Math.min(1.3 * tanY, ty));
  } else if (profile.jacobianClamp === "asym0.3") {
    const { width, height, fx, fy, cx, cy } = camera;
    tx = Math.max(-(cx / fx + 0.3 * tanX), Math.min((width - cx) / fx + 0.3 * tanX, tx));
    ty = Math.max(-(cy / fy + 0.3 * tanY), Math.min((height - cy) / fy + 0.3 * tanY, ty));
  }
  const J = [[camera.fx / Z, 0, -camera.fx * tx / Z], [0, camera.fy / Z, -camera.fy * ty / Z]];
  const scale = gaussian.scale.map((s) => Math.max(s, profile.minScale));
  const axes = rotationMatrix(gaussian.quaternion, profile.normalizeQuat);
  const root = multiply(multiply(multiply(J, R), axes), [
    [scale[0], 0, 0],
    [0, scale[1], 0],
    [0, 0, scale[2]],
  ]);
  const [p, q] = root;
  const bare = [dot(p, p), dot(p, q), dot(q, q)];
  const [xx, xy, yy] = [bare[0] + profile.dilation, bare[1], bare[2] + profile.dilation];
  // |p × q|² = (p·p)(q·q) − (p·q)², which loses the thin side of a needle in float64 too.
  const bareDet = (p[1] * q[2] - p[2] * q[1]) ** 2 + (p[2] * q[0] - p[0] * q[2]) ** 2 +
    (p[0] * q[1] - p[1] * q[0]) ** 2;
  const det = bareDet + profile.dilation * (bare[0] + bare[2]) + profile.dilation ** 2;
  if (profile.detFloor === "skip" && det <= 0) return null;
  const divisor = profile.detFloor === "skip" ? det : Math.max(det, profile.detFloor);

  const u = camera.fx * X / Z + camera.cx;
  const v = camera.fy * Y / Z + camera.cy;
  const shrink = profile.compensation === "sqrt-det" ? Math.sqrt(Math.max(0, bareDet / det)) : 1;
  const opacity = gaussian.opacity * shrink;
  const conic: [number, number, number] = [yy / divisor, -xy / divisor, xx / divisor];
  if (![...conic, u, v].every(Number.isFinite)) return null;
  const reachOf = (slack: number) => reach(profile, u, v, xx, xy, yy, opacity, slack);
  return {
    key: profile.sort === "z" ? Z : Math.hypot(X, Y, Z),
    mean: [u, v],
    conic,
    opacity,
    color: gaussian.color.map((c) => profile.colorClamp ? Math.max(0, Math.min(1, c)) : c),
    reach: reachOf(0),
    doubtfulReach: reachOf(1e-3),
  };
}

/** Half-open pixel ranges to the borders of the 16×16 tiles that the extent rule reaches. */
function reach(
  profile: RenderProfile,
  u: number,
  v: number,
  xx: number,
  xy: number,
  yy: number,
  opacity: number,
  slack: number,
): [number, number, number, number] {
  switch (profile.extent) {
    case "none":
    case "opacity-ellipse":
      return [-Infinity, -Infinity, Infinity, Infinity];
    case "sigma3-circle": {
      const middle = (xx + yy) / 2;
      const major = middle + Math.sqrt(Math.max(0.1, ((xx - yy) / 2) ** 2 + xy ** 2));
      const radius = Math.ceil(3 * Math.sqrt(major) + slack);
      // The original counts pixel centres as integers, and reaches a tile's last column only past its whole pixel.
      const [x, y] = [u - profile.pixelCenter, v - profile.pixelCenter];
      const first = (m: number) => 16 * Math.floor((m - radius - slack) / 16);
      const end = (m: number) => 16 * Math.floor((m + radius + slack + 15) / 16);
      return [first(x), first(y), end(x), end(y)];
    }
    case "sigma3.33-rect-opacity": {
      if (opacity < 1 / 255) return [0, 0, 0, 0];
      const sigmas = Math.min(3.33, Math.sqrt(2 * Math.log(255 * opacity)));
      const [rx, ry] = [Math.ceil(sigmas * Math.sqrt(xx) + slack), Math.ceil(sigmas * Math.sqrt(yy) + slack)];
      const first = (m: number, r: number) => 16 * Math.floor((m - r - slack) / 16);
      const end = (m: number, r: number) => 16 * Math.ceil((m + r + slack) / 16);
      return [first(u, rx), first(v, ry), end(u, rx), end(v, ry)];
    }
  }
}

function shade(
  footprints: readonly Footprint[],
  x: number,
  y: number,
  profile: RenderProfile,
): { color: number[]; light: number; doubtful: boolean } {
  const color = [0, 0, 0];
  let light = 1;
  let doubtful = false;
  const inside = ([x0, y0, x1, y1]: readonly number[]) => x >= x0 && x < x1 && y >= y0 && y < y1;
  for (const { mean, conic, opacity, color: own, reach, doubtfulReach } of footprints) {
    const dx = x + profile.pixelCenter - mean[0];
    const dy = y + profile.pixelCenter - mean[1];
    const falloff = opacity * Math.exp(-0.5 * (conic[0] * dx * dx + conic[2] * dy * dy) - conic[1] * dx * dy);
    const alpha = Math.min(profile.alphaMax, falloff);
    if (inside(reach) !== inside(doubtfulReach) && alpha > 1e-6) doubtful = true;
    if (!inside(reach)) continue;
    if (near(alpha, profile.alphaMin) || profile.extent === "opacity-ellipse" && near(falloff, 1 / 255)) {
      doubtful = true;
    }
    if (alpha < profile.alphaMin) continue;
    if (profile.extent === "opacity-ellipse" && falloff < 1 / 255) continue;
    const next = light * (1 - alpha);
    if (near(next, profile.tStop)) doubtful = true;
    const stops = profile.tStop > 0 && next <= profile.tStop;
    if (stops && profile.tStopDrops) break;
    for (let c = 0; c < 3; c++) color[c] += light * alpha * own[c];
    light = next;
    if (stops) break;
  }
  return { color, light, doubtful };
}

/** Within 0.1 % of a threshold that is on. */
function near(value: number, threshold: number): boolean {
  return threshold > 0 && Math.abs(value - threshold) < 1e-3 * threshold;
}

function finish(value: number, profile: RenderProfile): number {
  const clamped = Math.max(0, Math.min(1, value));
  if (profile.output === "round8") return Math.floor(clamped * 255 + 0.5) / 255;
  if (profile.output === "trunc8") return Math.floor(clamped * 255) / 255;
  return clamped;
}

function rotationMatrix(quaternion: readonly number[], normalize: boolean): number[][] {
  const length = normalize ? Math.hypot(...quaternion) : 1;
  const [w, x, y, z] = quaternion.map((part) => part / length);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

function multiply(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
): number[][] {
  return a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
