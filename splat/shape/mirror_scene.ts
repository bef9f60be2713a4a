/** Mirror images and enlargements of scenes. */
import { multiply, type Quaternion } from "../../env/quaternion.ts";
import type { Gaussian, Scene } from "../scene.ts";

/**
 * The scene reflected across the vertical plane through the origin with the normal n = (cos f, sin f, 0).
 *
 * Means become A x with A = I − 2 n nᵀ. A is minus the half turn about n, and a covariance does not feel the sign, so
 * that A Σ Aᵀ is an ellipsoid turned half around: q' = (0, n) q.
 */
export function mirrored(scene: Scene, normalDeg: number): Scene {
  const angle = normalDeg * Math.PI / 180;
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  const halfTurn: Quaternion = [0, nx, ny, 0];
  return scene.map((gaussian): Gaussian => {
    const [x, y, z] = gaussian.mean;
    const along = 2 * (nx * x + ny * y);
    return {
      ...gaussian,
      mean: [x - along * nx, y - along * ny, z],
      quaternion: multiply(halfTurn, gaussian.quaternion),
    };
  });
}

/** The scene `factor` times as large, about the origin. */
export function enlarged(scene: Scene, factor: number): Scene {
  return scene.map((gaussian): Gaussian => {
    const [x, y, z] = gaussian.mean;
    const [a, b, c] = gaussian.scale;
    return {
      ...gaussian,
      mean: [factor * x, factor * y, factor * z],
      scale: [factor * a, factor * b, factor * c],
    };
  });
}
