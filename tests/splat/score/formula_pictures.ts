/** Pictures of an integer formula: byte for byte those of `tests/golden/metrics/generate.py`. */
import type { Image } from "../../../env/image.ts";

export type PictureKind = "smooth" | "noisy" | "rough" | "near" | "white" | "object";

export function formulaPicture(kind: PictureKind, width: number, height: number, seed: number): Image {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) data[(y * width + x) * 3 + c] = value(kind, width, height, seed, x, y, c);
    }
  }
  return { width, height, data };
}

/**
 * A picture as a rendered view, `[height, width, 4]`: its float32 colours, and a transmittance of 1 where the picture
 * is paper by the silhouette rule of photos, else 0.
 */
export function asRendered({ width, height, data }: Image): Float32Array {
  const rgbt = new Float32Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) rgbt[4 * i + c] = data[3 * i + c] / 255;
    rgbt[4 * i + 3] = Number(data.subarray(3 * i, 3 * i + 3).every((value) => value >= 0.95 * 255));
  }
  return rgbt;
}

function value(
  kind: PictureKind,
  width: number,
  height: number,
  seed: number,
  x: number,
  y: number,
  c: number,
): number {
  const smooth = triangle(x * 4 + y * 3 + c * 60);
  switch (kind) {
    case "smooth":
      return smooth;
    case "noisy":
      return mix(x, y, c, seed) & 255;
    case "rough":
      return clamp(smooth + mix(x, y, c, seed) % 61 - 30);
    case "near":
      return clamp(smooth + mix(x, y, c, seed) % 3 - 1);
    case "white":
      return 255;
    case "object": {
      const inside = x * 3 >= width && x * 5 < width * 3 && y * 4 >= height && y * 3 < height * 2;
      return inside ? triangle(x * 9 + y * 5 + c * 90 + seed) : 255;
    }
  }
}

function triangle(n: number): number {
  const t = n % 510;
  return t <= 255 ? t : 510 - t;
}

function mix(x: number, y: number, c: number, seed: number): number {
  let h = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(c, 83492791) ^ Math.imul(seed, 40503);
  h = Math.imul(h ^ h >>> 13, 1274126177);
  return (h ^ h >>> 16) >>> 0;
}

const clamp = (n: number) => Math.max(0, Math.min(255, n));
