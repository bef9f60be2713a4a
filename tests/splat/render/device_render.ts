/** Draws views by a render pass alone, for tests. */
import type { Gpu } from "../../../gpu/device.ts";
import type { Camera } from "../../../splat/camera.ts";
import type { RenderProfile } from "../../../splat/render/profile.ts";
import type { Culling } from "../../../splat/render/render_kernels.ts";
import { Canvas } from "../../../splat/render/canvas.ts";
import { RenderPass } from "../../../splat/render/render_pass.ts";
import type { Scene } from "../../../splat/scene.ts";

/** Each view `[height, width, 4]`: RGB, then transmittance. All cameras have one size; one submit. */
export async function deviceRender(
  gpu: Gpu,
  profile: RenderProfile,
  views: readonly { scene: Scene; camera: Camera }[],
  culling?: Culling,
): Promise<Float32Array[]> {
  const pass = await RenderPass.create(gpu, profile, culling);
  const { width, height } = views[0].camera;
  const canvas = new Canvas(gpu, width, height, views.length);
  const drawing = pass.draw({
    scenes: views.map(({ scene }) => scene),
    views: views.map(({ camera }, scene) => ({ scene, camera })),
  }, canvas);
  try {
    const [bytes] = await gpu.submit("test", drawing.commands, [canvas.rendered]);
    const length = width * height * 4;
    return views.map((_, at) => new Float32Array(bytes, at * length * 4, length));
  } finally {
    drawing.destroy();
    canvas.destroy();
  }
}

/** RGB and transmittance of the pixel in column x, row y. */
export function pixelAt(picture: Float32Array, width: number, x: number, y: number): number[] {
  return [...picture.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

/** Largest difference of two pictures; NaN counts as infinite. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = a.length === b.length ? 0 : Infinity;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
  }
  return largest;
}
