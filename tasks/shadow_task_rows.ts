/** ShadowBench tasks as rows of the `tasks` table and back. */
import { BenchError } from "../env/errors.ts";
import type { ImageColumn } from "./columns.ts";
import type { ShadowTaskRow } from "./shadow_tables.ts";
import { parseShadowTaskFile, type ShadowTaskFile } from "./shadow_task_file.ts";
import { TASK_SCHEMA_VERSION } from "./task_fields.ts";

const UNKNOWN_LICENCE = "see LICENSE.md of the data set";

/** The row of a task; its witness stays where it is, since no reader of a data set needs the answer. */
export function shadowTaskRow(task: ShadowTaskFile): ShadowTaskRow {
  const {
    task_id,
    title,
    licence,
    effort_subset,
    limits,
    baselines,
    published,
    target,
    target_svg,
    book_page,
  } = task;
  const picture = (base64: string, name: string): ImageColumn => ({
    bytes: Uint8Array.fromBase64(base64),
    path: `${task_id}_${name}.png`,
  });
  return {
    schema_version: 1,
    task_id,
    title,
    licence,
    effort_subset,
    limits,
    baselines,
    system_prompt: published?.prompts.system,
    user_prompt: published?.prompts.user,
    tools: published?.tools,
    target: picture(target, "target"),
    target_svg,
    hint: task.hint,
    book_page: book_page === undefined ? undefined : picture(book_page, "book_page"),
  };
}

/**
 * The task of a row: everything but the target has a default.
 *
 * @param where names the row in errors
 * @throws BenchError naming the column that is missing or wrong
 */
export function shadowTaskFile(row: ShadowTaskRow, where: string): ShadowTaskFile {
  const { task_id, target, book_page, system_prompt: system, user_prompt: user, tools } = row;
  if (target?.bytes === undefined || target.bytes === null) {
    throw new BenchError({
      what: `Cannot use the task ${where}`,
      why: "the column target holds no picture",
      fix: "A task needs the silhouette to match",
    });
  }
  const title = row.title ?? task_id.replaceAll("_", " ");
  return parseShadowTaskFile({
    schema_version: TASK_SCHEMA_VERSION,
    bench: "shadow",
    task_id,
    title,
    hint: row.hint ?? title,
    licence: row.licence ?? UNKNOWN_LICENCE,
    effort_subset: row.effort_subset ?? false,
    target: target.bytes.toBase64(),
    target_svg: row.target_svg ?? "",
    book_page: book_page?.bytes?.toBase64(),
    limits: LIMITS.every((name) => name in (row.limits ?? {})) ? row.limits : undefined,
    baselines: row.baselines,
    published: system !== undefined && user !== undefined && tools !== undefined
      ? { prompts: { system, user }, tools }
      : undefined,
  }, where);
}

const LIMITS = ["calls", "looks", "peeks"];
