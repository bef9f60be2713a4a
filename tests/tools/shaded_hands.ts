/** Both hands drawn in software with depth, for authors of targets. */
import { blankImage, type Image } from "../../env/image.ts";
import { cross, dot, subtract, unit, type Vector3 } from "../../env/vector3.ts";
import { type Hands, SEGMENTS } from "../../shadow/hand/hand_model.ts";
import { skinHand } from "../../shadow/hand/skin.ts";
import { type Pose, SIDES } from "../../shadow/pose.ts";
import {
  LAMP_Z,
  magnification,
  MASK_HEIGHT,
  MASK_WIDTH,
  PIXELS_PER_METRE,
} from "../../shadow/stage/stage.ts";

/** A view: a point to column, row and depth (larger is nearer), and which way it looks from. */
interface View {
  place(point: Vector3): Vector3;
  eye: Vector3;
}

/** What the lamp sees: where each part of the shadow comes from. */
export function fromLamp(hands: Hands, pose: Pose): Image {
  return draw(hands, pose, {
    place: ([x, y, z]) => {
      const scale = magnification(z) * PIXELS_PER_METRE;
      return [MASK_WIDTH / 2 + x * scale, MASK_HEIGHT / 2 - y * scale, 1 / (LAMP_Z - z)];
    },
    eye: [0, 0, 1],
  });
}

/** From +x, without perspective, as large as the hands above the screen allow. */
export function fromRight(hands: Hands, pose: Pose): Image {
  const points = SIDES.flatMap((side) => vertices(skinHand(hands[side], pose[side])))
    .filter(([x, y, z]) => Math.abs(x) * magnification(z) < 0.4 && Math.abs(y) * magnification(z) < 0.3);
  const [zs, ys] = [points.map(([, , z]) => z), points.map(([, y]) => y)];
  const [lowZ, highZ, lowY, highY] = [Math.min(...zs), Math.max(...zs), Math.min(...ys), Math.max(...ys)];
  const scale = 0.9 * Math.min(MASK_WIDTH / (highZ - lowZ), MASK_HEIGHT / (highY - lowY));
  return draw(hands, pose, {
    place: ([x, y, z]) => [
      MASK_WIDTH / 2 - (z - (lowZ + highZ) / 2) * scale,
      MASK_HEIGHT / 2 - (y - (lowY + highY) / 2) * scale,
      x,
    ],
    eye: [1, 0, 0],
  });
}

/** Parts of the hand alternate in tone; the right hand is warm, the left one cool. */
const COLORS = { right: [236, 188, 160], left: [160, 196, 236] } as const;

function draw(hands: Hands, pose: Pose, { place, eye }: View): Image {
  const image = blankImage(MASK_WIDTH, MASK_HEIGHT, [60, 60, 60]);
  const depths = new Float64Array(MASK_WIDTH * MASK_HEIGHT).fill(-Infinity);
  for (const side of SIDES) {
    const points = vertices(skinHand(hands[side], pose[side]));
    const placed = points.map(place);
    const { triangles, segments } = hands[side];
    for (let at = 0; at < triangles.length; at += 3) {
      const corners = [...triangles.subarray(at, at + 3)];
      const [a, b, c] = corners.map((i) => points[i]);
      const light = 0.35 + 0.65 * Math.abs(dot(unit(cross(subtract(b, a), subtract(c, a))), eye));
      const tone = light * (1 - 0.12 * (SEGMENTS.indexOf(SEGMENTS[segments[at / 3]]) % 3));
      fill(image, depths, corners.map((i) => placed[i]), COLORS[side].map((value) => value * tone));
    }
  }
  return image;
}

function fill(image: Image, depths: Float64Array, [a, b, c]: Vector3[], color: readonly number[]): void {
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  if (area === 0) return;
  const side = (p: Vector3, q: Vector3, x: number, y: number) =>
    ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) / area;
  const range = (i: 0 | 1, size: number) => [
    Math.max(0, Math.floor(Math.min(a[i], b[i], c[i]))),
    Math.min(size - 1, Math.ceil(Math.max(a[i], b[i], c[i]))),
  ];
  const [[left, right], [top, bottom]] = [range(0, MASK_WIDTH), range(1, MASK_HEIGHT)];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const [x, y] = [column + 0.5, row + 0.5];
      const [wa, wb, wc] = [side(b, c, x, y), side(c, a, x, y), side(a, b, x, y)];
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const pixel = row * MASK_WIDTH + column;
      const depth = wa * a[2] + wb * b[2] + wc * c[2];
      if (depth <= depths[pixel]) continue;
      depths[pixel] = depth;
      image.data.set(color, 3 * pixel);
    }
  }
}

function vertices(positions: Float64Array): Vector3[] {
  return Array.from(
    { length: positions.length / 3 },
    (_, i): Vector3 => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]],
  );
}
