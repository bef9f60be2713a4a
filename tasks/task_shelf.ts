/** Tasks of one benchmark that were found and read; each is read once. */
import { findTaskFiles, type TaskSet, type TaskSource } from "./task_source.ts";

/** `Task` is what a benchmark makes of a `File`. */
export class TaskShelf<File extends { task_id: string }, Task> {
  readonly #sources = new Map<string, TaskSource<File>>();
  readonly #tasks = new Map<string, Promise<Task>>();

  /** @param read makes the task of a file's content; `source` is where it came from */
  constructor(
    private readonly set: TaskSet<File>,
    private readonly read: (file: File, source: string) => Task,
  ) {}

  /** The tasks that selectors name, as `findTaskFiles` understands them. */
  async find(selectors: readonly string[]): Promise<Task[]> {
    const sources = await findTaskFiles(this.set, selectors);
    for (const source of sources) this.#sources.set(keyOf(source), source);
    return await Promise.all(sources.map((source) => this.load(source)));
  }

  load(task: { id: string; source: string }): Promise<Task> {
    const key = keyOf(task);
    const known = this.#tasks.get(key);
    if (known !== undefined) return known;
    const loaded = this.#read(task);
    this.#tasks.set(key, loaded);
    loaded.catch(() => this.#tasks.delete(key));
    return loaded;
  }

  async #read(task: { id: string; source: string }): Promise<Task> {
    const { source, load } = this.#sources.get(keyOf(task)) ?? await this.#find(task);
    return this.read(await load(), source);
  }

  async #find({ id, source }: { id: string; source: string }): Promise<TaskSource<File>> {
    const [found] = await findTaskFiles(this.set, [source === "embedded" ? id : source]);
    return found;
  }
}

const keyOf = ({ id, source }: { id: string; source: string }): string => `${source}\n${id}`;
