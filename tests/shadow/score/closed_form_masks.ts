/** Masks by formula; `tests/golden/shadow/generate.py` draws the same. */
import { type Mask, maskWhere } from "../../../shadow/stage/mask.ts";

/** "disc" x, y, radius; "ring" x, y, inner (outside) and outer radius; "rectangle" left, top, right, bottom (outside). */
export type Part = readonly (string | number)[];

/** The union of the parts. */
export function drawMask(parts: readonly Part[]): Mask {
  return maskWhere((x, y) =>
    parts.some(([kind, ...values]) => SHAPES[String(kind)](x, y, values.map(Number)))
  );
}

const SHAPES: Record<string, (x: number, y: number, v: number[]) => boolean> = {
  disc: (x, y, [cx, cy, r]) => (x - cx) ** 2 + (y - cy) ** 2 <= r ** 2,
  ring: (x, y, [cx, cy, inner, outer]) => {
    const distance = (x - cx) ** 2 + (y - cy) ** 2;
    return inner ** 2 < distance && distance <= outer ** 2;
  },
  rectangle: (x, y, [left, top, right, bottom]) => left <= x && x < right && top <= y && y < bottom,
};
