/** A robot that waves with its right hand; its antenna stands on the left of its head, a wrench is in its left hand. */
import { withAxes } from "./rotation.ts";
import { ball, box, capsule, cone, cylinder, dome, type Solid } from "./solid.ts";
import { tonedBox } from "./tones.ts";

const METAL = ["#6f8fa8", "#86a7c0", "#a9c4d8"] as const;
const DARK = "#3d4a57";

/** Faces −Y. */
export function robot(): Solid[] {
  return [...head(), ...torso(), ...arms(), ...legs(), ...backpack()];
}

function head(): Solid[] {
  const eye = (x: number): Solid[] => [
    cylinder([x, -0.2, 0.57], [x, -0.255, 0.57], 0.085, DARK),
    cylinder([x, -0.25, 0.57], [x, -0.27, 0.57], 0.06, "#56e0d2"),
  ];
  const teeth = [-0.1, -0.05, 0, 0.05, 0.1].map((x) => box([x, -0.226, 0.41], [0.03, 0.03, 0.06], "#f3f0e2"));
  return [
    cylinder([0, 0, 0.24], [0, 0, 0.34], 0.09, DARK),
    ...tonedBox([0, 0, 0.53], [0.56, 0.44, 0.4], METAL),
    ...eye(-0.13),
    ...eye(0.13),
    box([0, -0.218, 0.41], [0.28, 0.02, 0.09], DARK),
    ...teeth,
    cylinder([-0.34, 0, 0.53], [0.34, 0, 0.53], 0.08, "#e0792f"),
    cylinder([0.18, 0.05, 0.72], [0.18, 0.05, 0.83], 0.016, DARK),
    ball([0.18, 0.05, 0.84], 0.06, "#e23b3b"),
    dome([-0.14, 0, 0.73], [0.09, 0.09, 0.07], "#f2c53d"),
  ];
}

function torso(): Solid[] {
  const lamp = (x: number, color: string) => cylinder([x, -0.26, 0.12], [x, -0.292, 0.12], 0.035, color);
  return [
    ...tonedBox([0, 0, -0.04], [0.74, 0.5, 0.58], ["#c05a2a", "#d96a33", "#ec8a4d"]),
    ...tonedBox([0, 0, -0.36], [0.5, 0.38, 0.1], METAL),
    box([0, -0.25, -0.02], [0.5, 0.04, 0.4], "#f1e6cf"),
    lamp(-0.15, "#e23b3b"),
    lamp(-0.05, "#f2c53d"),
    lamp(0.05, "#4fb35a"),
    cylinder([-0.11, -0.26, -0.08], [-0.11, -0.285, -0.08], 0.085, DARK),
    cylinder([-0.11, -0.28, -0.08], [-0.11, -0.295, -0.08], 0.065, "#ffffff"),
    capsule([-0.11, -0.295, -0.08], [-0.08, -0.295, -0.035], 0.01, "#e23b3b"),
    box([0.12, -0.27, -0.05], [0.18, 0.03, 0.04], "#3f78b5"),
    box([0.12, -0.27, -0.12], [0.18, 0.03, 0.04], "#3f78b5"),
  ];
}

function arms(): Solid[] {
  const flat = withAxes([1, 0, 0], [0, 0, 1]);
  return [
    ball([-0.44, 0, 0.14], 0.11, DARK),
    capsule([-0.46, 0, 0.14], [-0.68, -0.04, -0.02], 0.06, "#86a7c0"),
    ball([-0.7, -0.04, -0.03], 0.08, DARK),
    capsule([-0.7, -0.05, 0], [-0.74, -0.12, 0.32], 0.06, "#a9c4d8"),
    cylinder([-0.74, -0.12, 0.3], [-0.745, -0.13, 0.38], 0.09, "#e0792f"),
    capsule([-0.79, -0.13, 0.38], [-0.84, -0.14, 0.5], 0.03, DARK),
    capsule([-0.7, -0.13, 0.38], [-0.66, -0.14, 0.5], 0.03, DARK),
    ball([0.44, 0, 0.14], 0.11, DARK),
    capsule([0.47, 0, 0.12], [0.62, -0.02, -0.14], 0.06, "#86a7c0"),
    ball([0.63, -0.02, -0.16], 0.08, DARK),
    capsule([0.63, -0.05, -0.18], [0.64, -0.3, -0.26], 0.06, "#a9c4d8"),
    cylinder([0.64, -0.28, -0.255], [0.642, -0.37, -0.285], 0.09, "#e0792f"),
    box([0.64, -0.42, -0.22], [0.07, 0.62, 0.05], "#c9ced6", flat),
    box([0.585, -0.42, 0.12], [0.06, 0.13, 0.05], "#c9ced6", flat),
    box([0.695, -0.42, 0.12], [0.06, 0.13, 0.05], "#c9ced6", flat),
  ];
}

function legs(): Solid[] {
  return [-0.19, 0.19].flatMap((x) => [
    cylinder([x, 0, -0.75], [x, 0, -0.38], 0.085, "#86a7c0"),
    cylinder([x, 0, -0.6], [x, 0, -0.54], 0.11, DARK),
    ...tonedBox([x, -0.07, -0.82], [0.28, 0.46, 0.16], ["#4a5a69", "#566878", "#6b7e8f"]),
  ]);
}

function backpack(): Solid[] {
  return [
    ...tonedBox([0, 0.32, 0], [0.44, 0.18, 0.4], ["#3f6e4b", "#4c8359", "#5f9a6c"]),
    cone([-0.12, 0.34, -0.3], [-0.12, 0.34, -0.18], 0.09, 0.05, DARK),
    cone([0.12, 0.34, -0.3], [0.12, 0.34, -0.18], 0.09, 0.05, DARK),
    box([0.1, 0.412, 0.06], [0.14, 0.02, 0.14], "#f2c53d"),
  ];
}
