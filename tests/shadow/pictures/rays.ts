/** What a ray from a camera meets first, by trying every triangle in float64. */
import { add, cross, dot, scaled, subtract, type Vector3 } from "../../../env/vector3.ts";
import type { Hands } from "../../../shadow/hand/hand_model.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import type { StageCamera } from "../../../shadow/pictures/camera.ts";
import { type HandPose, type Pose, type Side, SIDES } from "../../../shadow/pose.ts";

export interface Hit {
  readonly hand: Side | "none";
  /** World, metres; nowhere for `none`. */
  readonly point: Vector3;
}

/** What is seen at a place of the picture, pixels. */
export function firstHit(hands: Hands, camera: StageCamera, pose: Pose, x: number, y: number): Hit {
  const { origin, direction } = rayThrough(camera, x, y);
  let nearest = Infinity;
  let hand: Side | "none" = "none";
  for (const side of SIDES) {
    const { triangles } = hands[side];
    const positions = skinOf(hands, pose, side);
    for (let t = 0; t < triangles.length; t += 3) {
      const at = rayTriangle(origin, direction, positions, triangles[t], triangles[t + 1], triangles[t + 2]);
      if (at < nearest) [nearest, hand] = [at, side];
    }
  }
  return { hand, point: add(origin, scaled(direction, nearest)) };
}

export function firstHand(
  hands: Hands,
  camera: StageCamera,
  pose: Pose,
  x: number,
  y: number,
): Side | "none" {
  return firstHit(hands, camera, pose, x, y).hand;
}

const known = new Map<HandPose, Float64Array>();

function skinOf(hands: Hands, pose: Pose, side: Side): Float64Array {
  const skin = known.get(pose[side]) ?? skinHand(hands[side], pose[side]);
  known.set(pose[side], skin);
  return skin;
}

/** The lamp's rays meet in the lamp, all others run along the camera's axis. */
function rayThrough({ column, row, toward, right, up, scale, parallel }: StageCamera, x: number, y: number) {
  if (!parallel) {
    const origin: Vector3 = [0, 0, 2.5];
    // The plane of the screen has w = 1.
    const onScreen: Vector3 = [(x - column[3]) / scale, (row[3] - y) / scale, 0];
    return { origin, direction: subtract(onScreen, origin) };
  }
  const onPlane = add(scaled(right, (x - column[3]) / scale), scaled(up, (row[3] - y) / scale));
  return { origin: add(onPlane, scaled(toward, 10)), direction: scaled(toward, -1) };
}

/** Möller–Trumbore. */
function rayTriangle(
  o: Vector3,
  d: Vector3,
  positions: Float64Array,
  i: number,
  j: number,
  k: number,
): number {
  const corner = (n: number): Vector3 => [positions[3 * n], positions[3 * n + 1], positions[3 * n + 2]];
  const a = corner(i);
  const [u, v] = [subtract(corner(j), a), subtract(corner(k), a)];
  const p = cross(d, v);
  const determinant = dot(u, p);
  if (determinant === 0) return Infinity;
  const s = subtract(o, a);
  const alpha = dot(s, p) / determinant;
  const q = cross(s, u);
  const beta = dot(d, q) / determinant;
  const t = dot(v, q) / determinant;
  return alpha >= 0 && beta >= 0 && alpha + beta <= 1 && t > 0 ? t : Infinity;
}
