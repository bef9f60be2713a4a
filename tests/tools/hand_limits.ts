/**
 * Prints where a hand meets itself and how thick it is, as the Markdown tables of docs/hands.md:
 * `deno run -A tests/tools/hand_limits.ts [hand.glb]`. Right hand; the left one is its mirror.
 */
import { type Stream, stream } from "../../env/random.ts";
import { printLine } from "../../eval/terminal.ts";
import { contactMesh, REST_CLOSE, WEB_CLOSE } from "../../shadow/collision/contact_mesh.ts";
import { boxesMeet, PosedSkin } from "../../shadow/collision/posed_skin.ts";
import { selfContact } from "../../shadow/collision/skin_contact.ts";
import { trianglesMeet } from "../../shadow/collision/triangles_meet.ts";
import { CONTROLS, FINGERS } from "../../shadow/hand/controls.ts";
import { SEGMENTS } from "../../shadow/hand/hand_model.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import { START_POSE } from "../../shadow/pose.ts";
import { anglesOf, randomAngles } from "../support/shadow_poses.ts";

const SWEEP_STEP_DEG = 0.5;
const RANDOM_POSES = 2000;

const { right } = await loadHands(Deno.args[0]);
const mesh = contactMesh(right);
const skin = new PosedSkin(mesh);

printLine(`${right.name}: ${mesh.corners.length / 3} triangles\n`);
printSweeps();
printFists();
printWebs();
printRandom();
printThickness();

function printSweeps(): void {
  row("control", "range", "first contact below rest", "first contact above rest");
  row("---", "---", "---", "---");
  for (const { name, min, max } of CONTROLS) {
    const limit = (end: number) => firstContact(end, (angle) => ({ [name]: angle })) ?? "free";
    row(`\`${name}\``, `${min}° to ${max}°`, limit(min), limit(max));
  }
  printLine("");
}

/** All fingers bent in one proportion, and each alone, with the thumb at rest and out of the way. */
function printFists(): void {
  row("fist of", "mcp : pip : dip", "thumb at rest", "thumb stretched away");
  row("---", "---", "---", "---");
  const away = { "thumb.abd": -15, "thumb.flex": -25 };
  for (const fingers of [FINGERS, ...FINGERS.map((finger) => [finger])]) {
    for (const [mcp, pip, dip] of [[78, 92, 45], [82, 95, 65]]) {
      const bent = (share: number) =>
        Object.fromEntries(fingers.flatMap((finger) => [
          [`${finger}.mcp`, share * mcp],
          [`${finger}.pip`, share * pip],
          [`${finger}.dip`, share * dip],
        ]));
      const limit = (thumb: Record<string, number>) => {
        for (let percent = 1; percent <= 100; percent++) {
          const contact = contactAt({ ...thumb, ...bent(percent / 100) });
          if (contact) {
            return `${[mcp, pip, dip].map((a) => Math.round(a * percent / 100)).join("/")}°, ${contact}`;
          }
        }
        return "free";
      };
      row(
        fingers.length > 1 ? "four fingers" : fingers[0],
        `${mcp} : ${pip} : ${dip}`,
        limit({}),
        limit(away),
      );
    }
  }
  printLine("");
}

/** Where the bases of neighbouring fingers first meet when one knuckle bends, by what counts as close at rest. */
function printWebs(): void {
  const distances = [0.006, 0.008, 0.01, 0.012, WEB_CLOSE, 0.016];
  row("knuckle bent to 110°", "others", ...distances.map((d) => `${1000 * d} mm`));
  row("---", "---", ...distances.map(() => "---"));
  for (const finger of FINGERS) {
    for (const others of [0, -25]) {
      const straight = Object.fromEntries(FINGERS.map((other) => [`${other}.mcp`, others]));
      const limits = distances.map((distance) => {
        for (let angle = 0; angle <= 110; angle += SWEEP_STEP_DEG) {
          const contacts = allContacts({ ...straight, [`${finger}.mcp`]: angle });
          if (contacts.some(({ web, gap }) => web && gap >= distance)) return `${angle}°`;
        }
        return "free";
      });
      row(`\`${finger}.mcp\``, `${others}°`, ...limits);
    }
  }
  printLine("");
}

function printRandom(): void {
  row("random poses", "free", "of 1 to 4 pairs of triangles", "bases of neighbouring fingers alone");
  row("---", "---", "---", "---");
  const kinds: Record<string, (draw: Stream) => number[]> = {
    "uniform over the ranges": (draw) => randomAngles(draw, 1),
    "mean of two of them": (draw) => {
      const [a, b] = [randomAngles(draw, 1), randomAngles(draw, 1)];
      return a.map((angle, i) => (angle + b[i]) / 2);
    },
  };
  for (const [name, angles] of Object.entries(kinds)) {
    const draw = stream(0, "hand limits", name);
    let [free, few, webs] = [0, 0, 0];
    for (let k = 0; k < RANDOM_POSES; k++) {
      const counted = contactsOf(angles(draw)).filter(({ web, gap }) =>
        gap >= (web ? WEB_CLOSE : REST_CLOSE)
      );
      if (counted.length === 0) free++;
      else if (counted.length <= 4) few++;
      if (counted.length > 0 && counted.every(({ web }) => web)) webs++;
    }
    row(`${RANDOM_POSES}, ${name}`, share(free), share(few), share(webs));
  }
  printLine("");
}

