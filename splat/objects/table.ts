/** A wooden table; a vase of flowers stands on one corner, books and a cup elsewhere. */
import type { Vector3 } from "../../env/vector3.ts";
import { turn } from "./rotation.ts";
import { ball, capsule, cone, cylinder, ellipsoid, type Solid } from "./solid.ts";
import { tonedBox } from "./tones.ts";

/** Height of the upper face of the top. */
const TOP = 0.12;

export function table(): Solid[] {
  return [...top(), ...frame(), ...vase(), ...books(), ...cup(), ...bowl()];
}

/** Five planks along x. */
function top(): Solid[] {
  const planks = ["#c08a52", "#b47d46", "#c6935c", "#b07a45", "#bd874f"];
  return planks.flatMap((color, i) =>
    tonedBox([0, (i - 2) * 0.26, TOP - 0.045], [1.8, 0.26, 0.09], ["#8f5f33", "#9c6a3b", color])
  );
}

function frame(): Solid[] {
  const tones = ["#6f4a2b", "#805e31", "#5a3b22"] as const;
  const legs = [[-1, -1], [1, -1], [-1, 1], [1, 1]].flatMap(([x, y]) =>
    tonedBox([0.78 * x, 0.53 * y, -0.435], [0.13, 0.13, 0.93], tones)
  );
  return [
    ...legs,
    ...tonedBox([0, -0.53, -0.045], [1.5, 0.05, 0.15], tones),
    ...tonedBox([0, 0.53, -0.045], [1.5, 0.05, 0.15], tones),
    ...tonedBox([-0.78, 0, -0.045], [0.05, 1, 0.15], tones),
    ...tonedBox([0.78, 0, -0.045], [0.05, 1, 0.15], tones),
    ...tonedBox([-0.78, 0, -0.66], [0.06, 1, 0.06], tones),
    ...tonedBox([0.78, 0, -0.66], [0.06, 1, 0.06], tones),
    ...tonedBox([0, 0, -0.66], [1.5, 0.06, 0.06], tones),
  ];
}

/** On the corner at +x, +y. */
function vase(): Solid[] {
  const [x, y] = [0.6, 0.36];
  const flowers: [Vector3, string][] = [
    [[x - 0.13, y - 0.1, 0.72], "#e4572e"],
    [[x + 0.12, y - 0.06, 0.76], "#f2c14e"],
    [[x + 0.01, y + 0.12, 0.8], "#d94f8a"],
  ];
  return [
    ellipsoid([x, y, TOP + 0.15], [0.14, 0.14, 0.155], "#2f6f9f"),
    cone([x, y, TOP + 0.26], [x, y, TOP + 0.4], 0.065, 0.1, "#3c86ba"),
    cylinder([x, y, TOP + 0.11], [x, y, TOP + 0.17], 0.143, "#e8eef2"),
    ...flowers.flatMap(([place, color]) => flower([x, y, TOP + 0.36], place, color)),
  ];
}

function flower(root: Vector3, [x, y, z]: Vector3, color: string): Solid[] {
  const petals = [0, 1, 2, 3, 4].map((i) => {
    const angle = i * 2 * Math.PI / 5;
    return ellipsoid(
      [x + 0.065 * Math.cos(angle), y + 0.065 * Math.sin(angle), z],
      [0.05, 0.05, 0.035],
      color,
    );
  });
  return [
    capsule(root, [x, y, z], 0.014, "#4f8f4a"),
    ...petals,
    ball([x, y, z + 0.02], 0.042, "#7a4a1f"),
  ];
}

function books(): Solid[] {
  const stack = [
    [0.07, 12, ["#2d5d4b", "#357059", "#43856b"]],
    [0.06, 24, ["#8d2f3b", "#a33a47", "#bb4a57"]],
    [0.05, 6, ["#394a7f", "#46599a", "#5a6fb5"]],
  ] as const;
  let floor = TOP;
  return stack.flatMap(([height, angle, tones]) => {
    const solids = tonedBox(
      [-0.5, -0.22, floor + height / 2],
      [0.44, 0.32, height],
      tones,
      turn([0, 0, 1], angle),
    );
    floor += height;
    return solids;
  });
}

function cup(): Solid[] {
  const [x, y] = [0.42, -0.36];
  return [
    cone([x, y, TOP], [x, y, TOP + 0.17], 0.075, 0.1, "#e9e2d0"),
    cylinder([x, y, TOP + 0.165], [x, y, TOP + 0.175], 0.083, "#5b3a24"),
    cylinder([x, y, TOP + 0.005], [x, y, TOP + 0.012], 0.15, "#cfc5ab"),
    capsule([x + 0.09, y, TOP + 0.14], [x + 0.15, y, TOP + 0.12], 0.016, "#e9e2d0"),
    capsule([x + 0.15, y, TOP + 0.12], [x + 0.15, y, TOP + 0.07], 0.016, "#e9e2d0"),
    capsule([x + 0.15, y, TOP + 0.07], [x + 0.08, y, TOP + 0.05], 0.016, "#e9e2d0"),
  ];
}

function bowl(): Solid[] {
  const [x, y] = [-0.22, 0.32];
  const fruit: [Vector3, string][] = [
    [[x - 0.09, y, 0.29], "#d23b34"],
    [[x + 0.09, y - 0.03, 0.29], "#7fb23f"],
    [[x + 0.01, y + 0.09, 0.29], "#e8842c"],
    [[x, y - 0.02, 0.36], "#e9c53b"],
  ];
  return [
    cone([x, y, TOP], [x, y, TOP + 0.13], 0.1, 0.22, "#7b8fa3"),
    cylinder([x, y, TOP + 0.13], [x, y, TOP + 0.14], 0.21, "#5d7084"),
    ...fruit.map(([place, color]) => ball(place, 0.085, color)),
  ];
}
