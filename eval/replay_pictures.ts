/** Keeps pictures that a replay found different, to be looked at. */
import { join } from "node:path";
import type { Image } from "../env/image.ts";
import { encodePng } from "../env/png.ts";
import { writing } from "../tasks/file_errors.ts";
import { diskName } from "../tasks/run_folder.ts";
import { writeWhole } from "../tasks/json_lines.ts";
import type { OnPictures } from "./replay.ts";
import type { RecordColumns } from "./recording.ts";

/** Differences are shown this many times as strong. */
const GAIN = 8;

/**
 * Writes `<out>/<bench>/<setting>/<episode>/<step>_{recorded,now,difference}.png`.
 *
 * @throws BenchError where they cannot be written
 */
export function keepPictures(out: string, { bench, setting, episode_id }: RecordColumns): OnPictures {
  const folder = join(out, bench, setting, diskName(episode_id));
  return async (step, recorded, now) => {
    await writing(folder, () => Deno.mkdir(folder, { recursive: true }));
    const pictures = { recorded, now, difference: differenceOf(recorded, now) };
    for (const [name, picture] of Object.entries(pictures)) {
      if (picture === null) continue;
      const file = `${String(step).padStart(2, "0")}_${name}.png`;
      await writeWhole(join(folder, file), await encodePng(picture));
    }
  };
}

/** Black where they are alike; null where they have not the same size. */
function differenceOf(a: Image | null, b: Image | null): Image | null {
  if (a === null || b === null || a.width !== b.width || a.height !== b.height) return null;
  const data = a.data.map((value, at) => Math.min(255, GAIN * Math.abs(value - b.data[at])));
  return { width: a.width, height: a.height, data };
}
