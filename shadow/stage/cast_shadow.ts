/** The exact silhouette of a pose. */
import type { Hands } from "../hand/hand_model.ts";
import { skinHand } from "../hand/skin.ts";
import { type Pose, type Side, SIDES } from "../pose.ts";
import type { Mask } from "./mask.ts";
import { rasterize } from "./rasterize.ts";
import { snapShadow } from "./snap_shadow.ts";
import { type SnappedTriangles, TriangleList } from "./triangle_list.ts";

/** The shadow of both hands on the screen, bit for bit what every device gives (`ShadowRenderer`). */
export function castShadow(hands: Hands, pose: Pose): Mask {
  return rasterize(snapPose(hands, pose));
}

/** Whether a hand, were it alone, would cast a shadow of at least one pixel. */
export function castsShadow(hands: Hands, pose: Pose, side: Side): boolean {
  return rasterize(snapPose(hands, pose, [side])).some((word) => word !== 0);
}

/** The triangles of hands that their shadow needs. */
export function snapPose(hands: Hands, pose: Pose, sides: readonly Side[] = SIDES): SnappedTriangles {
  const list = new TriangleList(sides.reduce((sum, side) => sum + hands[side].triangles.length / 6, 0));
  for (const side of sides) snapShadow(skinHand(hands[side], pose[side]), hands[side].triangles, list);
  return list.triangles();
}
