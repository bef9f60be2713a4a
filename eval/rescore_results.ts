/** The file of `--state`: results of a rescore, so that one that was stopped goes on where it was. */
import { z } from "zod";
import type { ScoredState } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { metricsSchema, SCHEMA_VERSION } from "../env/records.ts";
import { LineWriter, readJsonLines, readOrNull } from "../tasks/json_lines.ts";
import type { ResultStore } from "./rescore.ts";

const lineSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  /** Hash of task, state, conventions, program and device: whatever changes one of them is scored anew. */
  key: z.string(),
  episode_id: z.string(),
  score: z.number().nullable(),
  metrics: metricsSchema,
});

/** Keeps nothing beyond this process. */
export class MemoryResults implements ResultStore, Disposable {
  readonly #results = new Map<string, ScoredState>();

  get(key: string): ScoredState | null {
    return this.#results.get(key) ?? null;
  }

  set(key: string, _episodeId: string, scored: ScoredState): void {
    this.#results.set(key, scored);
  }

  [Symbol.dispose](): void {}
}

export class FileResults extends MemoryResults {
  private constructor(private readonly writer: LineWriter) {
    super();
  }

  /** @throws BenchError for a file of something else, or one that cannot be written */
  static async open(path: string): Promise<FileResults> {
    await checkOwn(path);
    const { lines } = await readJsonLines(path, lineSchema, "cut");
    const results = new FileResults(new LineWriter(path));
    for (const { key, score, metrics, episode_id } of lines) {
      results.keep(key, episode_id, { score, metrics });
    }
    return results;
  }

  private keep(key: string, episodeId: string, scored: ScoredState): void {
    super.set(key, episodeId, scored);
  }

  override set(key: string, episodeId: string, scored: ScoredState): void {
    this.keep(key, episodeId, scored);
    this.writer.append({ schema_version: SCHEMA_VERSION, key, episode_id: episodeId, ...scored });
  }

  override [Symbol.dispose](): void {
    this.writer.close();
  }
}

/** How every line of ours begins. */
const START = JSON.stringify({ schema_version: SCHEMA_VERSION }).slice(0, -1);

/** A file of something else is neither read as results nor cut where its last line has no end. */
async function checkOwn(path: string): Promise<void> {
  const bytes = await readOrNull(path);
  const start = new TextDecoder().decode(bytes?.subarray(0, START.length));
  if (START.startsWith(start)) return;
  throw new BenchError({
    what: `Cannot keep results in ${path}`,
    why: "it is no state file of rescore, and would be written into",
    fix: "Name another file with --state, which may be one that does not exist",
  });
}
