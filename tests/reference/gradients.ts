/**
 * Float64 gradients of a rendered picture and of the fit's loss, written from the equations (Ye & Kanazawa,
 * arXiv:2312.02121; Wang et al. 2004). They share no code with `splat/fit/` and keep to textbook forms: back to front
 * from the last transmittance, conics instead of roots, windows instead of separable blurs.
 */
import type { RenderProfile } from "../../splat/render/profile.ts";
import type { ReferenceCamera, ReferenceGaussian } from "./render.ts";

/** Free parameters in the order mean 3, log-scale 3, quaternion 4, opacity logit, colour logits 3. */
export const FREE = 14;

/** The Gaussian behind 14 free parameters. */
export function activate(p: ArrayLike<number>): ReferenceGaussian {
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
  return {
    mean: [p[0], p[1], p[2]],
    scale: [Math.exp(p[3]), Math.exp(p[4]), Math.exp(p[5])],
    quaternion: [p[6], p[7], p[8], p[9]],
    opacity: sigmoid(p[10]),
    color: [sigmoid(p[11]), sigmoid(p[12]), sigmoid(p[13])],
  };
}

/**
 * Gradient of Σ upstream · picture by the free parameters, [count, 14].
 *
 * `upstream` is [height, width, 3]. For profiles without extent, cuts and transmittance stop.
 */
export function referenceGradients(
  parameters: readonly (readonly number[])[],
  camera: ReferenceCamera,
  profile: RenderProfile,
  upstream: ArrayLike<number>,
): number[][] {
  const splats = parameters
    .map((p, index) => ({ index, gaussian: activate(p), ...project(activate(p), camera, profile) }))
    .filter(({ point }) => point[2] > profile.near)
    .sort((a, b) => a.point[2] - b.point[2] || a.index - b.index);
  const sums = splats.map(() => ({ color: [0, 0, 0], opacity: 0, conic: [0, 0, 0], mean: [0, 0] }));
  for (let y = 0; y < camera.height; y++) {
    for (let x = 0; x < camera.width; x++) {
      const at = 3 * (y * camera.width + x);
      const g = [upstream[at], upstream[at + 1], upstream[at + 2]];
      const hits = splats.map(({ mean, conic: [a, b, c], opacity }) => {
        const [dx, dy] = [mean[0] - x - profile.pixelCenter, mean[1] - y - profile.pixelCenter];
        const falloff = Math.exp(-0.5 * (a * dx * dx + c * dy * dy) - b * dx * dy);
        return { dx, dy, falloff, alpha: Math.min(profile.alphaMax, opacity * falloff) };
      });
      let light = hits.reduce((left, { alpha }) => left * (1 - alpha), 1);
      let behind: readonly number[] = profile.background;
      for (let i = splats.length - 1; i >= 0; i--) {
        const { gaussian: { color }, conic: [a, b, c], opacity } = splats[i];
        const { dx, dy, falloff, alpha } = hits[i];
        const sum = sums[i];
        light /= Math.max(1e-6, 1 - alpha);
        for (let k = 0; k < 3; k++) sum.color[k] += alpha * light * g[k];
        const byAlpha = light * dot(color.map((value, k) => value - behind[k]), g);
        behind = color.map((value, k) => alpha * value + (1 - alpha) * behind[k]);
        if (opacity * falloff > profile.alphaMax) continue;
        sum.opacity += falloff * byAlpha;
        const byPower = -opacity * falloff * byAlpha;
        sum.conic[0] += 0.5 * byPower * dx * dx;
        sum.conic[1] += byPower * dx * dy;
        sum.conic[2] += 0.5 * byPower * dy * dy;
        sum.mean[0] += byPower * (a * dx + b * dy);
        sum.mean[1] += byPower * (b * dx + c * dy);
      }
    }
  }
  const gradients = parameters.map(() => new Array<number>(FREE).fill(0));
  splats.forEach((splat, i) => gradients[splat.index] = unproject(splat, sums[i], camera, profile));
  return gradients;
}

interface LossWeights {
  l1: number;
  l2: number;
  dssim: number;
}

/**
 * l1 mean|d| + l2 mean d² + dssim (1 − mean SSIM) of a picture against a photo, both [height, width, 3] in [0, 1], and its
 * gradient by the picture. SSIM: 11×11 Gaussian window, σ 1.5, zeros outside, population covariance.
 */
