/** A silhouette as a drawing: its exact outline along the borders of pixels. */
import { type Mask, maskAt } from "../stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../stage/stage.ts";

/** Corner of a pixel: column and row from the upper left of the mask. */
type Corner = readonly [number, number];

/**
 * An SVG of 512 × 384 units, one a pixel, whose black is exactly the shadow: closed polygons for outlines and holes
 * alike, filled by the even-odd rule.
 */
export function outlineSvg(mask: Mask): string {
  const path = traceOutline(mask).map(pathText).join("");
  const size = `width="${MASK_WIDTH}" height="${MASK_HEIGHT}" viewBox="0 0 ${MASK_WIDTH} ${MASK_HEIGHT}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><path fill-rule="evenodd" d="${path}"/></svg>`;
}

/** Every closed border between shadow and light, shadow on the right; corners where it turns, in order. */
export function traceOutline(mask: Mask): Corner[][] {
  const edges = borderEdges(mask);
  const outlines: Corner[][] = [];
  for (const start of edges.keys()) {
    while (edges.has(start)) outlines.push(walk(edges, start));
  }
  return outlines;
}

const KEY_STRIDE = MASK_WIDTH + 1;
const keyOf = (x: number, y: number): number => y * KEY_STRIDE + x;
const cornerOf = (key: number): Corner => [key % KEY_STRIDE, Math.floor(key / KEY_STRIDE)];

/** Ends of the edges that begin at a corner; two where shadow meets shadow at a corner only. */
function borderEdges(mask: Mask): Map<number, number[]> {
  const edges = new Map<number, number[]>();
  const add = (from: number, to: number) => {
    const others = edges.get(from);
    if (others === undefined) edges.set(from, [to]);
    else others.push(to);
  };
  const dark = (x: number, y: number) =>
    x >= 0 && x < MASK_WIDTH && y >= 0 && y < MASK_HEIGHT && maskAt(mask, x, y);
  for (let y = 0; y < MASK_HEIGHT; y++) {
    for (let x = 0; x < MASK_WIDTH; x++) {
      if (!dark(x, y)) continue;
      if (!dark(x, y - 1)) add(keyOf(x, y), keyOf(x + 1, y));
      if (!dark(x + 1, y)) add(keyOf(x + 1, y), keyOf(x + 1, y + 1));
      if (!dark(x, y + 1)) add(keyOf(x + 1, y + 1), keyOf(x, y + 1));
      if (!dark(x - 1, y)) add(keyOf(x, y + 1), keyOf(x, y));
    }
  }
  return edges;
}

/** Takes one closed border out of the edges; its corners are where the direction changes. */
function walk(edges: Map<number, number[]>, start: number): Corner[] {
  const steps: { from: number; by: number }[] = [];
  for (let at = start; steps.length === 0 || at !== start;) {
    const next = takeEdge(edges, at);
    steps.push({ from: at, by: next - at });
    at = next;
  }
  return steps.filter(({ by }, i) => by !== steps.at(i - 1)?.by).map(({ from }) => cornerOf(from));
}

function takeEdge(edges: Map<number, number[]>, from: number): number {
  const [next, ...others] = edges.get(from) ?? [from];
  if (others.length === 0) edges.delete(from);
  else edges.set(from, others);
  return next;
}

function pathText(corners: readonly Corner[]): string {
  const [[x, y], ...others] = corners;
  let last: Corner = [x, y];
  const lines = others.map((corner) => {
    const line = corner[1] === last[1] ? `H${corner[0]}` : `V${corner[1]}`;
    last = corner;
    return line;
  });
  return `M${x} ${y}${lines.join("")}Z`;
}
