/** Shaded pictures of the hands on the stage. */
import type { Image } from "../../env/image.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Hands } from "../hand/hand_model.ts";
import { type Pose, type Side, SIDES } from "../pose.ts";
import { PaintPass, type Shot, shotBytes } from "./paint_pass.ts";
import { SAMPLES } from "./paint_structs.ts";
import { type PosedHands, poseHands } from "./posed_hands.ts";
import { drawBehind, drawInFront } from "./stage_marks.ts";
import { type View, viewCamera } from "./views.ts";

/** One picture to paint. */
export interface PaintJob {
  readonly pose: Pose;
  readonly view: View;
  /** Pixels, each `PICTURE_SIDES`. */
  readonly width: number;
  readonly height: number;
}

/** Paints one pair of hands on one device. The same job gives the same bytes each time. */
export class HandPainter {
  readonly #gpu: Gpu;
  readonly #hands: Hands;
  readonly #pass: PaintPass;

  private constructor(gpu: Gpu, hands: Hands, pass: PaintPass) {
    this.#gpu = gpu;
    this.#hands = hands;
    this.#pass = pass;
  }

  /** Compiles the kernels and uploads the skin. Throws GpuError when the device refuses. */
  static async open(gpu: Gpu, hands: Hands): Promise<HandPainter> {
    return new HandPainter(gpu, hands, await PaintPass.create(gpu, hands));
  }

  /** Throws BenchError for a view or size that cannot be drawn. */
  async paint(pose: Pose, view: View, width: number, height: number): Promise<Image> {
    const [image] = await this.paintMany([{ pose, view, width, height }]);
    return image;
  }

  /** Several pictures in as few submits as fit the device. Throws as `paint`, before anything runs. */
  async paintMany(jobs: readonly PaintJob[]): Promise<Image[]> {
    const shots = jobs.map(({ pose, view, width, height }): StagedShot => {
      const hands = poseHands(this.#hands, pose);
      return { pose, hands, camera: viewCamera(view, SIDES.map((side) => hands[side].skin), width, height) };
    });
    const images: Image[] = [];
    for (const batch of batches(shots)) images.push(...await this.#submit(batch));
    return images;
  }

  /** Frees what the painter holds on the device. */
  destroy(): void {
    this.#pass.destroy();
  }

  async #submit(shots: readonly StagedShot[]): Promise<Image[]> {
    const painting = this.#pass.paint(shots);
    try {
      const [bytes] = await this.#gpu.submit("paint hands", painting.commands, [painting.pixels]);
      let at = 0;
      return shots.map((shot) => {
        const length = shot.camera.width * shot.camera.height * 4;
        at += length;
        return compose(shot, new Uint8Array(bytes, at - length, length));
      });
    } finally {
      painting.destroy();
    }
  }
}

interface StagedShot extends Shot {
  readonly hands: PosedHands;
}

/** Stage, hands over it, and what lies in front of them. `painted` is as shade.wgsl says. [pixels, 4] */
function compose({ camera, hands }: StagedShot, painted: Uint8Array): Image {
  const image = drawBehind(camera, hands);
  for (let pixel = 0; pixel < camera.width * camera.height; pixel++) {
    const behind = 1 - (painted[4 * pixel + 3] & COVERED) / (SAMPLES * SAMPLES);
    if (behind === 1) continue;
    for (let c = 0; c < 3; c++) {
      const color = behind * image.data[3 * pixel + c] + painted[4 * pixel + c];
      image.data[3 * pixel + c] = Math.min(255, Math.round(color));
    }
  }
  drawInFront(image, camera, hands, (x, y) => {
    if (x < 0 || y < 0 || x >= camera.width || y >= camera.height) return null;
    return handOf(painted[4 * (y * camera.width + x) + 3]);
  });
  return image;
}

/** The fourth byte of a pixel: covered samples, and a flag for the left hand. */
const COVERED = 0x7f;

function handOf(coverage: number): Side | null {
  if (coverage === 0) return null;
  return coverage > COVERED ? "left" : "right";
}

/** Bytes of samples a submit may take: far below what every device binds at once. */
const BATCH_BYTES = 64 * 2 ** 20;

function batches(shots: readonly StagedShot[]): StagedShot[][] {
  const cut: StagedShot[][] = [];
  let room = 0;
  for (const shot of shots) {
    const bytes = shotBytes(shot.camera);
    if (cut.length === 0 || bytes > room) {
      cut.push([]);
      room = BATCH_BYTES;
    }
    cut[cut.length - 1].push(shot);
    room -= bytes;
  }
  return cut;
}