export function referenceLoss(
  picture: ArrayLike<number>,
  photo: ArrayLike<number>,
  width: number,
  height: number,
  weights: LossWeights,
): { loss: number; gradient: Float64Array } {
  const count = width * height * 3;
  const gradient = new Float64Array(count);
  let loss = 0;
  for (let i = 0; i < count; i++) {
    const d = picture[i] - photo[i];
    loss += (weights.l1 * Math.abs(d) + weights.l2 * d * d) / count;
    gradient[i] = (weights.l1 * Math.sign(d) + 2 * weights.l2 * d) / count;
  }
  const window = ssimWindow();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = window.filter(({ dx, dy }) =>
        x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height
      );
      for (let c = 0; c < 3; c++) {
        const place = ({ dx, dy }: { dx: number; dy: number }) => 3 * ((y + dy) * width + x + dx) + c;
        const [m, my, xx, yy, xy] = [0, 0, 0, 0, 0].map((_, k) =>
          inside.reduce((sum, tap) => {
            const [a, b] = [picture[place(tap)], photo[place(tap)]];
            return sum + tap.weight * [a, b, a * a, b * b, a * b][k];
          }, 0)
        );
        const a1 = 2 * m * my + 0.01 ** 2;
        const a2 = 2 * (xy - m * my) + 0.03 ** 2;
        const b1 = m * m + my * my + 0.01 ** 2;
        const b2 = xx - m * m + yy - my * my + 0.03 ** 2;
        const ssim = a1 * a2 / (b1 * b2);
        loss += weights.dssim * (1 - ssim) / count;
        for (const tap of inside) {
          const [a, b] = [picture[place(tap)], photo[place(tap)]];
          // d ln SSIM by the pixel, through each of the four terms.
          const slope = 2 * my / a1 + 2 * (b - my) / a2 - 2 * m / b1 - 2 * (a - m) / b2;
          gradient[place(tap)] -= weights.dssim * ssim * slope * tap.weight / count;
        }
      }
    }
  }
  return { loss, gradient };
}

interface Projected {
  /** Mean in camera space. */
  point: number[];
  mean: number[];
  conic: number[];
  /** After compensation. */
  opacity: number;
  compensation: number;
}

function project(gaussian: ReferenceGaussian, camera: ReferenceCamera, profile: RenderProfile): Projected {
  const { point, inCamera, jacobian } = geometry(gaussian, camera, profile);
  const [[a, b], [, c]] = matmul(matmul(jacobian, inCamera), transpose(jacobian));
  const [xx, yy] = [a + profile.dilation, c + profile.dilation];
  const determinant = xx * yy - b * b;
  const compensation = profile.compensation === "none" ? 1 : Math.sqrt((a * c - b * b) / determinant);
  const [X, Y, Z] = point;
  return {
    point,
    mean: [camera.fx * X / Z + camera.cx, camera.fy * Y / Z + camera.cy],
    conic: [yy / determinant, -b / determinant, xx / determinant],
    opacity: gaussian.opacity * compensation,
    compensation,
  };
}

function geometry(gaussian: ReferenceGaussian, camera: ReferenceCamera, profile: RenderProfile) {
  const { fx, fy } = camera;
  const R = camera.rotation;
  const point = R.map((row, i) => dot(row, gaussian.mean) + camera.translation[i]);
  const [X, Y, Z] = point;
  const limits = clampLimits(camera, profile);
  const tx = Math.min(limits[2], Math.max(limits[0], X / Z));
  const ty = Math.min(limits[3], Math.max(limits[1], Y / Z));
  const jacobian = [[fx / Z, 0, -fx * tx / Z], [0, fy / Z, -fy * ty / Z]];
  const turn = rotation(unit(gaussian.quaternion));
  const root = turn.map((row) => row.map((value, j) => value * gaussian.scale[j]));
  const world = matmul(root, transpose(root));
  const inCamera = matmul(matmul(R, world), transpose(R));
  return { point, jacobian, turn, root, inCamera, tx, ty, clamped: [tx !== X / Z, ty !== Y / Z] };
}

function clampLimits({ width, height, fx, fy, cx, cy }: ReferenceCamera, profile: RenderProfile): number[] {
  const [halfX, halfY] = [width / (2 * fx), height / (2 * fy)];
  switch (profile.jacobianClamp) {
    case "none":
      return [-Infinity, -Infinity, Infinity, Infinity];
    case "sym1.3":
      return [-1.3 * halfX, -1.3 * halfY, 1.3 * halfX, 1.3 * halfY];
    case "asym0.3":
      return [
        -cx / fx - 0.3 * halfX,
        -cy / fy - 0.3 * halfY,
        (width - cx) / fx + 0.3 * halfX,
        (height - cy) / fy + 0.3 * halfY,
      ];
  }
}

