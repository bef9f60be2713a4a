/** A silhouette beside itself. */
import { type Mask, maskAt, maskWhere } from "../../shadow/stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../../shadow/stage/stage.ts";

/** The mask moved right and down by whole pixels; what comes in from outside is light. */
export function movedMask(mask: Mask, right: number, down: number): Mask {
  return maskWhere((x, y) => {
    const [fromX, fromY] = [x - right, y - down];
    const inside = fromX >= 0 && fromY >= 0 && fromX < MASK_WIDTH && fromY < MASK_HEIGHT;
    return inside && maskAt(mask, fromX, fromY);
  });
}
