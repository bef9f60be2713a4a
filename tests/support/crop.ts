import { blit, type Rectangle } from "../../env/draw.ts";
import { blankImage, type Image } from "../../env/image.ts";

/** A copy of the pixels in a rectangle; white where it reaches beyond the picture. */
export function crop(image: Image, { x, y, width, height }: Rectangle): Image {
  const part = blankImage(width, height);
  blit(part, image, -x, -y);
  return part;
}
