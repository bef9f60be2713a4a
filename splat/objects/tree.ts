/** An apple tree; a swing hangs from a branch at +X, a bird sits at the other side. */
import { stream } from "../../env/random.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { ball, capsule, cone, dome, ellipsoid, type Solid } from "./solid.ts";
import { tonedBox } from "./tones.ts";

const BARK = "#7a5230";

/** The clouds of leaves: centre, radius, colour. */
const CROWN: readonly (readonly [Vector3, number, string])[] = [
  [[0, 0, 0.36], 0.48, "#3f8f45"],
  [[-0.5, -0.1, 0.26], 0.37, "#357d3f"],
  [[0.46, 0.12, 0.32], 0.37, "#4aa04c"],
  [[0.02, -0.46, 0.28], 0.36, "#58ad52"],
  [[-0.06, 0.48, 0.26], 0.37, "#2f7440"],
  [[-0.16, -0.08, 0.6], 0.3, "#6cbb58"],
  [[0.2, 0.1, 0.58], 0.26, "#5fb355"],
];

export function tree(): Solid[] {
  return [...ground(), ...trunk(), ...crown(), ...apples(), ...swing(), ...bird()];
}

function ground(): Solid[] {
  return [dome([0, 0, -0.9], [0.8, 0.8, 0.1], "#7fb356"), dome([0, 0, -0.9], [0.42, 0.42, 0.125], "#98c267")];
}

function trunk(): Solid[] {
  const roots = [20, 110, 200, 290].map((degrees) => {
    const angle = degrees * Math.PI / 180;
    return cone([0, 0, -0.66], [0.3 * Math.cos(angle), 0.3 * Math.sin(angle), -0.84], 0.09, 0.03, "#6a4526");
  });
  return [
    cone([0, 0, -0.88], [0, 0, 0.3], 0.16, 0.09, BARK),
    ...roots,
    cone([0, 0, -0.1], [-0.32, -0.06, 0.2], 0.075, 0.045, BARK),
    cone([0, 0, -0.2], [0.78, -0.06, -0.08], 0.075, 0.035, BARK),
  ];
}

function crown(): Solid[] {
  return CROWN.map(([center, radius, color]) => ellipsoid(center, [radius, radius, radius * 0.92], color));
}

/** Apples on the outside of the leaves, as many on each cloud as fit without touching others. */
function apples(): Solid[] {
  const draw = stream(0, "tree", "apples");
  const placed: Vector3[] = [];
  for (let tries = 0; placed.length < 20 && tries < 2000; tries++) {
    const [[cx, cy, cz], radius] = CROWN[draw.integer(0, CROWN.length)];
    const direction: Vector3 = [draw.normal(), draw.normal(), draw.normal()];
    const length = Math.hypot(...direction);
    const [x, y, z] = direction.map((part) => part / length * radius * 0.97);
    const place: Vector3 = [cx + x, cy + y, cz + 0.92 * z];
    const hidden = CROWN.some(([center, size]) => size !== radius && distance(place, center) < size + 0.02);
    const crowded = placed.some((other) => distance(place, other) < 0.28);
    if (!hidden && !crowded && place[2] < 0.78) placed.push(place);
  }
  return placed.map((place) => ball(place, 0.06, "#d8322f"));
}

function distance(a: Vector3, b: Vector3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function swing(): Solid[] {
  const rope = (y: number): Solid =>
    capsule([0.68, y - 0.05, -0.1], [0.68, 3 * y - 0.05, -0.58], 0.014, "#c9a66b");
  return [
    rope(-0.04),
    rope(0.04),
    ...tonedBox([0.68, -0.05, -0.59], [0.15, 0.32, 0.035], ["#b8452f", "#9c3826", "#d9593f"]),
  ];
}

function bird(): Solid[] {
  const [x, y, z] = [-0.56, -0.12, 0.67];
  return [
    ellipsoid([x, y, z], [0.1, 0.07, 0.07], "#3f7fd0"),
    ball([x - 0.08, y, z + 0.07], 0.055, "#3f7fd0"),
    cone([x - 0.12, y, z + 0.07], [x - 0.2, y, z + 0.06], 0.025, 0, "#f2a93b"),
    cone([x + 0.06, y, z + 0.01], [x + 0.2, y, z + 0.05], 0.045, 0.03, "#2c5fa3"),
  ];
}
