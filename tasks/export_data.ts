/** Writes a data set in the published layout: files a config and split, README.md with their list, LICENSE.md. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { BenchError } from "../env/errors.ts";
import { sha256 } from "../env/hash.ts";
import { columnTypes, type Fields } from "./column_types.ts";
import type { TableName } from "./data_rows.ts";
import type { DataSet } from "./data_set.ts";
import { arrowWriter } from "./export_arrow.ts";
import type { ExportFormat, RowWriter } from "./export_file.ts";
import { parquetWriter } from "./export_parquet.ts";
import { csvWriter, jsonlWriter } from "./export_text.ts";
import { writeWhole } from "./json_lines.ts";
import { fillWhole, UNFINISHED } from "./unfinished_folder.ts";

export interface ExportOptions {
  format: ExportFormat;
  /** Told of each file that is done. */
  wrote?: (path: string, rows: number) => void;
  /** Whether only steps and transcripts of exported episodes are written, of which there has to be one; else all are. */
  onlyOfEpisodes?: boolean;
  signal?: AbortSignal;
}

/** Rows of each file by its path. */
export type Exported = ReadonlyMap<string, number>;

/** Tasks say what licence the others are under, episodes say which task steps belong to. */
const ORDER = ["tasks", "episodes", "steps", "transcripts", "leaderboard"] as const;

/**
 * @param out a folder that is empty or not there; it is filled at the end, or not at all
 * @throws BenchError for a bad row, a full folder, or where files cannot be written
 * @throws DOMException when the signal aborts
 */
export async function exportData(data: DataSet, out: string, options: ExportOptions): Promise<Exported> {
  await refuseFull(out);
  return await fillWhole(out, README, (unfinished) => write(data, unfinished, options));
}

async function write(data: DataSet, out: string, options: ExportOptions): Promise<Exported> {
  const licences = new LicenceBook();
  const written = new Map<string, number>();
  const kept = options.onlyOfEpisodes === true && await data.has("episodes") ? new Set<unknown>() : null;
  const configs = new Map<TableName, string[]>();
  for (const table of ORDER) {
    if (!await data.has(table)) continue;
    const splits = await data.splits(table);
    configs.set(table, splits);
    for (const split of splits) {
      const path = `${table}/${fileName(split, options.format)}`;
      const writer = await openWriter(join(out, path), columnTypes(data.bench, table), out, options.format);
      let rows = 0;
      try {
        for await (const row of rowsOf(data, table, split)) {
          options.signal?.throwIfAborted();
          if (table === "episodes") kept?.add(row.episode_id);
          else if ("episode_id" in row && kept?.has(row.episode_id) === false) continue;
          licences.add(row);
          await writer.write(licences.licensed(row));
          rows += 1;
        }
      } catch (error) {
        await writer.discard();
        throw error;
      }
      await writer.finish();
      written.set(path, rows);
      options.wrote?.(path, rows);
    }
    if (table === "episodes" && kept?.size === 0) throw noEpisode(data);
  }
  await writeWhole(join(out, "LICENSE.md"), licences.text());
  await writeWhole(join(out, README), readme(data, configs, written, options.format));
  return written;
}

/** Comes last, so that what has one is whole. */
const README = "README.md";

/** @throws BenchError where the folder holds files */
export async function refuseFull(out: string): Promise<void> {
  const there = await readdir(out).catch(() => []);
  if (there.every((name) => name === UNFINISHED)) return;
  throw new BenchError({
    what: `Cannot export into ${out}`,
    why: "it is not empty, and old files would stay among the new ones",
    fix: "Choose another folder with --out",
  });
}

function noEpisode({ where }: DataSet): BenchError {
  return new BenchError({
    what: `Cannot export ${where}`,
    why: "no episode is left",
    fix: "Restore its files, or fetch them again",
  });
}

function fileName(split: string, format: ExportFormat): string {
  return format === "parquet" ? `${split}-00000-of-00001.parquet` : `${split}.${format}`;
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(data: DataSet, table: TableName, split: string): AsyncIterable<Row> {
  switch (table) {
    case "leaderboard":
      return data.leaderboard();
    case "episodes":
      return data.episodes(split, { images: true });
    case "steps":
      return data.steps(split, { images: true });
    case "transcripts":
      return data.transcripts(split);
    case "tasks":
      return data.tasks();
  }
}

async function openWriter(
  path: string,
  fields: Fields,
  out: string,
  format: ExportFormat,
): Promise<RowWriter> {
  switch (format) {
    case "parquet":
      return await parquetWriter(path, fields);
    case "arrow":
      return await arrowWriter(path, fields);
    case "jsonl":
      return await jsonlWriter(path, fields);
    case "csv":
      return await csvWriter(path, fields, (image) => keepImage(out, image));
  }
}

/** A picture once, whichever rows show it. */
async function keepImage(out: string, image: unknown): Promise<string> {
  if (typeof image !== "object" || image === null || !("bytes" in image)) return "";
  if (!(image.bytes instanceof Uint8Array)) return "";
  const path = `images/${sha256(image.bytes)}.png`;
  const file = join(out, path);
  if (await Deno.stat(file).catch(() => null) === null) {
    await Deno.mkdir(join(out, "images"), { recursive: true });
    await writeWhole(file, image.bytes);
  }
  return path;
}

/** Which licence the rows of which task are under. */
class LicenceBook {
  readonly #byTask = new Map<string, string>();
  readonly #taskOf = new Map<string, string>();

  add({ task_id, episode_id, licence }: Row): void {
    if (typeof task_id !== "string") return;
    if (typeof episode_id === "string") this.#taskOf.set(episode_id, task_id);
    if (typeof licence === "string") this.#byTask.set(task_id, licence);
  }

  /** Steps name their episode and no task. */
  licensed(row: Row): Row {
    if (typeof row.licence === "string" || typeof row.episode_id !== "string") return row;
    return { ...row, licence: this.#byTask.get(this.#taskOf.get(row.episode_id) ?? "") };
  }

  text(): string {
    const tasks = Map.groupBy(this.#byTask.keys(), (task) => this.#byTask.get(task) ?? "");
    const parts = [...tasks].map(([licence, ids]) => `## ${licence}\n\n${ids.sort().join(", ")}\n`);
    return "# Licences\n\n" +
      "Photos, target drawings, scenes, poses and pictures of an episode are under the licence of its task, which " +
      "the column `licence` repeats.\n\n" +
      (parts.length > 0 ? parts.join("\n") : "No task of this data set names its licence.\n");
  }
}

function readme(
  data: DataSet,
  configs: ReadonlyMap<TableName, readonly string[]>,
  written: Exported,
  format: ExportFormat,
): string {
  const header = {
    license: "other",
    license_name: "see-license-md",
    license_link: "LICENSE.md",
    configs: [...configs].map(([config, splits]) => ({
      config_name: config,
      ...(config === (configs.has("leaderboard") ? "leaderboard" : "episodes") ? { default: true } : {}),
      data_files: splits.map((split) => ({
        split,
        path: format === "parquet" ? `${config}/${split}-*.parquet` : `${config}/${split}.${format}`,
      })),
    })),
  };
  const name = data.bench === "splat" ? "SplatBench" : "ShadowBench";
  const rows = [...written].map(([path, rows]) => `| \`${path}\` | ${rows} |`);
  return `---\n${stringify(header)}---\n\n# Episodes of ${name}\n\n` +
    `In the layout of the published ${name} data set. Licences: [LICENSE.md](LICENSE.md).\n\n` +
    `| file | rows |\n| --- | --- |\n${rows.join("\n")}\n`;
}