/** From the middle of each triangle straight inward to the skin on the other side. */
function printThickness(): void {
  skin.place({ ...START_POSE.right, angles: anglesOf({}), position: [0, 0, 0] });
  row("part", "thinnest", "5% of the skin below", "median");
  row("---", "---", "---", "---");
  for (const [part, name] of SEGMENTS.entries()) {
    const depths: number[] = [];
    for (let t = mesh.starts[part]; t < mesh.starts[part + 1]; t++) depths.push(depthAt(t));
    depths.sort((a, b) => a - b);
    const at = (quantile: number) => `${(1000 * depths[Math.floor(quantile * depths.length)]).toFixed(1)} mm`;
    row(name, at(0), at(0.05), at(0.5));
  }
}

function depthAt(triangle: number): number {
  const corner = (t: number, k: number) =>
    [0, 1, 2].map((axis) => skin.positions[mesh.corners[3 * t + k] + axis]);
  const minus = (a: number[], b: number[]) => a.map((x, i) => x - b[i]);
  const times = ([a, b, c]: number[], [d, e, f]: number[]) => [b * f - c * e, c * d - a * f, a * e - b * d];
  const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const [a, b, c] = [0, 1, 2].map((k) => corner(triangle, k));
  const outward = times(minus(b, a), minus(c, a));
  const inward = outward.map((x) => -x / Math.hypot(...outward));
  const middle = a.map((x, i) => (x + b[i] + c[i]) / 3);
  let least = Infinity;
  for (let t = 0; t < mesh.corners.length / 3; t++) {
    if (t === triangle) continue;
    // Möller–Trumbore.
    const [p, q, r] = [0, 1, 2].map((k) => corner(t, k));
    const [u, v, s] = [minus(q, p), minus(r, p), minus(middle, p)];
    const h = times(inward, v);
    const k = dot(u, h);
    const first = dot(s, h) / k;
    const second = dot(inward, times(s, u)) / k;
    const depth = dot(v, times(s, u)) / k;
    if (first >= 0 && second >= 0 && first + second <= 1 && depth > 0) least = Math.min(least, depth);
  }
  return least;
}

/** The first angle on the way from rest to `end` that makes contact, and the parts; null for none. */
function firstContact(end: number, degrees: (angle: number) => Record<string, number>): string | null {
  for (let k = 1; k * SWEEP_STEP_DEG <= Math.abs(end); k++) {
    const angle = Math.sign(end) * k * SWEEP_STEP_DEG;
    const contact = contactAt(degrees(angle));
    if (contact) return `${angle}°, ${contact}`;
  }
  return null;
}

function contactAt(degrees: Record<string, number>): string | null {
  skin.place({ ...START_POSE.right, angles: anglesOf(degrees) });
  const contact = selfContact(skin);
  return contact && contact.map((part) => SEGMENTS[part]).join(" ~ ");
}

interface TriangleContact {
  /** Between bases of neighbouring fingers. */
  web: boolean;
  /** Least distance of the triangles' corners at rest, metres. */
  gap: number;
}

function allContacts(degrees: Record<string, number>): TriangleContact[] {
  return contactsOf(anglesOf(degrees));
}

/** Every pair of triangles of tested parts that meets, also those that may. */
function contactsOf(angles: number[]): TriangleContact[] {
  skin.place({ ...START_POSE.right, angles });
  const found: TriangleContact[] = [];
  const { corners, starts } = mesh;
  for (const [i, j] of mesh.pairs) {
    if (!boxesMeet(skin.partBoxes, i, skin.partBoxes, j)) continue;
    const web = SEGMENTS[i].endsWith("base") && SEGMENTS[j].endsWith("base") &&
      i > SEGMENTS.indexOf("thumb tip") &&
      j === i + 3;
    for (let s = starts[i]; s < starts[i + 1]; s++) {
      if (!boxesMeet(skin.triangleBoxes, s, skin.partBoxes, j)) continue;
      for (let t = starts[j]; t < starts[j + 1]; t++) {
        if (!boxesMeet(skin.triangleBoxes, s, skin.triangleBoxes, t)) continue;
        const [a, b, c] = corners.subarray(3 * s, 3 * s + 3);
        const [d, e, f] = corners.subarray(3 * t, 3 * t + 3);
        if (trianglesMeet(skin.positions, a, b, c, skin.positions, d, e, f)) {
          found.push({ web, gap: restGap(s, t) });
        }
      }
    }
  }
  return found;
}

function restGap(s: number, t: number): number {
  const p = right.positions;
  let least = Infinity;
  for (const a of mesh.corners.subarray(3 * s, 3 * s + 3)) {
    for (const b of mesh.corners.subarray(3 * t, 3 * t + 3)) {
      least = Math.min(least, Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]));
    }
  }
  return least;
}

function share(count: number): string {
  return `${(100 * count / RANDOM_POSES).toFixed(1)}%`;
}

function row(...cells: string[]): void {
  printLine(`| ${cells.join(" | ")} |`);
}
