/** What goes into the batched renderer and what comes out; `renderer.ts` is the pipeline itself. */
import type { Image } from "../../env/image.ts";
import type { Camera } from "../camera.ts";
import type { Scene } from "../scene.ts";

/** Photos kept on the device, one size; made by `Renderer.photos`, freed by `destroy`. */
export interface PhotoSet {
  readonly width: number;
  readonly height: number;
  readonly count: number;
  /** Some of them, in this order. What they take on the device is shared: only the whole set is destroyed. */
  pick(indices: readonly number[]): PhotoSet;
  destroy(): void;
}

/** One scene seen from some cameras. All cameras of a job have one picture size; jobs may differ. */
export interface RenderJob {
  scene: Scene;
  cameras: readonly Camera[];
  /** One photo per camera, in the same order, to measure against; null to only draw. */
  photos: PhotoSet | null;
  /** Whether the pixels are read back; metrics come along whenever there are photos. */
  pixels: boolean;
}

/** One picture measured against its photo. */
export interface ViewMetrics {
  /** dB, data range 1, capped for identical pictures (`MetricProfile.psnr.cap`). */
  psnr: number;
  ssim: number;
  /** Silhouette intersection over union; 1 for two empty silhouettes. */
  iou: number;
  /** LPIPS; only against photos that were prepared for it. */
  lpips?: number;
}

export interface RenderedView {
  /** Row-major [height, width, 4]: RGB composited on the background, in [0, 1], then transmittance; null unless asked. */
  rgbt: Float32Array | null;
  metrics: ViewMetrics | null;
}

export interface SceneRenderer {
  /** Photos to show a model how its scene compares: PSNR, SSIM and IoU. */
  photos(images: readonly Image[]): PhotoSet;
  /** Photos to score against: with LPIPS where the renderer has its weights. */
  scoredPhotos(images: readonly Image[]): Promise<PhotoSet>;
  /** All jobs in as few submits as fit; one result per camera of each job. */
  render(jobs: readonly RenderJob[]): Promise<RenderedView[][]>;
}

/** 8-bit picture of a rendered view, rounded to nearest. */
export function viewImage(rgbt: Float32Array, width: number, height: number): Image {
  const data = new Uint8Array(width * height * 3);
  for (let to = 0, from = 0; to < data.length; to += 3, from += 4) {
    // Storing drops the fraction; 255 of a float32 and a half are exact in float64.
    data[to] = 255 * rgbt[from] + 0.5;
    data[to + 1] = 255 * rgbt[from + 1] + 0.5;
    data[to + 2] = 255 * rgbt[from + 2] + 0.5;
  }
  return { width, height, data };
}
