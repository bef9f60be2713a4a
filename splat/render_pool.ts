/** The one device, one queue, and the photos of the tasks in play, shared by all episodes of an environment. */
import { BenchError } from "../env/errors.ts";
import { RenderQueue } from "../env/render_queue.ts";
import type { RenderedView, RenderJob, SceneRenderer } from "./render/renderer_types.ts";
import type { Scoring } from "./score/scoring.ts";
import type { Studio } from "./studio.ts";
import type { SplatTask } from "./task.ts";
import { TaskRenders } from "./task_renders.ts";

/** A renderer on an open device. */
export interface OpenRenderer {
  readonly renderer: SceneRenderer;
  /** The adapter in words. */
  readonly device: string;
  close(): void;
}

/** Most jobs in one batch: bounds the memory of jobs with eight 256×256 views each. */
const MAX_BATCH = 32;

/** Tasks whose photos and metrics are kept although no request is under way; LPIPS features take 20 MB a task. */
const MAX_IDLE_TASKS = { partial: 64, full: 16 };

interface Entry {
  renders: Promise<TaskRenders>;
  /** Requests under way. */
  users: number;
}

export class RenderPool {
  #opened: Promise<OpenRenderer> | null = null;
  #closed = false;
  readonly #queue: RenderQueue<RenderJob, RenderedView[]>;
  /** In order of last use. */
  readonly #tasks = new Map<SplatTask, Entry>();

  constructor(
    private readonly openRenderer: () => Promise<OpenRenderer>,
    private readonly scoring: Scoring,
  ) {
    this.#queue = new RenderQueue(async (jobs) => (await this.open()).renderer.render(jobs), MAX_BATCH);
  }

  /**
   * Opens the device on first use; a failure is not kept, so that the next use tries again.
   *
   * @throws BenchError once closed
   */
  async open(): Promise<OpenRenderer> {
    this.#assertOpen();
    if (this.#opened === null) {
      const opened = this.openRenderer();
      this.#opened = opened;
      opened.catch(() => this.#opened = null);
    }
    return await this.#opened;
  }

  /**
   * Draws and scores a task; opens no device before the first request.
   *
   * @throws BenchError once closed
   */
  studio(task: SplatTask): Studio {
    this.#assertOpen();
    return {
      scoreKind: this.scoring.kind,
      score: (scene) => this.#use(task, (renders) => renders.score(scene)),
      referenceViews: (scene, views) => this.#use(task, (renders) => renders.referenceViews(scene, views)),
      fromCamera: (scene, camera) => this.#use(task, (renders) => renders.fromCamera(scene, camera)),
    };
  }

  /** Frees the device for good; requests under way and later ones fail. */
  close(): void {
    this.#closed = true;
    // A device that failed to open has nothing to close.
    this.#opened?.then((opened) => opened.close(), () => {});
    this.#opened = null;
    this.#tasks.clear();
  }

  #assertOpen(): void {
    if (this.#closed) throw environmentClosed();
  }

  async #use<T>(task: SplatTask, work: (renders: TaskRenders) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const entry = this.#tasks.get(task) ?? { renders: this.#start(task), users: 0 };
    entry.users++;
    this.#tasks.delete(task);
    this.#tasks.set(task, entry);
    try {
      return await work(await entry.renders);
    } catch (error) {
      // What a device says that was taken away in the middle of its work names buffers and says nothing of why.
      throw this.#closed ? environmentClosed(error) : error;
    } finally {
      entry.users--;
      await this.#dropIdle();
    }
  }

  async #dropIdle(): Promise<void> {
    const idle = [...this.#tasks].filter(([, { users }]) => users === 0);
    for (
      const [task, { renders }] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE_TASKS[this.scoring.kind]))
    ) {
      this.#tasks.delete(task);
      (await renders).destroy();
    }
  }

  async #start(task: SplatTask): Promise<TaskRenders> {
    try {
      const { renderer } = await this.open();
      return await TaskRenders.open(task, renderer, this.#queue, this.scoring);
    } catch (error) {
      this.#tasks.delete(task);
      throw error;
    }
  }
}

function environmentClosed(cause?: unknown): BenchError {
  return new BenchError(
    {
      what: "Cannot draw or score",
      why: "the environment has been closed",
      fix: "Close it after the last call, or make a new one",
    },
    undefined,
    { cause },
  );
}
