/** Axes of turns as models name them. */
import { z } from "zod";
import type { Vector3 } from "./vector3.ts";

const AXES: Record<"x" | "y" | "z", Vector3> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

const AXIS = { error: 'must be "x", "y", "z" or a direction [x, y, z]' };

/** `"x"`, `"y"`, `"z"`, or a direction of any length but 0. */
export const axisField = z.union([
  z.enum(["x", "y", "z"], AXIS),
  z.array(z.number().min(-1000).max(1000)).length(3).transform(([x, y, z]): Vector3 => [x, y, z]),
], AXIS).refine((axis) => typeof axis === "string" || Math.hypot(...axis) > 1e-6, {
  error: "must not be zero",
});
export type Axis = z.output<typeof axisField>;

/** The direction of an axis. */
export function axisDirection(axis: Axis): Vector3 {
  return typeof axis === "string" ? AXES[axis] : axis;
}
