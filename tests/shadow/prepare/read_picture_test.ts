import assert from "node:assert/strict";
import { join } from "node:path";
import config from "../../../deno.json" with { type: "json" };
import { BenchError } from "../../../env/errors.ts";
import { encodePng } from "../../../env/png.ts";
import { readPicture, RESVG_WASM } from "../../../shadow/prepare/read_picture.ts";
import fixture from "../../fixtures/jpeg_pictures.json" with { type: "json" };

async function inFile<Result>(
  data: string | Uint8Array,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "picture");
    if (typeof data === "string") await Deno.writeTextFile(path, data);
    else await Deno.writeFile(path, data);
    return await use(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readPicture() draws an SVG 2,048 pixels long: a disc has its area, its paint no alpha in it", async () => {
  const svg = `\ufeff<?xml version="1.0"?>\n<!-- two lines\n of comment -->
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 60"><circle cx="10" cy="40" r="8"/>
    <rect x="20" width="10" height="10" fill="#c86432" fill-opacity="0.5"/></svg>`;
  const { width, height, data } = await inFile(svg, readPicture);
  assert.deepEqual([width, height], [1024, 2048]);
  const opaque = data.filter((value, i) => i % 4 === 3 && value >= 128 && i / 4 > 1024 * 700).length;
  const unit = 2048 / 60;
  assert.ok(Math.abs(opaque / (Math.PI * (8 * unit) ** 2) - 1) < 1e-3, `${opaque} pixels`);
  const painted = [...data.subarray(4 * 1000, 4 * 1000 + 4)];
  [200, 100, 50, 128].forEach((value, i) => assert.ok(Math.abs(painted[i] - value) <= 1, `${painted}`));
});

Deno.test("readPicture() reads PNG and JPEG by what they hold, not by their names", async () => {
  const image = { width: 3, height: 2, data: Uint8Array.from({ length: 18 }, (_, i) => 13 * i) };
  const { data } = await inFile(await encodePng(image), readPicture);
  assert.deepEqual(data.filter((_, i) => i % 4 !== 3), image.data);
  const [jpeg] = fixture.pictures;
  const decoded = await inFile(Uint8Array.fromBase64(jpeg.jpeg), readPicture);
  assert.deepEqual([decoded.width, decoded.height], [jpeg.width, jpeg.height]);
});

Deno.test("readPicture() names the file that is missing, no picture, or broken", async () => {
  const fails = (path: string, why: RegExp) =>
    assert.rejects(
      readPicture(path),
      (error) => error instanceof BenchError && why.test(error.message) && error.message.includes(path),
    );
  await fails("no_such_picture.png", /No such file/);
  await inFile("just words", (path) => fails(path, /PNG signature/));
  await inFile("", (path) => fails(path, /PNG/));
  await inFile(`<svg xmlns="http://www.w3.org/2000/svg"><rect`, (path) => fails(path, /SVG cannot be drawn/));
  const image = { width: 3, height: 2, data: new Uint8Array(18) };
  await inFile(
    (await encodePng(image)).subarray(0, 50),
    (path) => fails(path, /A picture is a PNG, JPEG or SVG/),
  );
});

Deno.test("RESVG_WASM is of the version that deno.json pins", () => {
  assert.equal(RESVG_WASM, `${config.imports["@resvg/resvg-wasm"]}/index_bg.wasm`);
});

Deno.test("readPicture() refuses an SVG of which a part would not be drawn, and draws what is embedded", async () => {
  const svg = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">${inside}</svg>`;
  const box = `<rect width="5" height="5"/>`;
  for (
    const [inside, why] of [
      [`${box}<text x="1" y="5">fox</text>`, /has text: turn it into outlines \(paths\)/],
      [
        `<image xlink:href="file:///etc/fox.png" width="9" height="9"/>`,
        /the image \S*fox\.png: embed it in the file/,
      ],
      [`${box}<image width="9" height="9" href='https://host.example/fox.png'/>`, /fox\.png: embed it/],
      [`${box}<image width="9" height="9" href="fox.png"/>`, /the image fox\.png: embed it/],
    ] as const
  ) {
    await inFile(
      svg(inside),
      (path) =>
        assert.rejects(readPicture(path), (error) => error instanceof BenchError && why.test(error.message)),
    );
  }
  const image = { width: 3, height: 3, data: new Uint8Array(27) };
  const embedded = `data:image/png;base64,${(await encodePng(image)).toBase64()}`;
  const drawn = await inFile(
    svg(`<!-- <text>none</text> --><image width="9" height="9" href="${embedded}"/>`),
    readPicture,
  );
  assert.deepEqual([...drawn.data.subarray(4 * 2048 * 1000, 4 * 2048 * 1000 + 4)], [0, 0, 0, 255]);
});
