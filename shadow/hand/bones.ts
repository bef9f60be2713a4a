/** What carries the skin. Bones are numbered; the numbers are those of `HandModel.boneIndices`. */
import { type Segment, SEGMENTS } from "./hand_model.ts";

export interface Bone {
  readonly name: string;
  /** The part of the skin that moves with it. */
  readonly segment: Segment;
}

/** The forearm's roll grows linearly over this many bones, from nothing at the elbow to all of it at the wrist. */
export const TWIST_BONES = 5;

/**
 * In order: the twist bones from elbow to wrist, the wrist (bends half as far as the palm, so that the skin does not
 * pinch), the palm, then one for each part of thumb and fingers, named as its segment.
 */
export const BONES: readonly Bone[] = [
  ...Array.from({ length: TWIST_BONES }, (_, i) => ({ name: `forearm ${i}`, segment: "forearm" as const })),
  { name: "wrist", segment: "forearm" },
  ...SEGMENTS.filter((segment) => segment !== "forearm").map((segment) => ({ name: segment, segment })),
];

/** Number of a bone; the caller knows its name. */
export function boneIndex(name: string): number {
  return BONES.findIndex((bone) => bone.name === name);
}

/** Most bones that carry a vertex. */
export const INFLUENCES = 4;

export const WRIST_BONE = TWIST_BONES;
export const PALM_BONE = TWIST_BONES + 1;
