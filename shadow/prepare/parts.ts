/** Connected parts of black-and-white pictures. */

/** A black-and-white picture; 1 is shape. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** 0 or 1. [height, width] */
  readonly pixels: Uint8Array;
}

export interface Parts {
  /** Index of each pixel's part, or −1 where the pixel has the other value. [height, width] */
  readonly labels: Int32Array;
  /** Pixels by part. */
  readonly areas: readonly number[];
  /** Whether a part touches the picture's border. */
  readonly atBorder: readonly boolean[];
}

/**
 * The parts of shape (`value` 1), which hang together at corners too, or of ground (0), which do so at edges alone: so
 * no line of shape that is closed at corners leaks.
 */
export function connectedParts({ width, height, pixels }: Bitmap, value: 0 | 1): Parts {
  const labels = new Int32Array(width * height).fill(-1);
  const [areas, atBorder]: [number[], boolean[]] = [[], []];
  const pending: number[] = [];
  for (let start = 0; start < pixels.length; start++) {
    if (pixels[start] !== value || labels[start] >= 0) continue;
    const part = areas.length;
    areas.push(0);
    atBorder.push(false);
    labels[start] = part;
    pending.push(start);
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      areas[part]++;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) atBorder[part] = true;
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const next = v * width + u;
          if (value === 0 && u !== x && v !== y) continue;
          if (pixels[next] !== value || labels[next] >= 0) continue;
          labels[next] = part;
          pending.push(next);
        }
      }
    }
  }
  return { labels, areas, atBorder };
}

/** The shape without parts smaller than `leastArea`. */
export function withoutSpecks(bitmap: Bitmap, leastArea: number): Bitmap {
  const { labels, areas } = connectedParts(bitmap, 1);
  return {
    ...bitmap,
    pixels: bitmap.pixels.map((value, i) => value === 1 && areas[labels[i]] >= leastArea ? 1 : 0),
  };
}

/** The shape with holes smaller than `leastArea` filled; ground that touches the border is no hole. */
export function withoutPinholes(bitmap: Bitmap, leastArea: number): Bitmap {
  const { labels, areas, atBorder } = connectedParts(bitmap, 0);
  const filled = areas.map((area, part) => area < leastArea && !atBorder[part]);
  return { ...bitmap, pixels: bitmap.pixels.map((value, i) => value === 1 || filled[labels[i]] ? 1 : 0) };
}
