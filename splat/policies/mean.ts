/** `builtin:mean`: one Gaussian in the object's average colour, from the opening message alone. */
import type { Observation } from "../../env/observation.ts";
import { blankImage, type Image } from "../../env/image.ts";
import type { Policy } from "../../env/policy.ts";
import type { Rectangle } from "../../env/draw.ts";
import { orbitCamera } from "../camera.ts";
import { meanGaussian } from "../mean_gaussian.ts";
import { sheetCells } from "../pictures/sheet.ts";
import type { View } from "../task.ts";

export const meanPolicy: Policy = ({ opening, history }) => {
  if (history.length > 0) return Promise.resolve([{ name: "submit", arguments: {} }]);
  const { mean, scale, color, opacity } = meanGaussian(readOpening(opening));
  const gaussian = { pos: [...mean], scale: [...scale], color: [...color], opacity };
  return Promise.resolve([{ name: "add_gaussians", arguments: { gaussians: [gaussian] } }]);
};

const VIEW = /^view \d+: azimuth (\S+)°, elevation (\S+)°, distance (\S+), field of view (\S+)°$/gm;

/** The reference views as the opening text and picture tell of them; none when it is somebody else's opening. */
export function readOpening({ text, image }: Observation): View[] {
  const size = text.match(/(\d+)×(\d+) pixels/);
  if (image === null || size === null) return [];
  const [width, height] = [Number(size[1]), Number(size[2])];
  const orbits = [...text.matchAll(VIEW)].map((found) => found.slice(1).map(Number));
  return sheetCells(orbits.length, width, height).map((cell, view) => {
    const [azimuthDeg, elevationDeg, distance, fovDeg] = orbits[view];
    return {
      photo: cut(image, cell),
      camera: orbitCamera({ azimuthDeg, elevationDeg, distance, fovDeg }, width, height),
    };
  });
}

function cut(image: Image, { x, y, width, height }: Rectangle): Image {
  const part = blankImage(width, height);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * image.width + x) * 3;
    part.data.set(image.data.subarray(from, from + width * 3), row * width * 3);
  }
  return part;
}
