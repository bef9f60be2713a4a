/** `bench tasks list` and `bench tasks show`: what there is to play. */
import { writeFile } from "node:fs/promises";
import { z } from "zod";
import type { EnvironmentDefinition, TaskDescription, TaskInfo } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import type { Image } from "../env/image.ts";
import { encodePng } from "../env/png.ts";
import { SCHEMA_VERSION } from "../env/records.ts";
import { refuseExisting } from "../tasks/existing_files.ts";
import { jsonLine } from "./json_output.ts";
import { noteLine, printLine } from "./terminal.ts";

/** The options of `tasks list` as the command line gives them. */
export const listOptionsSchema = z.object({
  tasks: z.array(z.string()).default([]),
  /** Data set whose tasks are meant; absent for the embedded ones. */
  data: z.string().optional(),
  json: z.boolean().default(false),
});

/** Prints a line for each task that the selectors name. */
export async function listTasks(
  environment: EnvironmentDefinition,
  { tasks: selectors, json }: z.infer<typeof listOptionsSchema>,
): Promise<void> {
  const tasks = await environment.findTasks(selectors);
  const described = await Promise.all(tasks.map((task) => describe(environment, task)));
  if (json) {
    tasks.forEach((task, i) => printLine(taskLine(environment, task, described[i])));
    return;
  }
  const rows = tasks.map((task, i) => [
    task.id,
    String(described[i]?.facts.kind ?? "–"),
    task.title,
    task.licence,
    task.effortSubset ? "yes" : "no",
    task.source,
  ]);
  printLine(aligned([["id", "kind", "title", "licence", "subset", "source"], ...rows]));
}

/** The options of `tasks show` as the command line gives them. */
export const showOptionsSchema = z.object({
  /** File for the opening picture, or null. */
  sheet: z.string().nullable().default(null),
  /** Whether that file is replaced where it is there already. */
  force: z.boolean().default(false),
  json: z.boolean().default(false),
});

/**
 * Prints what there is to know of one task, and writes its opening picture where asked to.
 *
 * @throws BenchError when the selector names no task or several, or the picture cannot be written or is there already
 */
export async function showTask(
  environment: EnvironmentDefinition,
  selector: string,
  { sheet, json, force }: z.infer<typeof showOptionsSchema>,
): Promise<void> {
  const task = await oneTask(environment, selector);
  if (sheet !== null) await refuseExisting([sheet], force);
  const description = await describe(environment, task);
  if (sheet !== null) {
    await writePicture(sheet, description?.opening.image ?? await openingOf(environment, task), task.id);
  }
  if (json) {
    printLine(taskLine(environment, task, description));
    return;
  }
  const { id, title, licence, source, effortSubset, protocols } = task;
  const facts = Object.entries(description?.facts ?? {}).map(([name, value]) => [
    name.replaceAll("_", " "),
    inWords(value),
  ]);
  printLine(aligned([
    ["id", id],
    ["title", title],
    ["licence", licence],
    ["source", source],
    ["effort subset", effortSubset ? "yes" : "no"],
    ["protocols", protocols.join(", ")],
    ...facts,
  ]));
  if (description !== null) printLine(`\n${description.opening.text}`);
}

/**
 * The task that a selector names.
 *
 * @throws BenchError when it names several
 */
export async function oneTask(environment: EnvironmentDefinition, selector: string): Promise<TaskInfo> {
  const found = await environment.findTasks([selector]);
  if (found.length === 1) return found[0];
  throw new BenchError({
    what: `Cannot choose one task by ${selector}`,
    why: `it names ${found.length} tasks`,
    fix: `Name one, e.g. ${found[0].id}`,
  });
}

async function describe(environment: EnvironmentDefinition, task: TaskInfo): Promise<TaskDescription | null> {
  return await environment.describeTask?.(task) ?? null;
}

/** The picture that an episode begins with. */
async function openingOf(environment: EnvironmentDefinition, task: TaskInfo): Promise<Image | null> {
  const episode = await environment.open(task, { id: task.id, protocol: task.protocols[0] });
  const { image } = await episode.observe();
  // Hidden metrics of the opening are under way: the device must not be closed before they are there.
  await episode.steps();
  return image;
}

function taskLine({ id: bench }: EnvironmentDefinition, task: TaskInfo, description: TaskDescription | null) {
  const { id, title, source, licence, effortSubset, protocols } = task;
  return jsonLine({
    kind: "task",
    schema_version: SCHEMA_VERSION,
    bench,
    task_id: id,
    title,
    source,
    licence,
    effort_subset: effortSubset,
    protocols: [...protocols],
    facts: { ...description?.facts },
  });
}

async function writePicture(path: string, image: Image | null, task: string): Promise<void> {
  if (image === null) {
    throw new BenchError({ what: `Cannot write ${path}`, why: `the opening of ${task} has no picture` });
  }
  const png = await encodePng(image);
  try {
    await writeFile(path, png);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BenchError(
      { what: `Cannot write ${path}`, why, fix: "Choose another file" },
      undefined,
      { cause: error },
    );
  }
  noteLine(`${task}: opening picture in ${path}`);
}

/** `8`, `256, 256`, `gaussians 300, calls 40`. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(inWords).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(([name, part]) => `${name} ${inWords(part)}`).join(", ");
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** Columns as wide as they must be, two blanks apart. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
