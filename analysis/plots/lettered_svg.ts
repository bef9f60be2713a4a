/**
 * SVG whose letters are shapes, for renderers without fonts: the same picture on every machine, with no font to
 * install. The letters are those of every caption of the project.
 */
import { GLYPH, glyphRows } from "../../env/font.ts";

/** @param svg of Vega: text elements hold plain text and place it by `transform` and `text-anchor` */
export function letteredSvg(svg: string): string {
  return svg.replaceAll(/<text\b([^>]*)>([^<]*)<\/text>/g, (_, attributes: string, content: string) => {
    const text = plain(content);
    const dot = Number(attribute(attributes, "font-size")?.replace("px", "") ?? DEFAULT_SIZE) / GLYPH_SIZE;
    const width = dot * ([...text].length * GLYPH.advance - (GLYPH.advance - GLYPH.width));
    const left = -width * (ANCHORS[attribute(attributes, "text-anchor") ?? "start"] ?? 0);
    const kept = ["transform", "fill", "opacity", "fill-opacity"].flatMap((name) => {
      const value = attribute(attributes, name);
      return value === undefined ? [] : [`${name}="${value}"`];
    });
    return `<path ${kept.join(" ")} d="${outlines(text, left, dot)}"/>`;
  });
}

/** Font size in pixels at which a dot of the font is one pixel: capitals are 0.7 of it tall. */
const GLYPH_SIZE = 10;
const DEFAULT_SIZE = 11;
/** Share of the width that lies before the anchor. */
const ANCHORS: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 };

/** A rectangle for each run of dots; the base line is at 0. */
function outlines(text: string, left: number, dot: number): string {
  return [...text].flatMap((character, at) =>
    glyphRows(character).flatMap((row, y) =>
      [...row.matchAll(/#+/g)].map(({ 0: run, index }) => {
        const x = left + dot * (at * GLYPH.advance + index);
        const width = dot * run.length;
        return `M${short(x)} ${short(dot * (y - GLYPH.capital))}h${short(width)}v${short(dot)}h${
          short(-width)
        }z`;
      })
    )
  ).join("");
}

function attribute(attributes: string, name: string): string | undefined {
  return attributes.match(new RegExp(`(?:^|\\s)${name}="([^"]*)"`))?.[1];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function plain(content: string): string {
  return content.replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

function short(value: number): string {
  return String(Number(value.toFixed(3)));
}
