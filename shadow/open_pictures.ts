/** Pictures on a device. */
import { RenderQueue } from "../env/render_queue.ts";
import { openGpu } from "../gpu/device.ts";
import type { Hands } from "./hand/hand_model.ts";
import { HandPainter, type PaintJob } from "./pictures/hand_painter.ts";
import { LOOK_PANELS, lookPicture } from "./pictures/look.ts";
import type { OpenPictures } from "./stage_pool.ts";

/** Most pictures of the hands in one batch. */
const MAX_BATCH = 16;

/** @param device `auto`, `gpu`, `software`, or part of an adapter's name */
export async function openPictures(device: string, hands: Hands): Promise<OpenPictures> {
  const gpu = await openGpu(device);
  try {
    const painter = await HandPainter.open(gpu, hands);
    const queue = new RenderQueue((jobs: readonly PaintJob[]) => painter.paintMany(jobs), MAX_BATCH);
    const { width, height } = LOOK_PANELS.hands;
    return {
      device: gpu.name,
      look: async (target, shadow, pose, view) => {
        const painted = await queue.request({ pose, view, width, height });
        return lookPicture({ target, shadow, hands: painted, view });
      },
      close: () => gpu.close(),
    };
  } catch (error) {
    gpu.close();
    throw error;
  }
}
