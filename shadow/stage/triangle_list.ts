/** Triangles on the sub-pixel grid. */

/** x and y of three corners, integers of at most `GUARD`. [triangles, 3, 2] */
export type SnappedTriangles = Int16Array;

/** A list of triangles that grows. */
export class TriangleList {
  #corners: Int16Array<ArrayBuffer>;
  #length = 0;

  /** Room for `triangles` before it has to grow. */
  constructor(triangles: number) {
    this.#corners = new Int16Array(Math.max(1, triangles) * VALUES);
  }

  push(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): void {
    if (this.#length + VALUES > this.#corners.length) {
      const grown = new Int16Array(this.#corners.length * 2);
      grown.set(this.#corners);
      this.#corners = grown;
    }
    const corners = this.#corners;
    const at = this.#length;
    corners[at] = ax;
    corners[at + 1] = ay;
    corners[at + 2] = bx;
    corners[at + 3] = by;
    corners[at + 4] = cx;
    corners[at + 5] = cy;
    this.#length = at + VALUES;
  }

  /** What was pushed; shares memory with the list. */
  triangles(): SnappedTriangles {
    return this.#corners.subarray(0, this.#length);
  }
}

const VALUES = 6;
