/** Exact photos of solids: nearest hit, flat colour, sixteen samples a pixel. */
import type { Image } from "../../env/image.ts";
import { type Camera, cameraEye } from "../camera.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { ownBox } from "./bounds.ts";
import { type Intersector, intersector } from "./intersect.ts";
import { apply, transpose } from "./rotation.ts";
import type { Solid } from "./solid.ts";

/** Samples along each side of a pixel, at the centres of a regular grid. */
const GRID = 4;
const SAMPLES = GRID * GRID;
const WHITE = 255;
/** A box corner nearer to the camera plane than this has no useful projection. */
const NEAR = 1e-3;

export interface SolidPhoto {
  /** White background; the average of the samples' sRGB values, rounded half up. */
  image: Image;
  /** Share of each pixel's samples that hit something, [height, width], in sixteenths. */
  alpha: Float32Array;
}

/** The photo a camera outside all solids takes. Of two surfaces at the same distance the earlier solid is seen. */
export function renderSolids(solids: readonly Solid[], camera: Camera): SolidPhoto {
  const { width, height } = camera;
  const seen = solids.map((solid) => prepare(solid, camera));
  const data = new Uint8Array(width * height * 3);
  const alpha = new Float32Array(width * height);
  const depth = new Float64Array(width * SAMPLES);
  const nearest = new Int32Array(width * SAMPLES);
  for (let row = 0; row < height; row++) {
    depth.fill(Infinity);
    nearest.fill(-1);
    seen.forEach((solid, index) => {
      if (row < solid.top || row >= solid.bottom) return;
      const { hit, eye, alongX, alongY, ahead } = solid;
      for (let at = solid.left * SAMPLES; at < solid.right * SAMPLES; at++) {
        const sample = at % SAMPLES;
        const column = (at - sample) / SAMPLES;
        const x = (column + (sample % GRID + 0.5) / GRID - camera.cx) / camera.fx;
        const y = (row + (Math.floor(sample / GRID) + 0.5) / GRID - camera.cy) / camera.fy;
        const t = hit(
          eye[0],
          eye[1],
          eye[2],
          alongX[0] * x + alongY[0] * y + ahead[0],
          alongX[1] * x + alongY[1] * y + ahead[1],
          alongX[2] * x + alongY[2] * y + ahead[2],
        );
        if (t < depth[at]) {
          depth[at] = t;
          nearest[at] = index;
        }
      }
    });
    resolveRow(solids, nearest, row * width, data, alpha);
  }
  return { image: { width, height, data }, alpha };
}

function resolveRow(
  solids: readonly Solid[],
  nearest: Int32Array,
  rowStart: number,
  data: Uint8Array,
  alpha: Float32Array,
): void {
  for (let column = 0; column < nearest.length / SAMPLES; column++) {
    let [red, green, blue, hits] = [0, 0, 0, 0];
    for (let sample = 0; sample < SAMPLES; sample++) {
      const index = nearest[column * SAMPLES + sample];
      if (index < 0) continue;
      const { color } = solids[index];
      red += color[0];
      green += color[1];
      blue += color[2];
      hits++;
    }
    const pixel = rowStart + column;
    const white = (SAMPLES - hits) * WHITE;
    // Whole numbers up to here, so the rounding is the same on every machine.
    data[pixel * 3] = Math.floor((red + white) / SAMPLES + 0.5);
    data[pixel * 3 + 1] = Math.floor((green + white) / SAMPLES + 0.5);
    data[pixel * 3 + 2] = Math.floor((blue + white) / SAMPLES + 0.5);
    alpha[pixel] = hits / SAMPLES;
  }
}

/** A solid as one camera sees it: rays in its own frame, and the pixels it can be in. */
interface SeenSolid {
  hit: Intersector;
  eye: Vector3;
  /** Ray direction = alongX x + alongY y + ahead, with x, y the normalised image coordinates. */
  alongX: Vector3;
  alongY: Vector3;
  ahead: Vector3;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function prepare(solid: Solid, camera: Camera): SeenSolid {
  const toOwn = transpose(solid.rotation);
  const [x, y, z] = cameraEye(camera);
  const [px, py, pz] = solid.position;
  return {
    hit: intersector(solid.shape),
    eye: apply(toOwn, [x - px, y - py, z - pz]),
    alongX: apply(toOwn, camera.rotation[0]),
    alongY: apply(toOwn, camera.rotation[1]),
    ahead: apply(toOwn, camera.rotation[2]),
    ...pixelBox(solid, camera),
  };
}

/** Pixels that the projected corners of the solid's own box span; all of them if a corner is beside the camera. */
function pixelBox(solid: Solid, camera: Camera): Pick<SeenSolid, "left" | "right" | "top" | "bottom"> {
  const half = ownBox(solid.shape);
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let corner = 0; corner < 8; corner++) {
    const offset = apply(solid.rotation, [
      corner & 1 ? half[0] : -half[0],
      corner & 2 ? half[1] : -half[1],
      corner & 4 ? half[2] : -half[2],
    ]);
    const [px, py, pz] = solid.position;
    const turned = apply(camera.rotation, [px + offset[0], py + offset[1], pz + offset[2]]);
    const depth = turned[2] + camera.translation[2];
    if (depth < NEAR) return { left: 0, right: camera.width, top: 0, bottom: camera.height };
    const u = camera.fx * (turned[0] + camera.translation[0]) / depth + camera.cx;
    const v = camera.fy * (turned[1] + camera.translation[1]) / depth + camera.cy;
    [left, right, top, bottom] = [
      Math.min(left, u),
      Math.max(right, u),
      Math.min(top, v),
      Math.max(bottom, v),
    ];
  }
  // One pixel more on each side, so that rounding in the projection can never cut a sample.
  const inside = (value: number, size: number) => Math.min(Math.max(value, 0), size);
  return {
    left: inside(Math.floor(left) - 1, camera.width),
    right: inside(Math.ceil(right) + 1, camera.width),
    top: inside(Math.floor(top) - 1, camera.height),
    bottom: inside(Math.ceil(bottom) + 1, camera.height),
  };
}
