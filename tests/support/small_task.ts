/** An embedded task with photos of a quarter of their size, where LPIPS would take long. */
import { compositeOnWhite, decodePng, encodePngStable } from "../../env/png.ts";
import { blankImage } from "../../env/image.ts";
import { EMBEDDED_TASKS } from "../../tasks/embedded_tasks.ts";
import type { TaskFile } from "../../tasks/task_file.ts";

const FACTOR = 4;

/** The task file of an embedded task: 64 × 64 pixels, each the mean of 4 × 4. */
export async function smallTask(id: string): Promise<TaskFile> {
  const source = EMBEDDED_TASKS.find((task) => task.id === id);
  if (source === undefined) throw new Error(`no embedded task is called ${id}`);
  const task = await source.load();
  return { ...task, reference: task.reference.map(smallView), held_out: task.held_out.map(smallView) };
}

function smallView({ camera, photo }: TaskFile["reference"][number]): TaskFile["reference"][number] {
  const { fx, fy, cx, cy } = camera;
  return {
    camera: { ...camera, fx: fx / FACTOR, fy: fy / FACTOR, cx: cx / FACTOR, cy: cy / FACTOR },
    photo: smallPhoto(photo),
  };
}

function smallPhoto(base64: string): string {
  const { width, height, data } = compositeOnWhite(decodePng(Uint8Array.fromBase64(base64)));
  const small = blankImage(width / FACTOR, height / FACTOR);
  for (let at = 0; at < small.data.length; at++) {
    const [x, y] = [Math.floor(at / 3) % small.width, Math.floor(at / 3 / small.width)];
    let sum = 0;
    for (let row = 0; row < FACTOR; row++) {
      for (let column = 0; column < FACTOR; column++) {
        sum += data[3 * ((FACTOR * y + row) * width + FACTOR * x + column) + at % 3];
      }
    }
    small.data[at] = Math.round(sum / FACTOR ** 2);
  }
  return encodePngStable(small).toBase64();
}
