/** A small capture of the table, made here: known solids, known cameras, exact photos, in a world of its own. */
import { encode } from "fast-png";
import { encode as encodeJpegFile } from "jpeg-js";
import type { RgbaImage } from "../../../env/png.ts";
import { type Camera, orbitCamera } from "../../../splat/camera.ts";
import { proceduralSolids } from "../../../splat/objects/procedural.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { apply, type Matrix3, transpose, turn } from "../../../splat/objects/rotation.ts";
import type { Vector3 } from "../../../env/vector3.ts";

export interface SampleView {
  /** Sees the object in its cube. */
  own: Camera;
  /** Sees the same picture in the capture's world. */
  camera: Camera;
  /** Straight alpha, 255 wherever a sample of the pixel hits; black below alpha 0. */
  photo: RgbaImage;
}

/** Capture world: q = Aᵀ p / k + c, p in the cube. */
export interface World {
  k: number;
  turn: Matrix3;
  center: Vector3;
}

/** Lies on its side, is small and far from the origin. */
export const LYING: World = { k: 2.5, turn: turn([1, 0.2, -0.3], 100), center: [3, -7, 11] };
/** +Z up, as NeRF-Synthetic's worlds are. */
export const STANDING: World = { k: 0.7, turn: turn([0, 0, 1], 0), center: [0.1, 0.2, -0.3] };

export const VIEWS = 24;
export const SIZE = { width: 67, height: 51 };
export const LENS = { fx: 88, fy: 84, cx: 31.7, cy: 27.2 };
/** What NeRF-Synthetic can say: one focal length, the principal point in the middle. */
export const PLAIN_LENS = { fx: 86, fy: 86, cx: 33.5, cy: 25.5 };

export function sampleViews(world: World, lens: typeof LENS, size = SIZE, count = VIEWS): SampleView[] {
  const solids = proceduralSolids("table");
  return Array.from({ length: count }, (_, i) => {
    // Azimuths spread evenly by the golden angle; the high ones are on one side more than on the other.
    const orbit = {
      azimuthDeg: i * 137.508,
      elevationDeg: 70 * ((i * 0.4142) % 1) - 8,
      distance: 4.1,
      fovDeg: 40,
    };
    const own = { ...orbitCamera(orbit, size.width, size.height), ...lens };
    const { image, alpha } = renderSolids(solids, own);
    const data = new Uint8Array(image.width * image.height * 4);
    alpha.forEach((value, pixel) => {
      if (value > 0) data.set([...image.data.subarray(3 * pixel, 3 * pixel + 3), 255], 4 * pixel);
    });
    return { own, camera: toWorld(own, world), photo: { width: image.width, height: image.height, data } };
  });
}

/** R = R' A and t = t' / k − R c: the inverse of the normalisation, written out on its own. */
function toWorld(own: Camera, { k, turn: a, center }: World): Camera {
  const columns = transpose(a);
  const rotation: Matrix3 = [
    apply(columns, own.rotation[0]),
    apply(columns, own.rotation[1]),
    apply(columns, own.rotation[2]),
  ];
  const [x, y, z] = apply(rotation, center);
  const [tx, ty, tz] = own.translation;
  return { ...own, rotation, translation: [tx / k - x, ty / k - y, tz / k - z] };
}

export function rgbaPng({ width, height, data }: RgbaImage): Uint8Array {
  return encode({ width, height, data, channels: 4 });
}

/** The photo on plain paper, opaque. */
export function onPaper({ width, height, data }: RgbaImage, channel: number): RgbaImage {
  const paper = data.slice();
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 0) paper.fill(channel, at, at + 3);
    paper[at + 3] = 255;
  }
  return { width, height, data: paper };
}

export function rgbPng({ width, height, data }: RgbaImage): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    rgb.set(data.subarray(4 * pixel, 4 * pixel + 3), 3 * pixel);
  }
  return encode({ width, height, data: rgb, channels: 3 });
}

/** Gray: white on the object. */
export function maskPng({ width, height, data }: RgbaImage): Uint8Array {
  return encode({ width, height, data: data.filter((_, at) => at % 4 === 3), channels: 1 });
}

export function jpeg(photo: RgbaImage, quality: number): Uint8Array {
  return encodeJpegFile(photo, quality).data;
}
