/** Row filters of PNG, which make pictures compress better. https://www.w3.org/TR/png-3/ section 9 */

/**
 * Puts a filter byte before each row: of None, Sub and Up the one with the smallest sum of absolute differences,
 * estimated on every seventh byte.
 *
 * @param data rows of `stride` bytes
 * @param step bytes a pixel
 * @return [rows, 1 + stride]
 */
export function filterRows(data: Uint8Array, stride: number, step: number): Uint8Array {
  const rows = data.length / stride;
  const out = new Uint8Array(rows * (stride + 1));
  for (let row = 0; row < rows; row++) {
    const start = row * stride;
    const end = start + stride;
    const to = row * (stride + 1);
    const filter = cheapest(data, start, end, row === 0 ? 0 : stride, step);
    out[to] = filter;
    const back = filter === SUB ? step : filter === UP && row > 0 ? stride : 0;
    if (back === 0) {
      out.set(data.subarray(start, end), to + 1);
      continue;
    }
    const first = filter === SUB ? start + step : start;
    out.set(data.subarray(start, first), to + 1);
    for (let at = first, o = to + 1 + first - start; at < end; at++, o++) out[o] = data[at] - data[at - back];
  }
  return out;
}

const NONE = 0;
const SUB = 1;
const UP = 2;

/** `above` is the distance to the row above, 0 for the first row. */
function cheapest(data: Uint8Array, start: number, end: number, above: number, step: number): number {
  let [none, sub, up] = [0, 0, 0];
  for (let at = start + step; at < end; at += 7) {
    const value = data[at];
    none += Math.min(value, 256 - value);
    sub += distance(value, data[at - step]);
    up += distance(value, data[at - above]);
  }
  if (above > 0 && up <= sub && up <= none) return UP;
  return sub < none ? SUB : NONE;
}

function distance(a: number, b: number): number {
  const difference = a - b & 255;
  return difference < 128 ? difference : 256 - difference;
}
