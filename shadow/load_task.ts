/** From a task file to a task that can be played: pictures decoded, every value checked. */
import { brief } from "../env/argument_errors.ts";
import { BenchError } from "../env/errors.ts";
import { contentHash, imageKey, sha256 } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import { compositeOnWhite, decodePng, pngSize } from "../env/png.ts";
import type { ShadowTaskFile } from "../tasks/shadow_task_file.ts";
import { LOOK_SIZE } from "./pictures/look.ts";
import { poseFromRow } from "./pose.ts";
import { rangeFault } from "./rules.ts";
import { maskArea } from "./stage/mask.ts";
import { maskFromBase64 } from "./stage/mask_image.ts";
import { type ShadowTask, STANDARD_LIMITS, type Witness } from "./task.ts";
import { moveHand } from "./tools/move_hand.ts";
import { setFingers } from "./tools/set_fingers.ts";
import { turnHand } from "./tools/turn_hand.ts";

/** Decodes and checks a task file's content; `source` is where it came from. */
export function taskFromFile(file: ShadowTaskFile, source: string): ShadowTask {
  const where = source === "embedded" ? file.task_id : source;
  const reading = <Value>(field: string, read: () => Value): Value => {
    try {
      return read();
    } catch (error) {
      throw badTask(where, field, error instanceof Error ? error.message : String(error));
    }
  };
  const target = reading("target", () => maskFromBase64(file.target));
  if (maskArea(target) === 0) throw badTask(where, "target", "it holds nothing dark");
  const { book_page } = file;
  const content: Omit<ShadowTask, "info"> = {
    target,
    targetSvg: file.target_svg,
    hint: file.hint,
    bookPage: book_page === undefined ? null : reading("book_page", () => pageFromBase64(book_page)),
    witness: file.witness === undefined ? null : witnessOf(file.witness, where),
    hand: file.hand ?? null,
    limits: file.limits ?? STANDARD_LIMITS,
    published: file.published ?? null,
  };
  return {
    info: {
      id: file.task_id,
      title: file.title,
      source,
      contentHash: taskContentHash(content, file.title),
      licence: file.licence,
      effortSubset: file.effort_subset,
      protocols: ["standard"],
      baselines: file.baselines,
    },
    ...content,
  };
}

/** sha256 over all of a task that answers or scores depend on; ids and licences are left out. */
function taskContentHash(task: Omit<ShadowTask, "info">, title: string): string {
  const { target, hint, bookPage, witness, limits, published } = task;
  return contentHash({
    target: sha256(new Uint8Array(target.buffer, target.byteOffset, target.byteLength)),
    hint,
    // Without a page of its own the book shows the title and the witness.
    page: bookPage === null ? { title, witness } : imageKey(bookPage),
    limits,
    published,
  });
}

/** What can be said of a witness without its hand: ranges, stage, and that its path is of calls that move a hand. */
function witnessOf({ pose: row, path }: NonNullable<ShadowTaskFile["witness"]>, where: string): Witness {
  const pose = poseFromRow(row);
  const fault = rangeFault(pose);
  if (fault !== null) throw badTask(where, "witness.pose", fault.text);
  const other = path.findIndex(({ tool }) => !MOVEMENTS.includes(tool));
  if (other >= 0) {
    const { tool } = path[other];
    throw badTask(
      where,
      `witness.path[${other}].tool`,
      `${brief(tool)} moves no hand; ${MOVEMENTS.join(", ")} do`,
    );
  }
  return { pose, path: path.map((call) => ({ name: call.tool, arguments: call.arguments })) };
}

const MOVEMENTS = [setFingers, moveHand, turnHand].map(({ name }) => name);

function pageFromBase64(base64: string): Image {
  const bytes = Uint8Array.fromBase64(base64);
  const { width, height } = pngSize(bytes);
  if (width !== LOOK_SIZE.width || height !== LOOK_SIZE.height) {
    throw new RangeError(
      `it is ${width} × ${height}, and a page is ${LOOK_SIZE.width} × ${LOOK_SIZE.height}`,
    );
  }
  return compositeOnWhite(decodePng(bytes));
}

function badTask(where: string, field: string, why: string): BenchError {
  return new BenchError({ what: `Cannot use the task ${where}`, why: `${field}: ${why}` });
}
