/** Forward kinematics and linear-blend skinning in float64. */
import type { Vector3 } from "../../env/vector3.ts";
import type { HandPose } from "../pose.ts";
import { BONES, INFLUENCES } from "./bones.ts";
import type { HandModel } from "./hand_model.ts";
import { turnsOf } from "./turns.ts";

/** Numbers of a bone's matrix: row-major 3×4, [R | t]. */
export const BONE_STRIDE = 12;

/** What takes each bone's rest skin to the world: x ↦ R x + t, metres. [bones, 12] */
export function boneMatrices(model: HandModel, pose: HandPose): Float64Array {
  const matrices = new Float64Array(BONES.length * BONE_STRIDE);
  placeRoot(matrices, pose);
  for (const { bone, parent, control, share, axis, pivot } of turnsOf(model)) {
    turnBone(matrices, bone * BONE_STRIDE, parent * BONE_STRIDE, axis, pivot, share * pose.angles[control]);
  }
  return matrices;
}

/**
 * World positions of the posed skin, metres: Σ wᵢ (Rᵢ x + tᵢ) over a vertex' bones.
 *
 * @param out - written and returned instead of a new array [vertices, 3]
 */
export function skinHand(model: HandModel, pose: HandPose, out?: Float64Array): Float64Array {
  const { positions, boneIndices, boneWeights } = model;
  const skinned = out ?? new Float64Array(positions.length);
  const m = boneMatrices(model, pose);
  for (let i = 0, influence = 0; i < positions.length; i += 3, influence += INFLUENCES) {
    const x = positions[i], y = positions[i + 1], z = positions[i + 2];
    let sumX = 0, sumY = 0, sumZ = 0;
    for (let k = influence; k < influence + INFLUENCES; k++) {
      const weight = boneWeights[k];
      // Weights come largest first.
      if (weight === 0) break;
      const b = boneIndices[k] * BONE_STRIDE;
      sumX += weight * (m[b] * x + m[b + 1] * y + m[b + 2] * z + m[b + 3]);
      sumY += weight * (m[b + 4] * x + m[b + 5] * y + m[b + 6] * z + m[b + 7]);
      sumZ += weight * (m[b + 8] * x + m[b + 9] * y + m[b + 10] * z + m[b + 11]);
    }
    skinned[i] = sumX;
    skinned[i + 1] = sumY;
    skinned[i + 2] = sumZ;
  }
  return skinned;
}

/** Bone 0 := the pose's position and orientation; the wrist is the origin of the rest frame. */
function placeRoot(m: Float64Array, { position, orientation: [w, x, y, z] }: HandPose): void {
  m[0] = 1 - 2 * (y * y + z * z);
  m[1] = 2 * (x * y - w * z);
  m[2] = 2 * (x * z + w * y);
  m[3] = position[0];
  m[4] = 2 * (x * y + w * z);
  m[5] = 1 - 2 * (x * x + z * z);
  m[6] = 2 * (y * z - w * x);
  m[7] = position[1];
  m[8] = 2 * (x * z - w * y);
  m[9] = 2 * (y * z + w * x);
  m[10] = 1 - 2 * (x * x + y * y);
  m[11] = position[2];
}

/**
 * m[to] := m[from] · (turn by `angle` radians about `axis` through `pivot`); Rodrigues' formula
 * R = cos θ I + sin θ [a]ₓ + (1 − cos θ) a aᵀ, and the pivot stays where it is.
 */
function turnBone(m: Float64Array, to: number, from: number, axis: Vector3, pivot: Vector3, angle: number) {
  const [x, y, z] = axis;
  const [px, py, pz] = pivot;
  const c = Math.cos(angle), s = Math.sin(angle), k = 1 - c;
  const r0 = c + k * x * x, r1 = k * x * y - s * z, r2 = k * x * z + s * y;
  const r3 = k * x * y + s * z, r4 = c + k * y * y, r5 = k * y * z - s * x;
  const r6 = k * x * z - s * y, r7 = k * y * z + s * x, r8 = c + k * z * z;
  const tx = px - (r0 * px + r1 * py + r2 * pz);
  const ty = py - (r3 * px + r4 * py + r5 * pz);
  const tz = pz - (r6 * px + r7 * py + r8 * pz);
  for (let row = 0; row < BONE_STRIDE; row += 4) {
    const a = m[from + row], b = m[from + row + 1], d = m[from + row + 2], t = m[from + row + 3];
    m[to + row] = a * r0 + b * r3 + d * r6;
    m[to + row + 1] = a * r1 + b * r4 + d * r7;
    m[to + row + 2] = a * r2 + b * r5 + d * r8;
    m[to + row + 3] = a * tx + b * ty + d * tz + t;
  }
}
