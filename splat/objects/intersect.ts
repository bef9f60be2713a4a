/** Where rays meet shapes: closed forms, float64, no marching. */
import type { Vector3 } from "../../env/vector3.ts";
import type { Shape } from "./solid.ts";

/**
 * Smallest t > 0 at which the ray o + t d, in the shape's own frame, meets the surface; Infinity for a miss. The
 * direction need not have unit length, so that one ray keeps one t whatever the solid.
 */
export type Intersector = (
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
) => number;

export function intersector(shape: Shape): Intersector {
  switch (shape.kind) {
    case "ellipsoid":
      return ellipsoidHit(shape.radii);
    case "dome":
      return domeHit(shape.radii);
    case "cone":
      return coneHit(shape.bottomRadius, shape.topRadius, shape.halfHeight);
    case "capsule":
      return capsuleHit(shape.radius, shape.halfHeight);
    case "prism":
      return prismHit(shape.outline, shape.halfDepth);
  }
}

// Both roots of a t² + 2 b t + c, NaN if there are none. One pair for everyone: no allocation in the inner loop.
let firstRoot = NaN;
let secondRoot = NaN;

/** Citardauq for the root that would cancel; a = 0 leaves the linear root and an infinite one. */
function solveQuadratic(a: number, b: number, c: number): void {
  const discriminant = b * b - a * c;
  if (!(discriminant >= 0)) {
    firstRoot = secondRoot = NaN;
    return;
  }
  const root = Math.sqrt(discriminant);
  const q = b > 0 ? -(b + root) : root - b;
  firstRoot = q / a;
  secondRoot = c / q;
}

/** Roots for the sphere of this radius around the origin. */
function solveSphere(
  radius: number,
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
): void {
  solveQuadratic(
    dx * dx + dy * dy + dz * dz,
    ox * dx + oy * dy + oz * dz,
    ox * ox + oy * oy + oz * oz - radius * radius,
  );
}

function ellipsoidHit([rx, ry, rz]: Vector3): Intersector {
  return (ox, oy, oz, dx, dy, dz) => {
    solveSphere(1, ox / rx, oy / ry, oz / rz, dx / rx, dy / ry, dz / rz);
    return nearer(firstRoot, secondRoot);
  };
}

function domeHit([rx, ry, rz]: Vector3): Intersector {
  return (ox, oy, oz, dx, dy, dz) => {
    const [px, py, pz, ex, ey, ez] = [ox / rx, oy / ry, oz / rz, dx / rx, dy / ry, dz / rz];
    solveSphere(1, px, py, pz, ex, ey, ez);
    const above = (t: number) => pz + t * ez >= 0 ? t : NaN;
    const floor = -pz / ez;
    const [fx, fy] = [px + floor * ex, py + floor * ey];
    return nearer(nearer(above(firstRoot), above(secondRoot)), fx * fx + fy * fy <= 1 ? floor : NaN);
  };
}

function coneHit(bottomRadius: number, topRadius: number, halfHeight: number): Intersector {
  const middle = (bottomRadius + topRadius) / 2;
  const slope = (topRadius - bottomRadius) / (2 * halfHeight);
  return (ox, oy, oz, dx, dy, dz) => {
    // x² + y² = (middle + slope z)² on the side, a disc at either end.
    const [radius, growth] = [middle + slope * oz, slope * dz];
    solveQuadratic(
      dx * dx + dy * dy - growth * growth,
      ox * dx + oy * dy - radius * growth,
      ox * ox + oy * oy - radius * radius,
    );
    const within = (t: number) => Math.abs(oz + t * dz) <= halfHeight ? t : NaN;
    const side = nearer(within(firstRoot), within(secondRoot));
    const cap = (z: number, r: number) => {
      const t = (z - oz) / dz;
      const [x, y] = [ox + t * dx, oy + t * dy];
      return x * x + y * y <= r * r ? t : NaN;
    };
    return nearer(side, nearer(cap(-halfHeight, bottomRadius), cap(halfHeight, topRadius)));
  };
}

function capsuleHit(radius: number, halfHeight: number): Intersector {
  return (ox, oy, oz, dx, dy, dz) => {
    solveQuadratic(dx * dx + dy * dy, ox * dx + oy * dy, ox * ox + oy * oy - radius * radius);
    const within = (t: number) => Math.abs(oz + t * dz) <= halfHeight ? t : NaN;
    let hit = nearer(within(firstRoot), within(secondRoot));
    for (const end of [-halfHeight, halfHeight]) {
      const z = oz - end;
      solveSphere(radius, ox, oy, z, dx, dy, dz);
      const beyond = (t: number) => (z + t * dz) * end >= 0 ? t : NaN;
      hit = nearer(hit, nearer(beyond(firstRoot), beyond(secondRoot)));
    }
    return hit;
  };
}

function prismHit(outline: readonly (readonly [number, number])[], halfDepth: number): Intersector {
  // Half-spaces n·p ≤ offset; counter-clockwise edges have their outside on the right.
  const sides = outline.map(([x, y], i) => {
    const [nextX, nextY] = outline[(i + 1) % outline.length];
    const [nx, ny] = [nextY - y, x - nextX];
    return { nx, ny, offset: nx * x + ny * y };
  });
  return (ox, oy, oz, dx, dy, dz) => {
    let enter = -Infinity;
    let leave = Infinity;
    const clip = (outside: number, speed: number) => {
      if (speed === 0) {
        if (outside > 0) leave = -Infinity;
      } else if (speed < 0) enter = Math.max(enter, -outside / speed);
      else leave = Math.min(leave, -outside / speed);
    };
    clip(oz - halfDepth, dz);
    clip(-oz - halfDepth, -dz);
    for (const { nx, ny, offset } of sides) clip(nx * ox + ny * oy - offset, nx * dx + ny * dy);
    return enter <= leave ? nearer(enter, leave) : Infinity;
  };
}

/** The smaller of two that is above 0; NaN counts as no hit. */
function nearer(a: number, b: number): number {
  const first = a > 0 ? a : Infinity;
  return b > 0 && b < first ? b : first;
}
