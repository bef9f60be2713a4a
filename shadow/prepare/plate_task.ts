/** The task of a plate that a user brings: a silhouette, and no hands that are known to cast it. */
import { encodePngStable } from "../../env/png.ts";
import type { Image } from "../../env/image.ts";
import { blankImage } from "../../env/image.ts";
import { parseShadowTaskFile, type ShadowTaskFile } from "../../tasks/shadow_task_file.ts";
import { TASK_SCHEMA_VERSION } from "../../tasks/task_fields.ts";
import { BOOK } from "../pictures/palette.ts";
import { LOOK_SIZE } from "../pictures/look.ts";
import { type Mask, maskAt } from "../stage/mask.ts";
import { maskToBase64 } from "../stage/mask_image.ts";
import { outlineSvg } from "../targets/trace_outline.ts";

/** What a person says of a plate. */
export interface PlateWords {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly licence: string;
}

/** @throws BenchError for an id that is none */
export function plateTask(mask: Mask, { id, title, hint, licence }: PlateWords): ShadowTaskFile {
  const task = {
    schema_version: TASK_SCHEMA_VERSION,
    bench: "shadow",
    task_id: id,
    title,
    hint,
    licence,
    effort_subset: true,
    target: maskToBase64(mask),
    target_svg: outlineSvg(mask),
    book_page: encodePngStable(silhouettePage(mask)).toBase64(),
  };
  return parseShadowTaskFile(task, `made of ${id}`);
}

/** A page of the book for a plate without hands: its silhouette alone, twice as large. [768, 1024, 3] */
function silhouettePage(mask: Mask): Image {
  const { width, height } = LOOK_SIZE;
  const page = blankImage(width, height, BOOK.paper);
  for (let at = 0; at < width * height; at++) {
    const x = at % width, y = Math.floor(at / width);
    if (maskAt(mask, x >> 1, y >> 1)) page.data.set(BOOK.ink, 3 * at);
  }
  return page;
}
