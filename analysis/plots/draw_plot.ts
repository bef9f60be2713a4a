/** From a plot to its pictures. */
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { plainLine } from "../../env/plain_text.ts";
import { letteredSvg } from "./lettered_svg.ts";

/** Pixels a unit of the SVG. */
const ZOOM = 2;

export async function plotSvg(spec: TopLevelSpec): Promise<string> {
  return await new View(parse(compile(drawable(spec)).spec), { renderer: "none" }).toSVG();
}

/** The same with every text in one line of characters that XML has: names are whatever a stranger's file holds. */
function drawable(spec: TopLevelSpec): TopLevelSpec {
  return JSON.parse(
    JSON.stringify(spec),
    (_, value) =>
      typeof value === "string" ? plainLine(value.toWellFormed()).replaceAll(NO_XML, "\ufffd") : value,
  );
}

/** Beyond control characters. */
const NO_XML = /[\ufffe\uffff]/g;

/** The bytes of a PNG file, the same on every machine. */
export async function svgPng(svg: string): Promise<Uint8Array> {
  await (ready ??= loadRenderer());
  const drawn = new Resvg(letteredSvg(svg), { fitTo: { mode: "zoom", value: ZOOM } }).render();
  return drawn.asPng();
}

let ready: Promise<void> | undefined;

async function loadRenderer(): Promise<void> {
  await initWasm(await Deno.readFile(new URL(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))));
}
