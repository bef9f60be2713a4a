/** A rocket at lift-off; its window looks to −Y, a booster is strapped to its left, one fin has another colour. */
import type { Vector3 } from "../scene.ts";
import { withAxes } from "./rotation.ts";
import { capsule, cone, cylinder, dome, ellipsoid, prism, type Solid } from "./solid.ts";

const RADIUS = 0.27;

export function rocket(): Solid[] {
  return [...hull(), ...windows(), ...fins(), ...engine(), ...booster()];
}

function hull(): Solid[] {
  return [
    cylinder([0, 0, -0.46], [0, 0, 0.34], RADIUS, "#dbe2ea"),
    cylinder([0, 0, -0.46], [0, 0, -0.34], RADIUS + 0.004, "#8fa0b3"),
    cylinder([0, 0, -0.16], [0, 0, -0.08], RADIUS + 0.004, "#2f6db5"),
    cylinder([0, 0, 0.28], [0, 0, 0.35], RADIUS + 0.004, "#f2b632"),
    dome([0, 0, 0.35], [RADIUS, RADIUS, 0.47], "#d93a3a"),
    cone([0, 0, 0.76], [0, 0, 0.9], 0.045, 0, "#8c1f2b"),
  ];
}

function windows(): Solid[] {
  const porthole = (z: number, size: number): Solid[] => [
    cylinder([0, -RADIUS + 0.06, z], [0, -RADIUS - 0.02, z], size, "#5c6b7c"),
    cylinder([0, -RADIUS, z], [0, -RADIUS - 0.03, z], size * 0.74, "#57c1e8"),
    ellipsoid([-0.03, -RADIUS - 0.03, z + 0.03], [0.022, 0.006, 0.022], "#d8f3ff"),
  ];
  return [...porthole(0.13, 0.125), ...porthole(-0.26, 0.085)];
}

/** Swept fins at 30°, 150° and 270°: the one at 30° is yellow. */
function fins(): Solid[] {
  return [[30, "#f2b632"], [150, "#2f6db5"], [270, "#2f6db5"]].map(([degrees, color]) => {
    const angle = Number(degrees) * Math.PI / 180;
    const outward: Vector3 = [Math.cos(angle), Math.sin(angle), 0];
    const outline = [[0.2, -0.42], [0.62, -0.78], [0.62, -0.5], [0.2, -0.04]] as const;
    return prism([0, 0, 0], outline, 0.05, String(color), withAxes(outward, [0, 0, 1]));
  });
}

function engine(): Solid[] {
  return [
    cone([0, 0, -0.58], [0, 0, -0.45], 0.2, 0.15, "#4a525e"),
    cone([0, 0, -0.9], [0, 0, -0.57], 0, 0.17, "#f57f20"),
    cone([0, 0, -0.82], [0, 0, -0.56], 0, 0.175, "#ffd447"),
  ];
}

/** A slim booster at +X. */
function booster(): Solid[] {
  const x = RADIUS + 0.12;
  return [
    capsule([x, -0.05, -0.3], [x, -0.05, 0.12], 0.1, "#9a4fb0"),
    cylinder([x, -0.05, -0.08], [x, -0.05, 0], 0.104, "#f5f0fa"),
    cone([x, -0.05, -0.48], [x, -0.05, -0.34], 0.09, 0.06, "#4a525e"),
    cone([x, -0.05, -0.64], [x, -0.05, -0.47], 0, 0.075, "#f57f20"),
  ];
}
