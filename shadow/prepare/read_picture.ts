/** Picture files as pixels: PNG, JPEG or SVG, told apart by what they hold. */
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { BenchError } from "../../env/errors.ts";
import { decodeJpeg, isJpeg } from "../../env/jpeg.ts";
import { once } from "../../env/once.ts";
import { decodePng, pngSize, type RgbaImage } from "../../env/png.ts";
import { systemReason } from "../../tasks/file_errors.ts";

/** @throws BenchError naming the file when it is missing, damaged, too large, or no picture */
export async function readPicture(path: string): Promise<RgbaImage> {
  const bytes = await readBytes(path);
  try {
    return await decodePicture(bytes);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    throw unreadable(path, error.explanation.why);
  }
}

/** Pixels along an SVG's longer side: four to a pixel of the screen. */
const SVG_SIDE = 2048;
/** A small file may hold a picture that fills the memory. */
const MOST_PIXELS = 5e7;

async function decodePicture(bytes: Uint8Array): Promise<RgbaImage> {
  if (isJpeg(bytes)) return decodeJpeg(bytes);
  if (isSvg(bytes)) return await drawSvg(new TextDecoder().decode(bytes));
  const { width, height } = pngSize(bytes);
  if (width * height > MOST_PIXELS) {
    throw unreadable("", `it has ${width} × ${height} pixels, more than ${MOST_PIXELS / 1e6} million`);
  }
  return decodePng(bytes);
}

/** Whether a file is text with an `<svg` near its beginning. */
function isSvg(bytes: Uint8Array): boolean {
  const beginning = new TextDecoder().decode(bytes.subarray(0, 4096));
  return /^\s*</.test(beginning) && /<svg[\s>]/.test(beginning);
}

async function drawSvg(svg: string): Promise<RgbaImage> {
  const left = leftOut(svg);
  if (left !== null) throw unreadable("", left);
  await startResvg();
  try {
    using drawing = freed(new Resvg(svg));
    const side = drawing.value.width >= drawing.value.height ? "width" : "height";
    using scaled = freed(new Resvg(svg, { fitTo: { mode: side, value: SVG_SIDE } }));
    using picture = freed(scaled.value.render());
    const { width, height, pixels } = picture.value;
    return { width, height, data: straight(pixels) };
  } catch (error) {
    throw unreadable(
      "",
      `its SVG cannot be drawn (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

/** What an SVG asks for and would not be drawn: there are no fonts, and nothing is fetched. Null for nothing. */
function leftOut(svg: string): string | null {
  const markup = svg.replaceAll(/<!--[^]*?-->/g, "");
  if (/<(\w+:)?text[\s/>]/.test(markup)) return "its SVG has text: turn it into outlines (paths)";
  const linked = /<(?:\w+:)?image\s[^>]*?href\s*=\s*["'](?!\s*data:)([^"']*)/.exec(markup)?.[1];
  return linked === undefined ? null : `its SVG shows the image ${linked}: embed it in the file`;
}

/** Colours without the alpha that they come multiplied by. */
function straight(pixels: Uint8Array): Uint8Array {
  return pixels.map((value, i) => {
    const alpha = pixels[i | 3];
    return i % 4 === 3 || alpha === 0 ? value : Math.round(255 * value / alpha);
  });
}

function freed<Value extends { free(): void }>(value: Value): Disposable & { value: Value } {
  return { value, [Symbol.dispose]: () => value.free() };
}

/** The package's own WebAssembly, in the cache of npm packages: the static import brings it there, too. */
export const RESVG_WASM = "npm:@resvg/resvg-wasm@2.6.2/index_bg.wasm";

/** Once a process. */
const startResvg = once(async () =>
  await initWasm(await Deno.readFile(new URL(import.meta.resolve(RESVG_WASM))))
);

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    const why = systemReason(error);
    if (why === null) throw error;
    throw unreadable(path, why);
  }
}

function unreadable(path: string, why: string): BenchError {
  return new BenchError({
    what: `Cannot read the picture ${path}`,
    why,
    fix: "A picture is a PNG, JPEG or SVG file",
  });
}
