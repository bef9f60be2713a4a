/** Weights along the arm: the bend of the wrist and the twist of the forearm, each spread so that no ring collapses. */
import { smoothStep } from "../smooth_step.ts";
import { BONES, INFLUENCES, PALM_BONE, TWIST_BONES, WRIST_BONE } from "./bones.ts";
import type { JointCentres } from "./hand_model.ts";
import type { SkinMesh, Weights } from "./skin_mesh.ts";

/** Metres below and above the wrist between which its bend grows from nothing to all. */
const BEND_BELOW = 0.035;
const BEND_ABOVE = 0.025;

/** A stitched hand, its wrist blended from forearm to palm over the wrist's own bone. */
export function blendWrist({ vertices, triangles }: SkinMesh): SkinMesh {
  return {
    triangles,
    vertices: vertices.map(({ position, weights }) => ({ position, weights: blended(weights, position[1]) })),
  };
}

/** What hangs on the forearm, spread over its twist bones by its height, so that all of a ring twists alike. */
export function spreadTwist({ vertices, triangles }: SkinMesh, { wrist, elbow }: JointCentres): SkinMesh {
  return {
    triangles,
    vertices: vertices.map(({ position, weights }) => {
      const share = Math.min(1, Math.max(0, (position[1] - elbow[1]) / (wrist[1] - elbow[1])));
      const along = share * (TWIST_BONES - 1);
      const lower = Math.min(TWIST_BONES - 2, Math.floor(along));
      return { position, weights: twisted(weights, lower, along - lower) };
    }),
  };
}

/** The four greatest weights, greatest first, scaled to the sum 1. */
export function strongest(weights: Weights): [bone: number, weight: number][] {
  const kept = [...weights].filter(([, weight]) => weight > 0)
    .sort(([a, v], [b, w]) => w - v || a - b).slice(0, INFLUENCES);
  const sum = kept.reduce((total, [, weight]) => total + weight, 0);
  return kept.map(([bone, weight]) => [bone, weight / sum]);
}

function blended(weights: Weights, height: number): Weights {
  const bend = smoothStep((height + BEND_BELOW) / (BEND_ABOVE + BEND_BELOW));
  const palm = Math.max(0, 2 * bend - 1), forearm = Math.max(0, 1 - 2 * bend);
  const hand = [...weights].filter(([bone]) => BONES[bone].segment !== "forearm");
  const handSum = hand.reduce((sum, [, weight]) => sum + weight, 0);
  const shares = handSum > 0 ? hand : [[PALM_BONE, 1] as const];
  return new Map([
    ...shares.map(([bone, weight]) => [bone, weight * palm / (handSum || 1)] as const),
    [WRIST_BONE, 1 - palm - forearm],
    [0, forearm],
  ]);
}

function twisted(weights: Weights, lower: number, share: number): Weights {
  const forearm = weights.get(0);
  if (forearm === undefined) return weights;
  const spread = new Map(weights);
  spread.set(lower, forearm * (1 - share));
  spread.set(lower + 1, forearm * share);
  if (lower !== 0) spread.delete(0);
  return spread;
}
