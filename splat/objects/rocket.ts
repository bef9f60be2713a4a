/** A rocket at lift-off; its window looks to −Y, a booster is strapped to its left, one fin has another colour,
 * a hatch is at the back. */
import type { Vector3 } from "../../env/vector3.ts";
import { withAxes } from "./rotation.ts";
import { box, capsule, cone, cylinder, dome, ellipsoid, prism, type Solid } from "./solid.ts";

const RADIUS = 0.33;

export function rocket(): Solid[] {
  return [...hull(), ...windows(), ...fins(), ...engine(), ...booster(), ...hatch()];
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
  return [...porthole(0.12, 0.15), ...porthole(-0.25, 0.075)];
}

/** Swept fins at 90°, 210° and 330°: the one at 330° is yellow. */
function fins(): Solid[] {
  return [[90, "#2f6db5"], [210, "#2f6db5"], [330, "#f2b632"]].map(([degrees, color]) => {
    const angle = Number(degrees) * Math.PI / 180;
    const outward: Vector3 = [Math.cos(angle), Math.sin(angle), 0];
    const outline = [[0.28, -0.44], [0.84, -0.84], [0.84, -0.54], [0.28, 0]] as const;
    return prism([0, 0, 0], outline, 0.06, String(color), withAxes(outward, [0, 0, 1]));
  });
}

function engine(): Solid[] {
  return [
    cone([0, 0, -0.58], [0, 0, -0.45], 0.25, 0.18, "#4a525e"),
    cone([0, 0, -0.9], [0, 0, -0.57], 0, 0.21, "#f57f20"),
    cone([0, 0, -0.76], [0, 0, -0.56], 0, 0.225, "#ffd447"),
  ];
}

/** A slim booster at +X. */
function booster(): Solid[] {
  const x = RADIUS + 0.13;
  return [
    capsule([x, 0.05, -0.26], [x, 0.05, 0.2], 0.12, "#9a4fb0"),
    cylinder([x, 0.05, -0.02], [x, 0.05, 0.08], 0.124, "#f5f0fa"),
    cone([x, 0.05, -0.48], [x, 0.05, -0.34], 0.11, 0.07, "#4a525e"),
    cone([x, 0.05, -0.66], [x, 0.05, -0.47], 0, 0.09, "#f57f20"),
  ];
}

/** A door at the back, towards −X. */
function hatch(): Solid[] {
  const outward: Vector3 = [-0.5, Math.sqrt(0.75), 0];
  const facing = withAxes([outward[1], -outward[0], 0], [0, 0, 1]);
  const at = (reach: number): Vector3 => [reach * outward[0], reach * outward[1], 0.12];
  return [
    box(at(RADIUS - 0.04), [0.2, 0.26, 0.1], "#3f8f6b", facing),
    box(at(RADIUS - 0.03), [0.15, 0.21, 0.1], "#6cc59a", facing),
  ];
}
