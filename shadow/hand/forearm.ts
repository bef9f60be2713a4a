/** A forearm for a hand that ends at the wrist: cut, then stitch on a tapered tube with a rounded elbow. */
import type { Vector3 } from "../../env/vector3.ts";
import { smoothStep } from "../smooth_step.ts";
import { keepTriangles, type SkinMesh, type SkinVertex, type Triangle } from "./skin_mesh.ts";

/** Metres below the wrist. */
const CUT_BELOW = 0.004;
const ELBOW_BELOW = 0.22;

/** Where the rings of the tube lie, as shares of the way from the cut to the elbow: closer where the wrist bends. */
const RINGS = [0.035, 0.08, 0.13, 0.19, 0.26, 0.34, 0.43, 0.53, 0.64, 0.76, 0.88, 1];

/** Width and thickness over those at the wrist: the belly of the muscles, then a little narrower at the elbow. */
const WIDTH: readonly Knot[] = [[0, 1], [0.15, 1.02], [0.7, 1.46], [1, 1.4]];
const THICKNESS: readonly Knot[] = [[0, 1], [0.15, 1.04], [0.65, 1.72], [1, 1.66]];

/** Rings that round off the elbow, and the point that closes it: metres below it; sizes over the last ring's. */
const ELBOW_CAP = [{ below: 0.014, size: 0.86 }, { below: 0.022, size: 0.55 }];
const ELBOW_TIP = 0.026;

/** Share of the way over which the cut's uneven loop becomes an ellipse. */
const ROUNDED_BY = 0.3;

/** Share of the way from cut to elbow, factor. */
type Knot = readonly [number, number];

/** A hand in its rest frame without what lies more than 4 mm below the wrist. */
export function cutWrist(hand: SkinMesh): SkinMesh {
  return keepTriangles(hand, (corners) => corners.every((i) => hand.vertices[i].position[1] >= -CUT_BELOW));
}

/**
 * A forearm, whose vertices hang on bone 0, on a hand that was cut.
 *
 * @param loop - the vertices round the cut, as `openLoops` gives them
 */
export function stitchForearm(cut: SkinMesh, loop: readonly number[]): { mesh: SkinMesh; elbow: Vector3 } {
  const vertices: SkinVertex[] = [...cut.vertices];
  const triangles: Triangle[] = [...cut.triangles];
  const rim = loop.map((i) => vertices[i].position);
  const centre = meanOf(rim);
  const shape = ringShape(rim, centre);
  const addVertex = (position: Vector3) => vertices.push({ position, weights: FOREARM }) - 1;
  const addRing = (above: readonly number[], positions: readonly Vector3[]): number[] => {
    const ring = positions.map(addVertex);
    ring.forEach((here, i) => {
      const next = (i + 1) % ring.length;
      triangles.push([above[i], above[next], ring[next]], [above[i], ring[next], here]);
    });
    return ring;
  };
  const length = ELBOW_BELOW + centre[1];
  let ring = RINGS.reduce((above, t) => addRing(above, shape(t, centre[1] - t * length, 1)), [...loop]);
  for (const { below, size } of ELBOW_CAP) ring = addRing(ring, shape(1, -ELBOW_BELOW - below, size));
  const tip = addVertex([centre[0], -ELBOW_BELOW - ELBOW_TIP, centre[2]]);
  ring.forEach((here, i) => triangles.push([here, ring[(i + 1) % ring.length], tip]));
  return { mesh: { vertices, triangles }, elbow: [centre[0], -ELBOW_BELOW, centre[2]] };
}

const FOREARM: ReadonlyMap<number, number> = new Map([[0, 1]]);

/** The ring at a share of the way, a height and a size: first the loop itself, then more and more an ellipse. */
function ringShape(rim: readonly Vector3[], [cx, cy, cz]: Vector3) {
  const halfWidth = Math.max(...rim.map(([x]) => Math.abs(x - cx)));
  const halfThickness = Math.max(...rim.map(([, , z]) => Math.abs(z - cz)));
  const angles = rim.map(([x, , z]) => Math.atan2((z - cz) / halfThickness, (x - cx) / halfWidth));
  return (t: number, height: number, size: number): Vector3[] => {
    const round = smoothStep(t / ROUNDED_BY);
    const width = size * between(WIDTH, t), thickness = size * between(THICKNESS, t);
    return rim.map(([x, y, z], i): Vector3 => [
      cx + width * mix(x - cx, halfWidth * Math.cos(angles[i]), round),
      height + mix(y - cy, 0, round),
      cz + thickness * mix(z - cz, halfThickness * Math.sin(angles[i]), round),
    ]);
  };
}

/** Smoothly from knot to knot. */
function between(knots: readonly Knot[], t: number): number {
  const next = Math.max(1, knots.findIndex(([at]) => at >= t));
  const [[t0, from], [t1, to]] = [knots[next - 1], knots[next]];
  return mix(from, to, smoothStep((t - t0) / (t1 - t0)));
}

function meanOf(points: readonly Vector3[]): Vector3 {
  const mean = (axis: 0 | 1 | 2) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1), mean(2)];
}

function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}
