import assert from "node:assert/strict";
import type { Rectangle } from "../../../env/draw.ts";
import { blankImage, type Image } from "../../../env/image.ts";
import { stream } from "../../../env/random.ts";
import {
  emptiestCorner,
  LOOK_PANELS,
  LOOK_SIZE,
  lookPicture,
  MASK_TITLES,
} from "../../../shadow/pictures/look.ts";
import { maskDifference, maskPicture } from "../../../shadow/pictures/mask_picture.ts";
import { titleBox } from "../../../shadow/pictures/panel_title.ts";
import { emptyMask, type Mask, maskAt, maskWhere } from "../../../shadow/stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../../../shadow/stage/stage.ts";
import { INSET } from "../../../shadow/pictures/framing.ts";
import { crop } from "../../support/crop.ts";

const target = disc(200, 200, 80);
const shadow = disc(260, 210, 90);
const hands = noise(MASK_WIDTH, MASK_HEIGHT);
const page = lookPicture({ target, shadow, hands, view: "front" });

Deno.test("lookPicture() is 1024 × 768, a quarter for each panel, unscaled outside titles and seams", () => {
  assert.deepEqual([page.width, page.height], [1024, 768]);
  const expected = {
    target: maskPicture(target),
    shadow: maskPicture(shadow),
    difference: maskDifference(target, shadow),
    hands,
  };
  const corner = emptiestCorner(target);
  const handsTitle = { x: 512, y: 384, width: 150, height: 40 };
  for (const [name, picture] of Object.entries(expected)) {
    const panel = LOOK_PANELS[name as keyof typeof LOOK_PANELS];
    const title = name === "hands"
      ? handsTitle
      : titleBox(panel, corner, MASK_TITLES[name as keyof typeof MASK_TITLES]);
    const seen = crop(page, panel);
    let different = 0;
    for (let at = 0; at < MASK_WIDTH * MASK_HEIGHT; at++) {
      const [x, y] = [panel.x + at % MASK_WIDTH, panel.y + Math.floor(at / MASK_WIDTH)];
      const onSeam = x === 511 || x === 512 || y === 383 || y === 384;
      if (onSeam || isInside(title, x, y)) continue;
      if ([0, 1, 2].some((c) => seen.data[3 * at + c] !== picture.data[3 * at + c])) different++;
    }
    assert.equal(different, 0, name);
  }
});

Deno.test("lookPicture() writes each panel's title in its box, and nothing else changes with the view's", () => {
  const corner = emptiestCorner(target);
  for (const name of ["target", "shadow", "difference"] as const) {
    const box = titleBox(LOOK_PANELS[name], corner, MASK_TITLES[name]);
    const dark = [40, 36, 44];
    assert.ok(countColor(crop(page, box), dark) > 60, name);
  }
  const side = lookPicture({ target, shadow, hands, view: { azimuth: -120.5, elevation: -22.5 } });
  const changed: number[][] = [];
  for (let at = 0; at < page.data.length; at += 3) {
    if (page.data[at] !== side.data[at]) changed.push([at / 3 % 1024, Math.floor(at / 3 / 1024)]);
  }
  assert.ok(changed.length > 100);
  assert.ok(changed.every(([x, y]) => x >= 513 && x < 1024 && y >= 385 && y < 384 + INSET.top));
});

Deno.test("the difference panel is red where the target alone is, blue where the shadow alone is, gray where both", () => {
  const { x: left, y: top } = LOOK_PANELS.difference;
  const color = (x: number, y: number) => {
    const at = 3 * ((top + y) * LOOK_SIZE.width + left + x);
    return [...page.data.subarray(at, at + 3)];
  };
  assert.deepEqual(color(125, 200), [214, 40, 40]);
  assert.deepEqual(color(345, 210), [36, 92, 220]);
  assert.deepEqual(color(230, 205), [168, 168, 168]);
  assert.deepEqual(color(480, 200), [255, 255, 255]);
});

Deno.test("maskPicture() and maskDifference() show every pixel of random masks", () => {
  const draws = stream(0, "masks");
  const bits = () => {
    const mask = emptyMask();
    for (let i = 0; i < mask.length; i++) mask[i] = draws.integer(0, 2 ** 32);
    return mask;
  };
  const [a, b] = [bits(), bits()];
  const [picture, difference] = [maskPicture(a, [1, 2, 3], [4, 5, 6]), maskDifference(a, b)];
  for (let at = 0; at < MASK_WIDTH * MASK_HEIGHT; at++) {
    const [x, y] = [at % MASK_WIDTH, Math.floor(at / MASK_WIDTH)];
    const [inA, inB] = [maskAt(a, x, y), maskAt(b, x, y)];
    if (picture.data[3 * at] !== (inA ? 1 : 4)) assert.fail(`${x}, ${y}`);
    const red = [[255, 36], [214, 168]][Number(inA)][Number(inB)];
    if (difference.data[3 * at] !== red) assert.fail(`difference at ${x}, ${y}`);
  }
});

Deno.test("emptiestCorner() keeps titles off the target where any corner is free", () => {
  const cover = (...corners: string[]) =>
    maskWhere((x, y) => corners.includes(`${y < 192 ? "top" : "bottom"} ${x < 256 ? "left" : "right"}`));
  assert.equal(emptiestCorner(emptyMask()), "top left");
  assert.equal(emptiestCorner(cover("top left")), "top right");
  assert.equal(emptiestCorner(cover("top left", "top right")), "bottom left");
  assert.equal(emptiestCorner(cover("top left", "top right", "bottom left")), "bottom right");
});

Deno.test("a title lets what is behind it show faintly", () => {
  const full = maskWhere(() => true);
  const covered = lookPicture({ target: full, shadow: full, hands, view: "front" });
  const box = titleBox(LOOK_PANELS.target, "top left", MASK_TITLES.target);
  // Ink (24, 22, 28) at a fifth on white.
  assert.ok(countColor(crop(covered, box), [209, 208, 210]) > 500);
});

Deno.test("lookPicture() refuses a picture of the hands that is no panel", () => {
  assert.throws(
    () => lookPicture({ target, shadow, hands: blankImage(512, 383), view: "front" }),
    /512 × 383, a panel 512 × 384/,
  );
});

function disc(cx: number, cy: number, radius: number): Mask {
  return maskWhere((x, y) => Math.hypot(x - cx, y - cy) < radius);
}

function noise(width: number, height: number): Image {
  const draws = stream(0, "noise");
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height * 3 }, () => draws.integer(0, 256)),
  };
}

function isInside({ x, y, width, height }: Rectangle, px: number, py: number): boolean {
  return px >= x && px < x + width && py >= y && py < y + height;
}

function countColor({ data }: Image, [r, g, b]: readonly number[]): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 3) {
    if (data[at] === r && data[at + 1] === g && data[at + 2] === b) count++;
  }
  return count;
}
