/** A skinned hand with its forearm, one side, at rest. `load_hand.ts` makes it, `skin.ts` poses it. */
import type { Vector3 } from "../../env/vector3.ts";
import type { Side } from "../pose.ts";
import type { Finger } from "./controls.ts";

/** Parts of the skin that rules tell apart. */
export const SEGMENTS = [
  "forearm",
  "palm",
  "thumb base",
  "thumb middle",
  "thumb tip",
  "index base",
  "index middle",
  "index tip",
  "middle base",
  "middle middle",
  "middle tip",
  "ring base",
  "ring middle",
  "ring tip",
  "little base",
  "little middle",
  "little tip",
] as const;
export type Segment = typeof SEGMENTS[number];

/** Joint centres in the rest frame, metres; a chain ends with its tip. */
export interface JointCentres {
  readonly wrist: Vector3;
  readonly elbow: Vector3;
  /** Metacarpal (CMC), MCP, IP, tip. */
  readonly thumb: readonly [Vector3, Vector3, Vector3, Vector3];
  /** Metacarpal, MCP, PIP, DIP, tip. */
  readonly fingers: Readonly<Record<Finger, readonly [Vector3, Vector3, Vector3, Vector3, Vector3]>>;
}

/**
 * Rest frame: metres, wrist at the origin, fingers along +y, palm to −z, thumb at −x on the right hand and +x on the
 * left. The skin is a closed two-manifold, triangles counter-clockwise from outside.
 */
export interface HandModel {
  /** `generic-hand`, or the file's name. */
  readonly name: string;
  /** sha256 over geometry, weights and joints of the right hand; the same for both sides. */
  readonly hash: string;
  readonly side: Side;
  /** [vertices, 3] */
  readonly positions: Float64Array;
  /** [triangles, 3] */
  readonly triangles: Uint32Array;
  /** Bones of `bones.ts`. [vertices, 4] */
  readonly boneIndices: Uint8Array;
  /** Sum 1 a vertex, largest first. [vertices, 4] */
  readonly boneWeights: Float64Array;
  readonly joints: JointCentres;
  /** Index into `SEGMENTS` of the part with the greatest summed weight. [triangles] */
  readonly segments: Uint8Array;
}

/** Both sides of one model; the left is the exact mirror of the right (x → −x, triangles turned). */
export type Hands = Readonly<Record<Side, HandModel>>;
