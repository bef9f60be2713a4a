/** A snowman with a hat and a scarf; its broom is on its left. */
import type { Vector3 } from "../../env/vector3.ts";
import { turn } from "./rotation.ts";
import { ball, box, capsule, cone, cylinder, ellipsoid, type Solid } from "./solid.ts";

const COAL = "#2b2b33";
const TWIG = "#6b4226";
const SCARF = "#c8323c";
const SCARF_STRIPE = "#f2c14e";

/** Faces −Y. */
export function snowman(): Solid[] {
  return [...body(), ...face(), ...hat(), ...scarf(), ...arms(), ...broom()];
}

function body(): Solid[] {
  const buttons = [[-0.335, 0.2], [-0.362, 0.08], [-0.345, -0.04]] as const;
  return [
    ellipsoid([0, 0, -0.44], [0.54, 0.54, 0.46], "#b4c9e0"),
    ball([0, 0, 0.08], 0.36, "#c9d9eb"),
    ball([0, 0, 0.47], 0.25, "#dde8f4"),
    ...buttons.map(([y, z]) => ball([0, y, z], 0.036, COAL)),
  ];
}

function face(): Solid[] {
  const mouth = [-2, -1, 0, 1, 2].map((
    k,
  ): Vector3 => [0.055 * k, -0.232 + 0.007 * k * k, 0.36 + 0.013 * k * k]);
  return [
    cone([0, -0.2, 0.465], [0.02, -0.56, 0.43], 0.055, 0, "#f0812d"),
    ball([-0.09, -0.218, 0.54], 0.036, COAL),
    ball([0.09, -0.218, 0.54], 0.036, COAL),
    ...mouth.map((place) => ball(place, 0.02, COAL)),
  ];
}

function hat(): Solid[] {
  return [
    cylinder([0, 0, 0.635], [0, 0, 0.665], 0.29, "#3a3f58"),
    cylinder([0, 0, 0.66], [0, 0, 0.89], 0.185, "#3a3f58"),
    cylinder([0, 0, 0.66], [0, 0, 0.725], 0.19, "#4aa3a2"),
    cylinder([0, 0, 0.88], [0, 0, 0.9], 0.175, "#4c5272"),
  ];
}

/** Around the neck; one striped end hangs down in front of its left side. */
function scarf(): Solid[] {
  const hang = turn([0, 1, 0], -14);
  const stripes = [0.2, 0.1, 0.0].map((z, i): Solid =>
    box([0.135 + 0.025 * i, -0.36, z - 0.005], [0.118, 0.05, 0.035], SCARF_STRIPE, hang)
  );
  return [
    ellipsoid([0, 0, 0.3], [0.3, 0.3, 0.075], SCARF),
    ball([0.12, -0.27, 0.295], 0.075, "#a8242f"),
    box([0.15, -0.36, 0.115], [0.115, 0.045, 0.32], SCARF, hang),
    ...stripes,
  ];
}

function arms(): Solid[] {
  return [
    capsule([-0.28, -0.03, 0.17], [-0.72, -0.12, 0.45], 0.026, TWIG),
    capsule([-0.72, -0.12, 0.45], [-0.86, -0.14, 0.46], 0.018, TWIG),
    capsule([-0.72, -0.12, 0.45], [-0.78, -0.1, 0.6], 0.018, TWIG),
    capsule([-0.6, -0.095, 0.375], [-0.62, -0.16, 0.52], 0.018, TWIG),
    capsule([0.28, -0.03, 0.17], [0.66, -0.12, 0.02], 0.026, TWIG),
  ];
}

function broom(): Solid[] {
  const [x, y] = [0.68, -0.14];
  return [
    cylinder([x, y, -0.66], [x, y, 0.56], 0.026, "#b98a52"),
    cone([x, y, -0.9], [x, y, -0.52], 0.17, 0.06, "#e0b252"),
    cylinder([x, y, -0.56], [x, y, -0.5], 0.066, "#a8242f"),
  ];
}
