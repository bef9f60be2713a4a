/** A hand's skin prepared for contact tests: its triangles by part, and what may touch what. */
import { FINGERS } from "../hand/controls.ts";
import { type HandModel, type Segment, SEGMENTS } from "../hand/hand_model.ts";

/**
 * Parts joined by a joint, whose skin folds into itself when the joint bends; and forearm and thumb base, where the skin
 * of three parts meets.
 */
export const JOINED: readonly (readonly [Segment, Segment])[] = [
  ["forearm", "palm"],
  ["forearm", "thumb base"],
  ["palm", "thumb base"],
  ["thumb base", "thumb middle"],
  ["thumb middle", "thumb tip"],
  ...FINGERS.flatMap((finger) =>
    [
      ["palm", `${finger} base`],
      [`${finger} base`, `${finger} middle`],
      [`${finger} middle`, `${finger} tip`],
    ] as const
  ),
];

/**
 * Triangles with corners nearer than this at rest, metres, never count as touching. Between the bases of neighbouring
 * fingers the distance is larger, because the web between them folds: `docs/hands.md`, "False contacts".
 */
export const REST_CLOSE = 0.006;
export const WEB_CLOSE = 0.014;

/** `part` is an index into `SEGMENTS`, a triangle an index into `corners`. */
export interface ContactMesh {
  readonly model: HandModel;
  /** 3 × vertex index, triangles in order of their part. [triangles, 3] */
  readonly corners: Uint32Array;
  /** First triangle of a part; the next part's is the end. [parts + 1] */
  readonly starts: Uint32Array;
  /** Bit `part` of each vertex that a triangle of the part has. [vertices] */
  readonly vertexParts: Uint32Array;
  /** Parts of one hand that are tested against each other, the lower first. [pairs, 2] */
  readonly pairs: readonly (readonly [number, number])[];
  /** Whether two triangles of such parts, the lower part's first, are close at rest. */
  closeAtRest(a: number, b: number): boolean;
}

export function contactMesh(model: HandModel): ContactMesh {
  const triangles = model.segments.length;
  const order = Uint32Array.from({ length: triangles }, (_, t) => t).sort((a, b) =>
    model.segments[a] - model.segments[b] || a - b
  );
  const corners = new Uint32Array(3 * triangles);
  const partOf = model.segments.toSorted();
  const starts = new Uint32Array(SEGMENTS.length + 1);
  const vertexParts = new Uint32Array(model.positions.length / 3);
  order.forEach((from, to) => {
    const part = model.segments[from];
    starts[part + 1] = to + 1;
    for (let k = 0; k < 3; k++) {
      const vertex = model.triangles[3 * from + k];
      corners[3 * to + k] = 3 * vertex;
      vertexParts[vertex] |= 1 << part;
    }
  });
  // A part without triangles ends where the one before it does.
  for (let part = 1; part <= SEGMENTS.length; part++) starts[part] = Math.max(starts[part], starts[part - 1]);

  const pairs = testedPairs();
  const close = closePairs(model.positions, corners, partOf, pairs);
  return {
    model,
    corners,
    starts,
    vertexParts,
    pairs,
    closeAtRest: (a, b) => close.has(a * triangles + b),
  };
}

function testedPairs(): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < SEGMENTS.length; i++) {
    for (let j = i + 1; j < SEGMENTS.length; j++) {
      if (!JOINED.some(([a, b]) => a === SEGMENTS[i] && b === SEGMENTS[j])) pairs.push([i, j]);
    }
  }
  return pairs;
}

/** Keys a · triangles + b of the triangles of tested pairs that have two corners close at rest. */
function closePairs(
  positions: Float64Array,
  corners: Uint32Array,
  partOf: Uint8Array,
  pairs: readonly (readonly [number, number])[],
): Set<number> {
  /** Of a tested pair of parts, metres; nothing for the others. */
  const distances = new Map(
    pairs.map(([i, j]) => [i * SEGMENTS.length + j, sharesWeb(i, j) ? WEB_CLOSE : REST_CLOSE]),
  );
  const around: number[][] = Array.from({ length: positions.length / 3 }, () => []);
  corners.forEach((corner, i) => around[corner / 3].push(Math.floor(i / 3)));
  const close = new Set<number>();
  for (let u = 0; u < positions.length; u += 3) {
    for (let v = 0; v < positions.length; v += 3) {
      const dx = positions[u] - positions[v], dy = positions[u + 1] - positions[v + 1];
      const dz = positions[u + 2] - positions[v + 2];
      const squared = dx * dx + dy * dy + dz * dz;
      if (squared >= WEB_CLOSE * WEB_CLOSE) continue;
      const distance = Math.sqrt(squared);
      for (const a of around[u / 3]) {
        for (const b of around[v / 3]) {
          const least = distances.get(partOf[a] * SEGMENTS.length + partOf[b]);
          if (least !== undefined && distance < least) close.add(a * partOf.length + b);
        }
      }
    }
  }
  return close;
}

/** Whether parts i < j are the bases of neighbouring fingers. */
function sharesWeb(i: number, j: number): boolean {
  return FINGERS.some((finger, k) =>
    SEGMENTS[i] === `${finger} base` && SEGMENTS[j] === `${FINGERS[k + 1]} base`
  );
}
