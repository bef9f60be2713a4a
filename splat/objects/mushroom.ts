/** A spotted toadstool on a patch of grass; a small brown one grows at its side, a snail sits behind. */
import { stream } from "../../env/random.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { withZAlong } from "./rotation.ts";
import { capsule, cone, cylinder, dome, ellipsoid, type Solid } from "./solid.ts";

const CAP_CENTER: Vector3 = [0, 0, 0.18];
const CAP_RADII: Vector3 = [0.88, 0.88, 0.7];

export function mushroom(): Solid[] {
  return [...ground(), ...stem(), ...cap(), ...spots(), ...small(), ...snail()];
}

function ground(): Solid[] {
  const draw = stream(0, "mushroom", "grass");
  const blades = Array.from({ length: 16 }, (_, i): Solid => {
    const angle = (i + 0.7 * draw.next()) * Math.PI / 8;
    const radius = draw.range(0.36, 0.56);
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    const lean = draw.range(1.05, 1.2);
    const tip: Vector3 = [x * lean, y * lean, draw.range(-0.68, -0.6)];
    return cone([x, y, -0.85], tip, 0.035, 0, i % 2 === 0 ? "#4f9a4a" : "#76b852");
  });
  return [dome([0, 0, -0.9], [0.72, 0.72, 0.12], "#5fa84f"), ...blades];
}

function stem(): Solid[] {
  return [
    cone([0, 0, -0.88], [0, 0, 0.2], 0.27, 0.19, "#f0dfb8"),
    ellipsoid([0, 0, -0.72], [0.31, 0.31, 0.175], "#e6cf9f"),
    cone([0, 0, -0.26], [0, 0, -0.14], 0.33, 0.225, "#fbf3dc"),
    cylinder([0, 0, -0.275], [0, 0, -0.26], 0.33, "#d9bd85"),
  ];
}

function cap(): Solid[] {
  return [
    dome(CAP_CENTER, CAP_RADII, "#d2302f"),
    ellipsoid(CAP_CENTER, [0.88, 0.88, 0.07], "#b32428"),
    cone([0, 0, 0.04], [0, 0, 0.15], 0.5, 0.84, "#f3d9ac"),
    cone([0, 0, 0.01], [0, 0, 0.05], 0.26, 0.52, "#dfbf88"),
  ];
}

/** Flat white discs on the cap: rings of them, jittered. */
function spots(): Solid[] {
  const draw = stream(0, "mushroom", "spots");
  const rings = [[1, 88, 0.13], [5, 55, 0.125], [8, 24, 0.105]] as const;
  return rings.flatMap(([count, elevation, size], ring) =>
    Array.from({ length: count }, (_, i): Solid => {
      const azimuth = ((i + 0.5 * ring + draw.range(-0.2, 0.2)) * 2 * Math.PI) / count;
      const height = (elevation + draw.range(-5, 5)) * Math.PI / 180;
      const [u, v, w] = [
        Math.cos(height) * Math.cos(azimuth),
        Math.cos(height) * Math.sin(azimuth),
        Math.sin(height),
      ];
      const place: Vector3 = [CAP_RADII[0] * u, CAP_RADII[1] * v, CAP_CENTER[2] + CAP_RADII[2] * w];
      const normal: Vector3 = [u / CAP_RADII[0], v / CAP_RADII[1], w / CAP_RADII[2]];
      const radius = size * draw.range(0.8, 1.15);
      return ellipsoid(inward(place, 0.008), [radius, radius, 0.03], "#fbf3e2", withZAlong(normal));
    })
  );
}

function inward([x, y, z]: Vector3, share: number): Vector3 {
  return [x * (1 - 3 * share), y * (1 - 3 * share), z - share];
}

/** To the right of someone who looks along +Y. */
function small(): Solid[] {
  return [
    cone([0.5, -0.34, -0.88], [0.54, -0.38, -0.48], 0.085, 0.06, "#ead9b5"),
    dome([0.54, -0.38, -0.5], [0.25, 0.25, 0.2], "#a5673f"),
    cylinder([0.54, -0.38, -0.525], [0.54, -0.38, -0.5], 0.235, "#d8b98a"),
  ];
}

function snail(): Solid[] {
  const [x, y, z] = [-0.3, 0.5, -0.74];
  return [
    capsule([x - 0.16, y, z - 0.06], [x + 0.17, y + 0.03, z - 0.06], 0.05, "#c9a07a"),
    capsule([x + 0.17, y + 0.03, z - 0.05], [x + 0.22, y + 0.04, z + 0.06], 0.045, "#c9a07a"),
    capsule([x + 0.22, y + 0.06, z + 0.08], [x + 0.25, y + 0.09, z + 0.17], 0.013, "#7d5a43"),
    capsule([x + 0.22, y + 0.02, z + 0.08], [x + 0.25, y - 0.01, z + 0.17], 0.013, "#7d5a43"),
    ellipsoid([x - 0.01, y, z + 0.06], [0.14, 0.08, 0.14], "#7a4f9e"),
    ellipsoid([x - 0.01, y, z + 0.06], [0.085, 0.088, 0.085], "#b78ad1"),
  ];
}
