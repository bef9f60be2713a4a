/** How fast pictures are compressed for the log and the model. */
import { encode } from "fast-png";
import { blankImage, type Image } from "../../env/image.ts";
import { encodePng } from "../../env/png.ts";
import { stream } from "../../env/random.ts";
import { comparisonPicture } from "../../splat/pictures/comparison.ts";
import type { BenchRow } from "./bench_row.ts";

/** A comparison of eight views, by native zlib against fast-png's own deflate. */
export async function pngBench(): Promise<BenchRow[]> {
  const picture = comparison();
  const ours = await least(() => encodePng(picture));
  const theirs = await least(() => Promise.resolve(encode({ ...picture, channels: 3 })));
  return [{
    name: `PNG of ${picture.width} × ${picture.height}, against fast-png`,
    ratio: theirs / ours,
    wanted: null,
    detail: `${ours.toFixed(1)} and ${theirs.toFixed(1)} ms`,
  }];
}

function comparison(): Image {
  const draw = stream(0, "bench", "png");
  const views = Array.from({ length: 8 }, (_, view) => ({
    caption: `view ${view}`,
    photo: disc(draw.range(40, 90)),
    render: disc(draw.range(40, 90)),
  }));
  return comparisonPicture(views);
}

/** A shaded disc on white. */
function disc(radius: number): Image {
  const image = blankImage(256, 256);
  for (let y = 0; y < 256; y++) {
    for (let x = 0; x < 256; x++) {
      const distance = Math.hypot(x - 128, y - 128);
      if (distance < radius) image.data.set([200 - distance, 90 + distance, 40], (y * 256 + x) * 3);
    }
  }
  return image;
}

async function least(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let repetition = 0; repetition < 5; repetition++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
