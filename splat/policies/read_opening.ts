/** What a policy knows of a task: the opening text and picture, read as a model would read them. */
import type { Rectangle } from "../../env/draw.ts";
import { blankImage, type Image } from "../../env/image.ts";
import type { Observation } from "../../env/observation.ts";
import { orbitCamera } from "../camera.ts";
import { sheetCells } from "../pictures/sheet.ts";
import { type Limits, STANDARD_LIMITS, type View } from "../task.ts";

const VIEW =
  /^view \d+: azimuth (\S+)°, elevation (\S+)°, distance (\S+), field of view (\S+)°(?:, origin at pixel \((\S+), (\S+)\))?$/gm;

/** The reference views as the opening text and picture tell of them; none when it is somebody else's opening. */
export function readOpening({ text, image }: Observation): View[] {
  const size = text.match(/(\d+)×(\d+) pixels/);
  if (image === null || size === null) return [];
  const [width, height] = [Number(size[1]), Number(size[2])];
  const orbits = [...text.matchAll(VIEW)].map((found) =>
    found.slice(1).flatMap((number) => number ? [Number(number)] : [])
  );
  return sheetCells(orbits.length, width, height).map((cell, view) => {
    const [azimuthDeg, elevationDeg, distance, fovDeg, cx = width / 2, cy = height / 2] = orbits[view];
    // A camera that looks a little past the origin sees nearly what one with a moved principal point sees.
    return {
      photo: cut(image, cell),
      camera: { ...orbitCamera({ azimuthDeg, elevationDeg, distance, fovDeg }, width, height), cx, cy },
    };
  });
}

/** What an episode may use, as the opening text says it; the standard limits when it is somebody else's. */
export function readLimits({ text }: Observation): Limits {
  const said = text.match(/^Limits: (\d+) Gaussians?, (\d+) tool calls?, (\d+) renders?\./m);
  if (said === null) return STANDARD_LIMITS;
  const [gaussians, calls, renders] = said.slice(1).map(Number);
  return { ...STANDARD_LIMITS, gaussians, calls, renders };
}

/** The part of a picture inside a rectangle. */
export function cut(image: Image, { x, y, width, height }: Rectangle): Image {
  const part = blankImage(width, height);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * image.width + x) * 3;
    part.data.set(image.data.subarray(from, from + width * 3), row * width * 3);
  }
  return part;
}
