/** Host-visible structs of the hand painter, declared once, and how hands and cameras are packed into them. */
import { struct } from "../../gpu/struct_layout.ts";
import { add, scaled, unit, type Vector3 } from "../../env/vector3.ts";
import { BONES } from "../hand/bones.ts";
import type { Hands } from "../hand/hand_model.ts";
import { SIDES } from "../pose.ts";
import type { StageCamera } from "./camera.ts";
import { HAND_TONES } from "./palette.ts";
import { vertexNormals } from "./vertex_normals.ts";

/** Samples a pixel along each side. */
export const SAMPLES = 2;

/** A vertex of the skin at rest; right hand first. */
export const REST_VERTEX = struct("RestVertex", {
  position: "vec3f",
  normal: "vec3f",
  weights: "vec4f",
  /** Into the bones of both hands. */
  bones: "vec4u",
});

/** What all pictures share: an array of one. */
export const SKIN = struct("Skin", {
  right_tone: "vec3f",
  vertices: "u32",
  left_tone: "vec3f",
  triangles: "u32",
  /** Triangles from this one on are the left hand's. */
  first_left: "u32",
  bones: "u32",
});

/** One picture: a row of the job table. */
export const PICTURE = struct("Picture", {
  /** Rows of a `StageCamera`, in samples instead of pixels. */
  column: "vec4f",
  row: "vec4f",
  nearness: "vec4f",
  w: "vec4f",
  /** Unit vectors in the world. */
  light: "vec3f",
  /** Samples. */
  width: "u32",
  halfway: "vec3f",
  height: "u32",
  /** A drop of nearness n by more than `contour.x + contour.y n²` draws a line. */
  contour: "vec2f",
  /** Where the picture's samples and pixels start in the buffers of all pictures. */
  first_sample: "u32",
  first_pixel: "u32",
});

/** A posed and projected vertex, on the device only. */
export const POSED_VERTEX = struct("PosedVertex", {
  /** Metres in the world. */
  position: "vec3f",
  /** 0 where the vertex cannot be seen. */
  w: "f32",
  normal: "vec3f",
  nearness: "f32",
  /** Eighths of a sample. */
  place: "vec2i",
});

/** Bytes of `array<RestVertex>`, both hands. */
export function packSkin(hands: Hands): Uint8Array<ArrayBuffer> {
  const rows = SIDES.flatMap((side, hand) => {
    const model = hands[side];
    const normals = vertexNormals(model.positions, model.triangles);
    return Array.from({ length: model.positions.length / 3 }, (_, i) => ({
      position: triple(model.positions, i),
      normal: triple(normals, i),
      weights: quadruple(model.boneWeights, i),
      bones: quadruple(model.boneIndices, i, hand * BONES.length),
    }));
  });
  return REST_VERTEX.pack(rows);
}

/** Triangles of both hands, the left's indices behind the right's. [triangles, 3] */
export function packTriangles({ right, left }: Hands): Uint32Array {
  const offset = right.positions.length / 3;
  return Uint32Array.from([...right.triangles, ...left.triangles.map((index) => index + offset)]);
}

/** The one row of `SKIN`. */
export function skinRow({ right, left }: Hands) {
  return {
    right_tone: HAND_TONES.right,
    left_tone: HAND_TONES.left,
    vertices: (right.positions.length + left.positions.length) / 3,
    triangles: (right.triangles.length + left.triangles.length) / 3,
    first_left: right.triangles.length / 3,
    bones: SIDES.length * BONES.length,
  };
}

/** A row of `PICTURE`. */
export function pictureRow(camera: StageCamera, firstPixel: number) {
  const { right, up, toward, nearness, w } = camera;
  const place = ([x, y, z]: Vector3): Vector3 =>
    unit(add(add(scaled(right, x), scaled(up, y)), scaled(toward, z)));
  const light = place(LIGHT);
  return {
    column: samples(camera.column),
    row: samples(camera.row),
    nearness,
    w,
    light,
    halfway: unit(add(light, toward)),
    width: SAMPLES * camera.width,
    height: SAMPLES * camera.height,
    contour: contourDrop(camera),
    first_sample: SAMPLES * SAMPLES * firstPixel,
    first_pixel: firstPixel,
  };
}

/** Where the light of the pictures comes from, along the camera's right, up and toward axes. */
const LIGHT: Vector3 = [0, 0.62, 0.78];

/** Least step in depth that gets a line, metres and samples: steeper slopes than the latter's are limbs anyway. */
const CONTOUR_METRES = 0.005;
const CONTOUR_SAMPLES = 5;

function contourDrop({ parallel, nearness, w, scale }: StageCamera): [number, number] {
  const metres = Math.max(CONTOUR_METRES, CONTOUR_SAMPLES / (SAMPLES * scale));
  // Parallel: n falls evenly. Else n = c / w, so that dn = n² dw / c.
  if (parallel) return [metres * Math.hypot(nearness[0], nearness[1], nearness[2]), 0];
  return [0, metres * Math.abs(w[2]) / nearness[3]];
}

function samples([a, b, c, d]: StageCamera["column"]): [number, number, number, number] {
  return [SAMPLES * a, SAMPLES * b, SAMPLES * c, SAMPLES * d];
}

function triple(values: Float64Array, i: number): Vector3 {
  return [values[3 * i], values[3 * i + 1], values[3 * i + 2]];
}

function quadruple(
  values: ArrayLike<number>,
  i: number,
  offset = 0,
): [number, number, number, number] {
  const at = (k: number) => values[4 * i + k] + offset;
  return [at(0), at(1), at(2), at(3)];
}
