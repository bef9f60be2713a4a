/** Photos of any shape to small squares, without cutting the object; the cameras follow. */
import type { Image } from "../../env/image.ts";
import { compositeOnWhite, type RgbaImage } from "../../env/png.ts";
import type { Camera } from "../camera.ts";
import type { View } from "../task.ts";
import { cutSquare, resize, type ResizeFilter, type Square } from "./resize.ts";
import type { Silhouette } from "./silhouette.ts";

export interface CutOut {
  readonly camera: Camera;
  readonly photo: RgbaImage;
  readonly silhouette: Silhouette;
}

/**
 * Squares as large as the shorter side of the photos, or larger where an object needs it, all of one size; each lies
 * around the middle of its photo, moved no further than the object needs. What a square shows beyond its photo is
 * white. Compositing on white comes before the filter, so that nothing under alpha 0 bleeds in.
 *
 * @param size pixels a side of the new photos
 */
export function squareViews(views: readonly CutOut[], size: number, filter: ResizeFilter): View[] {
  const sides = views.flatMap(({ camera, silhouette: { box } }) => [
    Math.min(camera.width, camera.height),
    box === null ? 0 : Math.max(box.width, box.height),
  ]);
  const side = Math.max(...sides);
  return views.map(({ camera, photo, silhouette }) => {
    const square = placeSquare(silhouette, side);
    return {
      photo: shrink(cutSquare(compositeOnWhite(photo), square), size, filter),
      camera: cutCamera(camera, square, size),
    };
  });
}

/** The camera of a square cut out of its photo and resized: pixel corners stay corners. */
export function cutCamera(camera: Camera, { left, top, side }: Square, size: number): Camera {
  const k = size / side;
  return {
    ...camera,
    fx: camera.fx * k,
    fy: camera.fy * k,
    cx: (camera.cx - left) * k,
    cy: (camera.cy - top) * k,
    width: size,
    height: size,
  };
}

function placeSquare({ width, height, box }: Silhouette, side: number): Square {
  const place = (length: number, from: number, to: number) => {
    const middle = Math.floor((length - side) / 2);
    return Math.min(Math.max(middle, to - side), from);
  };
  return {
    left: place(width, box?.x ?? width, box === null ? 0 : box.x + box.width),
    top: place(height, box?.y ?? height, box === null ? 0 : box.y + box.height),
    side,
  };
}

function shrink(image: Image, size: number, filter: ResizeFilter): Image {
  return image.width === size ? image : resize(image, size, size, filter);
}
