/** From where `look` shows the hands. */
import { BenchError } from "../../env/errors.ts";
import { decimal } from "../../env/numbers.ts";
import { cross, type Vector3 } from "../../env/vector3.ts";
import { LAMP_Z, SCREEN_HEIGHT, SCREEN_WIDTH } from "../stage/stage.ts";
import { LEAST_W, type Row, type StageCamera } from "./camera.ts";
import { type Bounds, frameBounds, type Framing } from "./framing.ts";

/** Degrees. Azimuth turns from the lamp's side (0) to the person's right (90); elevation is height above the horizon. */
export interface ViewAngle {
  readonly azimuth: number;
  readonly elevation: number;
}

/**
 * `front` is what the lamp sees, so that outlines are the shadow's; it shows the screen behind the hands. All others
 * are parallel projections, in which a length along the picture is the same everywhere.
 */
export const VIEWS = {
  front: { azimuth: 0, elevation: 0 },
  back: { azimuth: 180, elevation: 0 },
  side: { azimuth: 90, elevation: 0 },
  top: { azimuth: 0, elevation: 90 },
  angle: { azimuth: 35, elevation: 25 },
} as const satisfies Record<string, ViewAngle>;

export type ViewName = keyof typeof VIEWS;
export type View = ViewName | ViewAngle;

/** `front`, or `azimuth 30° elevation −10°`. */
export function viewWords(view: View): string {
  if (typeof view === "string") return view;
  return `azimuth ${decimal(view.azimuth, 1)}° elevation ${decimal(view.elevation, 1)}°`.replaceAll("-", "−");
}

/**
 * The camera of a view whose picture holds every point, clear of the title in its upper border.
 *
 * @param points world positions, metres, of all that must be seen. [points, 3] each
 * @throws BenchError for a view or size that cannot be drawn
 */
export function viewCamera(
  view: View,
  points: readonly Float64Array[],
  width: number,
  height: number,
): StageCamera {
  return view === "front"
    ? lampCamera(points, width, height)
    : parallelCamera(viewAngle(view), points, width, height, frameBounds);
}

function lampCamera(points: readonly Float64Array[], width: number, height: number): StageCamera {
  // What a point at height z hides lies w times nearer to the axis than its shadow, w = 1 − z / LAMP_Z.
  const bounds = boundsOf(points, (x, y, z) => {
    const w = 1 - z / LAMP_Z;
    return w > LEAST_W ? [x / w, y / w] : null;
  });
  const framing = frameBounds(withScreen(bounds), width, height);
  const w: Row = [0, 0, -1 / LAMP_Z, 1];
  return {
    width,
    height,
    ...imageRows([1, 0, 0, 0], [0, 1, 0, 0], w, framing),
    nearness: [0, 0, 0, LAMP_NEARNESS],
    w,
    right: [1, 0, 0],
    up: [0, 1, 0],
    toward: [0, 0, 1],
    scale: framing.scale,
    parallel: false,
  };
}

/** A parallel projection; `frame` chooses what it shows of the plane of right and up. */
export function parallelCamera(
  angle: ViewAngle,
  points: readonly Float64Array[],
  width: number,
  height: number,
  frame: (bounds: Bounds, width: number, height: number) => Framing,
): StageCamera {
  const { right, up, toward } = viewAxes(angle);
  const bounds = boundsOf(points, (x, y, z) => [
    right[0] * x + right[1] * y + right[2] * z,
    up[0] * x + up[1] * y + up[2] * z,
  ]);
  const framing = frame(bounds, width, height);
  const near = 0.5 / STAGE_RADIUS;
  return {
    width,
    height,
    ...imageRows([...right, 0], [...up, 0], [0, 0, 0, 1], framing),
    nearness: [near * toward[0], near * toward[1], near * toward[2], 0.5],
    w: [0, 0, 0, 1],
    right,
    up,
    toward,
    scale: framing.scale,
    parallel: true,
  };
}

/** All skin lies nearer to the origin than this, metres: a wrist reaches 2.55, a hand or forearm 0.3 further. */
const STAGE_RADIUS = 4;
/** Nearness at the screen; 1 at `LEAST_W`. */
const LAMP_NEARNESS = 0.02;

function viewAngle(view: View): ViewAngle {
  const angle = typeof view === "string" ? VIEWS[view] : view;
  const { azimuth, elevation } = angle;
  if (Math.abs(azimuth) <= 360 && Math.abs(elevation) <= 90) return angle;
  throw new BenchError({
    what: "Cannot draw this view",
    why: `azimuth ${azimuth}°, elevation ${elevation}°`,
    fix: "An azimuth is −360 to 360 degrees, an elevation −90 to 90",
  });
}

/** Right never needs a cross product, so that straight up and down stay well defined. */
function viewAxes({ azimuth, elevation }: ViewAngle): Pick<StageCamera, "right" | "up" | "toward"> {
  const [sa, ca] = sineCosine(azimuth);
  const [se, ce] = sineCosine(elevation);
  const right: Vector3 = [ca, 0, -sa];
  const toward: Vector3 = [sa * ce, se, ca * ce];
  return { right, up: cross(toward, right), toward };
}

/** Exact at multiples of 90°, where the picture's axes are the world's. */
function sineCosine(degrees: number): [number, number] {
  if (degrees % 90 !== 0) return [Math.sin(degrees * Math.PI / 180), Math.cos(degrees * Math.PI / 180)];
  const quarter = ((degrees / 90) % 4 + 4) % 4;
  return [[0, 1, 0, -1][quarter], [1, 0, -1, 0][quarter]];
}

/** Rows that take the plane (a, b), metres, up to scale w, to pixels. */
function imageRows(a: Row, b: Row, w: Row, { x, y, scale }: Framing): Pick<StageCamera, "column" | "row"> {
  const row = (axis: Row, factor: number, offset: number): Row => [
    factor * axis[0] + offset * w[0],
    factor * axis[1] + offset * w[1],
    factor * axis[2] + offset * w[2],
    factor * axis[3] + offset * w[3],
  ];
  return { column: row(a, scale, x), row: row(b, -scale, y) };
}

function boundsOf(
  points: readonly Float64Array[],
  place: (x: number, y: number, z: number) => readonly [number, number] | null,
): Bounds {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const positions of points) {
    for (let at = 0; at < positions.length; at += 3) {
      const at2 = place(positions[at], positions[at + 1], positions[at + 2]);
      if (at2 === null) continue;
      left = Math.min(left, at2[0]);
      right = Math.max(right, at2[0]);
      bottom = Math.min(bottom, at2[1]);
      top = Math.max(top, at2[1]);
    }
  }
  return { left, right, bottom, top };
}

function withScreen({ left, right, bottom, top }: Bounds): Bounds {
  return {
    left: Math.min(left, -SCREEN_WIDTH / 2),
    right: Math.max(right, SCREEN_WIDTH / 2),
    bottom: Math.min(bottom, -SCREEN_HEIGHT / 2),
    top: Math.max(top, SCREEN_HEIGHT / 2),
  };
}
