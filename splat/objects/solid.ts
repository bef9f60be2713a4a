/** Flat-coloured solids with exact surfaces: what the procedural objects are made of. */
import type { Vector3 } from "../../env/vector3.ts";
import { type Matrix3, UNTURNED, withZAlong } from "./rotation.ts";

/** A shape around its own origin; every length in world units. */
export type Shape =
  | { readonly kind: "ellipsoid"; readonly radii: Vector3 }
  /** The half z ≥ 0 of an ellipsoid, closed by a flat floor. */
  | { readonly kind: "dome"; readonly radii: Vector3 }
  /** Capped cone along z from −halfHeight to halfHeight; equal radii make a cylinder, one zero radius a tip. */
  | {
    readonly kind: "cone";
    readonly bottomRadius: number;
    readonly topRadius: number;
    readonly halfHeight: number;
  }
  /** All points within `radius` of the z axis between −halfHeight and halfHeight. */
  | { readonly kind: "capsule"; readonly radius: number; readonly halfHeight: number }
  /** Convex outline in xy, counter-clockwise, pushed to z = ±halfDepth. */
  | {
    readonly kind: "prism";
    readonly outline: readonly (readonly [number, number])[];
    readonly halfDepth: number;
  };

export interface Solid {
  readonly shape: Shape;
  /** World place of the shape's origin. */
  readonly position: Vector3;
  /** Rotation from own axes to world. */
  readonly rotation: Matrix3;
  /** 8-bit sRGB, the same from everywhere: no light, no shadow. */
  readonly color: Vector3;
}

export function ball(center: Vector3, radius: number, color: string): Solid {
  return ellipsoid(center, [radius, radius, radius], color);
}

export function ellipsoid(center: Vector3, radii: Vector3, color: string, rotation = UNTURNED): Solid {
  return { shape: { kind: "ellipsoid", radii }, position: center, rotation, color: rgb(color) };
}

/** Half an ellipsoid that stands with its flat floor at `floor`. */
export function dome(floor: Vector3, radii: Vector3, color: string, rotation = UNTURNED): Solid {
  return { shape: { kind: "dome", radii }, position: floor, rotation, color: rgb(color) };
}

/** Box of edge lengths `size`. */
export function box(center: Vector3, size: Vector3, color: string, rotation = UNTURNED): Solid {
  const [x, y] = [size[0] / 2, size[1] / 2];
  return prism(center, [[-x, -y], [x, -y], [x, y], [-x, y]], size[2], color, rotation);
}

/** A convex counter-clockwise outline in the own xy plane, `depth` thick along own z. */
export function prism(
  center: Vector3,
  outline: readonly (readonly [number, number])[],
  depth: number,
  color: string,
  rotation = UNTURNED,
): Solid {
  return {
    shape: { kind: "prism", outline, halfDepth: depth / 2 },
    position: center,
    rotation,
    color: rgb(color),
  };
}

export function cylinder(from: Vector3, to: Vector3, radius: number, color: string): Solid {
  return cone(from, to, radius, radius, color);
}

/** Capped cone between two points with a radius at each. */
export function cone(from: Vector3, to: Vector3, fromRadius: number, toRadius: number, color: string): Solid {
  const halfHeight = distance(from, to) / 2;
  const shape: Shape = { kind: "cone", bottomRadius: fromRadius, topRadius: toRadius, halfHeight };
  return { shape, ...between(from, to), color: rgb(color) };
}

/** A round-ended rod; the two points are the centres of its ends. */
export function capsule(from: Vector3, to: Vector3, radius: number, color: string): Solid {
  const shape: Shape = { kind: "capsule", radius, halfHeight: distance(from, to) / 2 };
  return { shape, ...between(from, to), color: rgb(color) };
}

function between(from: Vector3, to: Vector3): { position: Vector3; rotation: Matrix3 } {
  return {
    position: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2],
    rotation: withZAlong([to[0] - from[0], to[1] - from[1], to[2] - from[2]]),
  };
}

function distance(a: Vector3, b: Vector3): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

function rgb(hex: string): Vector3 {
  if (!/^#[0-9a-f]{6}$/.test(hex)) throw new RangeError(`${hex} is not a colour #rrggbb`);
  const channel = (at: number) => parseInt(hex.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}
