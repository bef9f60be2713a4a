import assert from "node:assert/strict";
import type { Image } from "../../../env/image.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { bookPage } from "../../../shadow/pictures/book_page.ts";
import { type Pose, START_POSE } from "../../../shadow/pose.ts";
import { castShadow } from "../../../shadow/stage/cast_shadow.ts";
import { emptyMask, maskAt, maskWhere } from "../../../shadow/stage/mask.ts";

const hands = await loadHands();
const shadow = castShadow(hands, START_POSE);
const TITLE = { x: 60, y: 665, width: 904, height: 55 };

Deno.test("bookPage() is 1024 × 768 and the same bytes every time", () => {
  const drawing = { hands, pose: START_POSE };
  const page = bookPage({ title: "The Two Hands", shadow, drawing });
  assert.deepEqual([page.width, page.height], [1024, 768]);
  assert.deepEqual(bookPage({ title: "The Two Hands", shadow, drawing }), page);
});

Deno.test("bookPage() without a pose shows the whole shadow at its place on the sheet, and says that no drawing exists", () => {
  const corner = maskWhere((x, y) => x < 128 && y < 96 || x >= 384 && y >= 288);
  const page = bookPage({ title: "", shadow: corner, drawing: null });
  const sheet = { x: 176, y: 62, width: 672, height: 504 };
  for (let v = 0.02; v < 1; v += 0.049) {
    for (let u = 0.02; u < 1; u += 0.049) {
      const at = [Math.round(sheet.x + u * sheet.width), Math.round(sheet.y + v * sheet.height)];
      const expected = maskAt(corner, Math.floor(u * 512), Math.floor(v * 384));
      if (Math.min(Math.abs(u - 0.25), Math.abs(u - 0.75), Math.abs(v - 0.25), Math.abs(v - 0.75)) < 0.01) {
        continue;
      }
      assert.equal(isInk(page, at[0], at[1]), expected, `${u}, ${v}`);
    }
  }
  const note = inkIn(page, { x: 200, y: 608, width: 624, height: 34 });
  assert.ok(note > 400);
});

Deno.test("bookPage() letters the title under the picture, whatever it is", () => {
  const title = (text: string) => inkIn(bookPage({ title: text, shadow: emptyMask(), drawing: null }), TITLE);
  const blank = title("");
  const [short, long] = [title("Ox"), title("The Rabbit")];
  assert.ok(short > blank + 150 && long > short + 400, `${[blank, short, long]}`);
  // Accents and signs that the letters lack leave the rest.
  assert.ok(title("Le Héron — 鷺") > blank + 400);
  // Too long a title shrinks to the page.
  const page = bookPage({ title: "An Elephant ".repeat(12), shadow: emptyMask(), drawing: null });
  assert.equal(inkIn(page, { x: 34, y: 665, width: 26, height: 55 }), 0);
  assert.equal(inkIn(page, { x: 964, y: 665, width: 26, height: 55 }), 0);
  assert.ok(inkIn(page, TITLE) > blank + 400);
});

Deno.test("bookPage() draws the hands that cast the shadow, and no hand that casts none", () => {
  const away = { ...START_POSE.left, position: [-1, -0.8, 1] as const };
  const one: Pose = { ...START_POSE, left: away };
  const page = (pose: Pose) => bookPage({ title: "", shadow: emptyMask(), drawing: { hands, pose } });
  // A hand off screen changes nothing, wherever it is.
  const elsewhere: Pose = { ...one, left: { ...away, position: [-0.95, -0.7, 0.9] } };
  assert.deepEqual(page(one), page(elsewhere));
  assert.notDeepEqual(page(START_POSE), page(one));
  const none: Pose = { right: { ...away, position: [1, -0.8, 1] }, left: away };
  assert.deepEqual(page(none), bookPage({ title: "", shadow: emptyMask(), drawing: null }));
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function isInk({ width, data }: Image, x: number, y: number): boolean {
  return data[3 * (y * width + x)] < 120;
}

function inkIn(page: Image, { x, y, width, height }: Box): number {
  let count = 0;
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) count += Number(isInk(page, column, row));
  }
  return count;
}
