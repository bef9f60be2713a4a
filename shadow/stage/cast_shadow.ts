/** The exact silhouette of a pose. */
import type { Hands } from "../hand/hand_model.ts";
import { skinHand } from "../hand/skin.ts";
import { type Pose, SIDES } from "../pose.ts";
import type { Mask } from "./mask.ts";
import { rasterize } from "./rasterize.ts";
import { snapShadow } from "./snap_shadow.ts";
import { type SnappedTriangles, TriangleList } from "./triangle_list.ts";

/** The shadow of both hands on the screen, bit for bit what every device gives (`ShadowRenderer`). */
export function castShadow(hands: Hands, pose: Pose): Mask {
  return rasterize(snapPose(hands, pose));
}

/** The triangles of both hands that their shadow needs. */
export function snapPose(hands: Hands, pose: Pose): SnappedTriangles {
  const list = new TriangleList(SIDES.reduce((sum, side) => sum + hands[side].triangles.length / 6, 0));
  for (const side of SIDES) snapShadow(skinHand(hands[side], pose[side]), hands[side].triangles, list);
  return list.triangles();
}
