/** Mirror images and enlargements of scenes. */
import { multiply, type Quaternion } from "../../env/quaternion.ts";
import type { Gaussian, Scene } from "../scene.ts";

/**
 * The scene reflected across the vertical plane through the origin with the normal n = (cos f, sin f, 0).
 *
 * Means become A x with A = I − 2 n nᵀ. Covariances become A Σ Aᵀ, which a rotation can say as well: A R diag(1, 1, −1)
 * has determinant 1, and A = −Rot(n, 180°), diag(1, 1, −1) = −Rot(z, 180°). Hence q' = (0, n) q (0, z).
 */
export function mirrored(scene: Scene, normalDeg: number): Scene {
  const angle = normalDeg * Math.PI / 180;
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  const halfTurnN: Quaternion = [0, nx, ny, 0];
  return scene.map((gaussian): Gaussian => {
    const [x, y, z] = gaussian.mean;
    const along = 2 * (nx * x + ny * y);
    return {
      ...gaussian,
      mean: [x - along * nx, y - along * ny, z],
      quaternion: multiply(halfTurnN, multiply(gaussian.quaternion, HALF_TURN_Z)),
    };
  });
}

const HALF_TURN_Z: Quaternion = [0, 0, 0, 1];

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
