/** Names of a hand's joints in the two schemes that a model may use: WebXR's generic hand and Ultraleap's. */
import { boneIndex, PALM_BONE } from "./bones.ts";
import { FINGERS } from "./controls.ts";

export interface NamedJoint {
  /** WebXR's name, Ultraleap's name. */
  readonly names: readonly string[];
  /** The bone that carries what the file gives to this joint. */
  readonly bone: number;
}

/** WebXR has no elbow; such a hand gets a forearm of ours. */
export const ELBOW: NamedJoint = { names: ["Elbow"], bone: 0 };

export const WRIST: NamedJoint = { names: ["wrist", "Wrist"], bone: PALM_BONE };

/** Metacarpal, MCP, IP, tip. */
export const THUMB_JOINTS: readonly NamedJoint[] = [
  joint("thumb-metacarpal", "Thumb_Metacarpal", "thumb base"),
  joint("thumb-phalanx-proximal", "Thumb_Proximal", "thumb middle"),
  joint("thumb-phalanx-distal", "Thumb_Distal", "thumb tip"),
  joint("thumb-tip", "Thumb_Tip", "thumb tip"),
];

/** Metacarpal, MCP, PIP, DIP, tip of index, middle, ring, little. */
export const FINGER_JOINTS: readonly (readonly NamedJoint[])[] = FINGERS.map((finger) => {
  const webxr = `${finger === "little" ? "pinky" : finger}-finger`;
  const ultraleap = `${finger[0].toUpperCase()}${finger.slice(1)}`;
  return [
    joint(`${webxr}-metacarpal`, `${ultraleap}_Metacarpal`, "palm"),
    joint(`${webxr}-phalanx-proximal`, `${ultraleap}_Proximal`, `${finger} base`),
    joint(`${webxr}-phalanx-intermediate`, `${ultraleap}_Intermediate`, `${finger} middle`),
    joint(`${webxr}-phalanx-distal`, `${ultraleap}_Distal`, `${finger} tip`),
    joint(`${webxr}-tip`, `${ultraleap}_Tip`, `${finger} tip`),
  ];
});

export const ALL_JOINTS: readonly NamedJoint[] = [ELBOW, WRIST, ...THUMB_JOINTS, ...FINGER_JOINTS.flat()];

function joint(webxr: string, ultraleap: string, bone: string): NamedJoint {
  return { names: [webxr, ultraleap], bone: boneIndex(bone) };
}