/** From gradients by colour, opacity, conic and mean on the screen to those by free parameters. */
function unproject(
  { gaussian, conic: [a, b, c], compensation }: Projected & { gaussian: ReferenceGaussian },
  sum: { color: number[]; opacity: number; conic: number[]; mean: number[] },
  camera: ReferenceCamera,
  profile: RenderProfile,
): number[] {
  const { point: [X, Y, Z], jacobian, turn, root, inCamera, tx, ty, clamped } = geometry(
    gaussian,
    camera,
    profile,
  );
  const { fx, fy } = camera;
  const K = [[a, b], [b, c]];
  const V = [[sum.conic[0], sum.conic[1] / 2], [sum.conic[1] / 2, sum.conic[2]]];
  const G = matmul(matmul(K, V), K).map((row) => row.map((value) => -value));
  if (profile.compensation !== "none") {
    const q = sum.opacity * gaussian.opacity * 0.5 / compensation;
    const kept = 1 - compensation ** 2;
    const determinant = a * c - b * b;
    for (const i of [0, 1]) {
      for (const j of [0, 1]) {
        G[i][j] += q * (kept * K[i][j] - (i === j ? profile.dilation * determinant : 0));
      }
    }
  }
  const bySigma = matmul(matmul(transpose(jacobian), G), jacobian);
  const byJ = matmul(matmul(G, jacobian), inCamera).map((row) => row.map((value) => 2 * value));
  const [u, v] = sum.mean;
  const byX = fx / Z * u - (clamped[0] ? 0 : fx / Z ** 2 * byJ[0][2]);
  const byY = fy / Z * v - (clamped[1] ? 0 : fy / Z ** 2 * byJ[1][2]);
  const byZ = -(fx * X * u + fy * Y * v) / Z ** 2 - fx / Z ** 2 * byJ[0][0] - fy / Z ** 2 * byJ[1][1] +
    (clamped[0] ? fx * tx / Z ** 2 : 2 * fx * X / Z ** 3) * byJ[0][2] +
    (clamped[1] ? fy * ty / Z ** 2 : 2 * fy * Y / Z ** 3) * byJ[1][2];
  const R = camera.rotation;
  const byMean = [0, 1, 2].map((k) => R[0][k] * byX + R[1][k] * byY + R[2][k] * byZ);
  const byRoot = matmul(matmul(matmul(transpose(R), bySigma), R), root).map((row) => row.map((w) => 2 * w));
  const byLogScale = [0, 1, 2].map((j) =>
    gaussian.scale[j] * [0, 1, 2].reduce((total, i) => total + turn[i][j] * byRoot[i][j], 0)
  );
  const byTurn = byRoot.map((row) => row.map((value, j) => value * gaussian.scale[j]));
  const o = gaussian.opacity;
  return [
    ...byMean,
    ...byLogScale,
    ...byQuaternion(gaussian.quaternion, byTurn),
    sum.opacity * compensation * o * (1 - o),
    ...sum.color.map((value, k) => value * gaussian.color[k] * (1 - gaussian.color[k])),
  ];
}

function byQuaternion(quaternion: readonly number[], E: readonly (readonly number[])[]): number[] {
  const n = unit(quaternion);
  const [w, x, y, z] = n;
  const v = [
    2 * (x * (E[2][1] - E[1][2]) + y * (E[0][2] - E[2][0]) + z * (E[1][0] - E[0][1])),
    2 * (-2 * x * (E[1][1] + E[2][2]) + y * (E[1][0] + E[0][1]) + z * (E[2][0] + E[0][2]) +
      w * (E[2][1] - E[1][2])),
    2 * (x * (E[1][0] + E[0][1]) - 2 * y * (E[0][0] + E[2][2]) + z * (E[2][1] + E[1][2]) +
      w * (E[0][2] - E[2][0])),
    2 * (x * (E[2][0] + E[0][2]) + y * (E[2][1] + E[1][2]) - 2 * z * (E[0][0] + E[1][1]) +
      w * (E[1][0] - E[0][1])),
  ];
  const along = dot(v, n);
  return v.map((value, k) => (value - along * n[k]) / Math.hypot(...quaternion));
}

function ssimWindow(): { dx: number; dy: number; weight: number }[] {
  const taps = [];
  for (let dy = -5; dy <= 5; dy++) {
    for (let dx = -5; dx <= 5; dx++) taps.push({ dx, dy, weight: Math.exp(-(dx * dx + dy * dy) / 4.5) });
  }
  const total = taps.reduce((sum, { weight }) => sum + weight, 0);
  return taps.map((tap) => ({ ...tap, weight: tap.weight / total }));
}

function unit(quaternion: readonly number[]): number[] {
  return quaternion.map((part) => part / Math.hypot(...quaternion));
}

function rotation([w, x, y, z]: readonly number[]): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

function matmul(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[][] {
  return a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
}

function transpose(a: readonly (readonly number[])[]): number[][] {
  return a[0].map((_, j) => a.map((row) => row[j]));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
