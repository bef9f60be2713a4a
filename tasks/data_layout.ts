/** Which files of a data set hold which config and split. */
import { parse } from "yaml";
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import { globPattern } from "./glob.ts";
import { readText, type Repository } from "./repository.ts";

/** Paths of the files of each split of each config, in the order of their shards. */
export type DataLayout = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const README = "README.md";
const DATA_FILE = /\.(parquet|jsonl)$/;

/**
 * The layout that the README's YAML declares, else the one that names show: `<config>/<split>-00000-of-00001.parquet`.
 *
 * @throws BenchError for YAML that cannot be read
 */
export async function dataLayout(repository: Repository): Promise<DataLayout> {
  const declared = repository.paths.includes(README)
    ? declaredConfigs(await readText(await repository.open(README)), `${repository.name}/${README}`)
    : [];
  return declared.length > 0 ? declaredLayout(declared, repository.paths) : namedLayout(repository.paths);
}

const patterns = z.union([z.string().transform((path) => [path]), z.array(z.string())]);
const configsSchema = z.looseObject({
  configs: z.array(z.looseObject({
    config_name: z.string(),
    data_dir: z.string().optional(),
    data_files: z.union([
      patterns.transform((path) => [{ split: "train", path }]),
      z.array(z.looseObject({ split: z.string(), path: patterns })),
    ]).optional(),
  })).optional(),
});
type Config = NonNullable<z.infer<typeof configsSchema>["configs"]>[number];

function declaredConfigs(readme: string, where: string): readonly Config[] {
  const yaml = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---/.exec(readme)?.[1];
  if (yaml === undefined) return [];
  try {
    return configsSchema.parse(parse(yaml) ?? {}).configs ?? [];
  } catch (error) {
    const first = error instanceof z.ZodError ? error.issues[0] : null;
    const why = first === null ? String(error).split("\n")[0] : `${first.path.join(".")}: ${first.message}`;
    throw new BenchError({
      what: `Cannot read the configs in ${where}`,
      why,
      fix: "Mend its YAML, or remove it: names of files then tell configs and splits",
    });
  }
}

function declaredLayout(configs: readonly Config[], paths: readonly string[]): DataLayout {
  return new Map(configs.map(({ config_name, data_dir, data_files }) => {
    if (data_files === undefined) {
      const folder = (data_dir ?? config_name).split("/").at(-1) ?? config_name;
      return [config_name, namedLayout(paths).get(folder) ?? new Map()] as const;
    }
    const splits = data_files.map(({ split, path }) => {
      const wanted = path.map((pattern) => globPattern(pattern.replaceAll("**", "*")));
      return [split, paths.filter((path) => wanted.some((pattern) => pattern.test(path)))] as const;
    });
    return [config_name, new Map(splits)];
  }));
}

function namedLayout(paths: readonly string[]): DataLayout {
  const layout = new Map<string, Map<string, string[]>>();
  for (const path of paths) {
    const match = /(?:^|\/)([^/]+)\/([^/]+?)(?:-\d{5}-of-\d{5})?\.(?:parquet|jsonl)$/.exec(path);
    if (match === null || !DATA_FILE.test(path)) continue;
    const [, config, split] = match;
    const splits = layout.get(config) ?? new Map<string, string[]>();
    layout.set(config, splits.set(split, [...splits.get(split) ?? [], path]));
  }
  return layout;
}
