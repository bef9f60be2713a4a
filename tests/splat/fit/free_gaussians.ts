/** Seeded free parameters for gradient tests: anisotropic, rotated, overlapping, one beside the picture. */
import { stream } from "../../../env/random.ts";
import { type Camera, cameraEye } from "../../../splat/camera.ts";
import { oddCamera } from "../render/random_scenes.ts";

/**
 * Mean 3, log-scale 3, quaternion 4 of any length, opacity logit, colour logits 3; the last Gaussian lies where the
 * Jacobian is clamped, on a side that reaches into the picture.
 */
export function freeGaussians(seed: number, count: number, camera: Camera): number[][] {
  const draw = stream(seed, "free parameters");
  return Array.from({ length: count }, (_, index) => {
    const mean = [draw.range(-0.5, 0.5), draw.range(-0.5, 0.5), draw.range(-0.5, 0.5)];
    const scale = [draw.range(0.04, 0.3), draw.range(0.04, 0.3), draw.range(0.02, 0.1)];
    const aside = index === count - 1;
    return [
      ...(aside ? besides(camera) : mean),
      ...scale.map((s) => Math.log(aside ? 4 * s : s)),
      ...[1, 1, 1, 1].map(() => 1.7 * draw.normal()),
      draw.range(-1, 2.5),
      ...[1, 1, 1].map(() => draw.range(-2, 2)),
    ];
  });
}

/** Non-square, principal point off centre, two different focal lengths. */
export function gradientCamera(seed: number, width = 47, height = 34): Camera {
  return oddCamera(seed, width, height);
}

/** Two units ahead, 1.9 half pictures to the right and 0.2 down. */
function besides(camera: Camera): number[] {
  const [right, down, forward] = camera.rotation;
  const x = 2 * 1.9 * camera.width / (2 * camera.fx);
  const y = 2 * 0.2 * camera.height / (2 * camera.fy);
  return cameraEye(camera).map((place, k) => place + 2 * forward[k] + x * right[k] + y * down[k]);
}
