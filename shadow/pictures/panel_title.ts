/** Titles inside panels that have no border to write on. */
import { type Color, drawText, type Rectangle, textHeight, textWidth } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import { PAGE } from "./palette.ts";

export type Corner = "top left" | "top right" | "bottom left" | "bottom right";

export interface TitleLine {
  readonly text: string;
  readonly color: Color;
}

/** What a title covers: its lines and a little around them. */
export function titleBox(panel: Rectangle, corner: Corner, lines: readonly TitleLine[]): Rectangle {
  const width = Math.max(...lines.map(({ text }) => textWidth(text))) + 2 * PADDING;
  const height = lines.length * LINE_HEIGHT + 2 * PADDING - (LINE_HEIGHT - textHeight());
  return {
    x: corner.endsWith("left") ? panel.x : panel.x + panel.width - width,
    y: corner.startsWith("top") ? panel.y : panel.y + panel.height - height,
    width,
    height,
  };
}

/** Writes a title; what is behind it stays visible, but faint. */
export function drawTitle(
  image: Image,
  panel: Rectangle,
  corner: Corner,
  lines: readonly TitleLine[],
): void {
  const box = titleBox(panel, corner, lines);
  fade(image, box);
  lines.forEach(({ text, color }, i) => {
    drawText(image, box.x + PADDING, box.y + PADDING + i * LINE_HEIGHT, text, { color });
  });
}

const PADDING = 6;
const LINE_HEIGHT = 21;

/** How much of what is behind a title is left. */
const BEHIND = 0.2;

function fade(image: Image, { x, y, width, height }: Rectangle): void {
  for (let row = y; row < y + height; row++) {
    for (let at = (row * image.width + x) * 3, i = 0; i < width * 3; i++) {
      const paper = PAGE.paper[i % 3];
      image.data[at + i] = Math.round(paper + BEHIND * (image.data[at + i] - paper));
    }
  }
}
