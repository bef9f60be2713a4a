/** Where the joints of a posed hand are and which way it points. */
import { add, subtract, unit, type Vector3 } from "../../env/vector3.ts";
import type { HandPose } from "../pose.ts";
import { boneIndex, PALM_BONE } from "./bones.ts";
import type { HandModel, JointCentres } from "./hand_model.ts";
import { mapJoints } from "./map_joints.ts";
import { palmFrame } from "./palm_frame.ts";
import { BONE_STRIDE, boneMatrices } from "./skin.ts";

/** Unit vectors in the world. */
export interface HandDirections {
  /** From the wrist to the root of the middle finger. */
  readonly fingers: Vector3;
  /** Out of the palm. */
  readonly palm: Vector3;
  /** Along the thumb's last part. */
  readonly thumb: Vector3;
}

/** Joint centres in the world, metres. */
export function jointPositions(model: HandModel, pose: HandPose): JointCentres {
  const matrices = boneMatrices(model, pose);
  return mapJoints(model.joints, (centre, bone) => {
    const at = bone * BONE_STRIDE;
    return add(turned(matrices, bone, centre), [matrices[at + 3], matrices[at + 7], matrices[at + 11]]);
  });
}

/** Which way fingers, palm and thumb point. */
export function handDirections(model: HandModel, pose: HandPose): HandDirections {
  const matrices = boneMatrices(model, pose);
  const { up, palmar } = palmFrame(model.joints);
  const [, , ip, tip] = model.joints.thumb;
  return {
    fingers: turned(matrices, PALM_BONE, up),
    palm: turned(matrices, PALM_BONE, palmar),
    thumb: turned(matrices, boneIndex("thumb tip"), unit(subtract(tip, ip))),
  };
}

/** A direction turned as a bone is, without its translation. */
function turned(m: Float64Array, bone: number, [x, y, z]: Vector3): Vector3 {
  const b = bone * BONE_STRIDE;
  return [
    m[b] * x + m[b + 1] * y + m[b + 2] * z,
    m[b + 4] * x + m[b + 5] * y + m[b + 6] * z,
    m[b + 8] * x + m[b + 9] * y + m[b + 10] * z,
  ];
}
