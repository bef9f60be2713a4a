/** One hand's skin at a pose, with the boxes around its triangles and parts. */
import { SEGMENTS } from "../hand/hand_model.ts";
import { skinHand } from "../hand/skin.ts";
import type { HandPose } from "../pose.ts";
import type { ContactMesh } from "./contact_mesh.ts";

/** A box is least x, y, z, then largest x, y, z. */
const BOX = 6;

export class PosedSkin {
  readonly mesh: ContactMesh;
  /** Around each triangle, in the mesh's order. [triangles, 6] */
  readonly triangleBoxes: Float64Array;
  /** [parts, 6] */
  readonly partBoxes = new Float64Array(BOX * SEGMENTS.length);
  /** Around the whole hand. [6] */
  readonly box = new Float64Array(BOX);
  /** Bits of the parts that were elsewhere at some time since `place`. */
  moved = 0;
  #positions: Float64Array;
  #proposed: Float64Array;
  #proposedMoves = 0;

  constructor(mesh: ContactMesh) {
    this.mesh = mesh;
    this.triangleBoxes = new Float64Array(2 * mesh.corners.length);
    this.#positions = new Float64Array(mesh.model.positions.length);
    this.#proposed = new Float64Array(mesh.model.positions.length);
  }

  /** World positions, metres. [vertices, 3] */
  get positions(): Float64Array {
    return this.#positions;
  }

  /** Puts the hand at a pose. */
  place(pose: HandPose): void {
    skinHand(this.mesh.model, pose, this.#positions);
    this.moved = 0;
    this.#updateBoxes();
  }

  /** Tries a pose next to the present one and returns how far a vertex travels to it at most, metres. */
  propose(pose: HandPose): number {
    skinHand(this.mesh.model, pose, this.#proposed);
    const [p, q] = [this.#positions, this.#proposed];
    const { vertexParts } = this.mesh;
    let longest = 0;
    this.#proposedMoves = 0;
    for (let i = 0; i < p.length; i += 3) {
      const dx = q[i] - p[i], dy = q[i + 1] - p[i + 1], dz = q[i + 2] - p[i + 2];
      const squared = dx * dx + dy * dy + dz * dz;
      if (dx !== 0 || dy !== 0 || dz !== 0) this.#proposedMoves |= vertexParts[i / 3];
      if (squared > longest) longest = squared;
    }
    return Math.sqrt(longest);
  }

  /** Makes the pose last proposed the present one. */
  advance(): void {
    [this.#positions, this.#proposed] = [this.#proposed, this.#positions];
    this.moved |= this.#proposedMoves;
    this.#updateBoxes();
  }

  #updateBoxes(): void {
    const { corners, starts } = this.mesh;
    const { triangleBoxes, partBoxes, box } = this;
    const p = this.#positions;
    clear(box, 0);
    for (let part = 0; part < SEGMENTS.length; part++) {
      const partBox = BOX * part;
      clear(partBoxes, partBox);
      for (let t = starts[part]; t < starts[part + 1]; t++) {
        const a = corners[3 * t], b = corners[3 * t + 1], c = corners[3 * t + 2];
        for (let axis = 0; axis < 3; axis++) {
          const x = p[a + axis], y = p[b + axis], z = p[c + axis];
          const low = x < y ? (x < z ? x : z) : y < z ? y : z;
          const high = x > y ? (x > z ? x : z) : y > z ? y : z;
          triangleBoxes[BOX * t + axis] = low;
          triangleBoxes[BOX * t + axis + 3] = high;
          if (low < partBoxes[partBox + axis]) partBoxes[partBox + axis] = low;
          if (high > partBoxes[partBox + axis + 3]) partBoxes[partBox + axis + 3] = high;
        }
      }
      grow(box, partBoxes, partBox);
    }
  }
}

/** Whether box `i` of one list and box `j` of another share a point. */
export function boxesMeet(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  i *= BOX;
  j *= BOX;
  return a[i] <= b[j + 3] && a[i + 3] >= b[j] && a[i + 1] <= b[j + 4] && a[i + 4] >= b[j + 1] &&
    a[i + 2] <= b[j + 5] && a[i + 5] >= b[j + 2];
}

/** Square of the distance between box `i` of one list and box `j` of another; infinite for the box of nothing. */
export function boxDistanceSquared(a: Float64Array, i: number, b: Float64Array, j: number): number {
  i *= BOX;
  j *= BOX;
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const apart = Math.max(0, a[i + axis] - b[j + axis + 3], b[j + axis] - a[i + axis + 3]);
    sum += apart * apart;
  }
  return sum;
}

function clear(boxes: Float64Array, at: number): void {
  boxes.fill(Infinity, at, at + 3);
  boxes.fill(-Infinity, at + 3, at + BOX);
}

function grow(box: Float64Array, boxes: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = Math.min(box[axis], boxes[at + axis]);
    box[axis + 3] = Math.max(box[axis + 3], boxes[at + axis + 3]);
  }
}
