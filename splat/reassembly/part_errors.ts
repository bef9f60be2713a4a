/** How far each part of a reassembly is from where it belongs. */
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian, Scene } from "../scene.ts";
import type { PartMove, SplatTask } from "../task.ts";
import { transform } from "../tools/transform_group.ts";
import { moveOf, wayBack } from "./part_move.ts";
import { turnBetween } from "../rotation_between.ts";

/** The similarity from a part's true pose to the one it has, over the Gaussians that are still there. */
export interface PartError {
  readonly group: string;
  /** How many of its Gaussians are still there, by id. */
  readonly gaussians: number;
  /** Between the means of their centres, world units; null when none is left. */
  readonly distance: number | null;
  /** Of the rotation that turns the centres best, 0 to 180; null for fewer than three. */
  readonly angle_deg: number | null;
  /** Ratio of the centres' spreads less 1, so that 0 is right; null for fewer than three. */
  readonly scale_error: number | null;
}

/** One entry a part, in the order of the task; none for a build. */
export function partErrors({ start, parts }: Pick<SplatTask, "start" | "parts">, end: Scene): PartError[] {
  const byId = new Map(end.map((gaussian) => [gaussian.id, gaussian]));
  return parts.map((part) => partError(part, start, byId));
}

function partError(part: PartMove, start: Scene, end: ReadonlyMap<number, Gaussian>): PartError {
  const back = moveOf(wayBack(part));
  const pairs = start.filter(({ group }) => group === part.group).flatMap((gaussian) => {
    const now = end.get(gaussian.id);
    return now === undefined ? [] : [{ wanted: transform(gaussian, back).mean, now: now.mean }];
  });
  const { group } = part;
  if (pairs.length === 0) return { group, gaussians: 0, distance: null, angle_deg: null, scale_error: null };
  const [wanted, now] = [centred(pairs.map(({ wanted }) => wanted)), centred(pairs.map(({ now }) => now))];
  const distance = Math.hypot(...wanted.centre.map((value, axis) => value - now.centre[axis]));
  const spread = squares(wanted.points);
  const hasPose = pairs.length >= 3 && spread > 0;
  return {
    group,
    gaussians: pairs.length,
    distance: rounded(distance),
    angle_deg: hasPose ? rounded(turnBetween(wanted.points, now.points)) : null,
    scale_error: hasPose ? rounded(Math.sqrt(squares(now.points) / spread) - 1) : null,
  };
}

function centred(points: readonly Vector3[]): { centre: Vector3; points: Vector3[] } {
  const mean = (axis: 0 | 1 | 2) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const centre: Vector3 = [mean(0), mean(1), mean(2)];
  return {
    centre,
    points: points.map(([x, y, z]) => [x - centre[0], y - centre[1], z - centre[2]]),
  };
}

function squares(points: readonly Vector3[]): number {
  return points.reduce((sum, [x, y, z]) => sum + x * x + y * y + z * z, 0);
}

/** A stored start is rounded; what is smaller than this says nothing about a pose. */
function rounded(value: number): number {
  return Number(value.toFixed(4)) + 0;
}
