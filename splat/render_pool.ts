/** The one device, one queue, and the photos of the tasks in play, shared by all episodes of an environment. */
import { RenderQueue } from "../env/render_queue.ts";
import { SharedDevice } from "../env/shared_device.ts";
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
  readonly #device: SharedDevice<OpenRenderer>;
  readonly #queue: RenderQueue<RenderJob, RenderedView[]>;
  /** In order of last use. */
  readonly #tasks = new Map<SplatTask, Entry>();

  constructor(
    openRenderer: () => Promise<OpenRenderer>,
    private readonly scoring: Scoring,
  ) {
    this.#device = new SharedDevice(openRenderer);
    this.#queue = new RenderQueue(async (jobs) => (await this.open()).renderer.render(jobs), MAX_BATCH);
  }

  /** Opens the device on first use. Throws BenchError once closed. */
  open(): Promise<OpenRenderer> {
    return this.#device.open();
  }

  /**
   * Draws and scores a task; opens no device before the first request.
   *
   * @throws BenchError once closed
   */
  studio(task: SplatTask): Studio {
    this.#device.assertOpen();
    return {
      scoreKind: this.scoring.kind,
      score: (scene) => this.#use(task, (renders) => renders.score(scene)),
      referenceViews: (scene, views) => this.#use(task, (renders) => renders.referenceViews(scene, views)),
      fromCamera: (scene, camera) => this.#use(task, (renders) => renders.fromCamera(scene, camera)),
    };
  }

  /** Frees the device for good; requests under way and later ones fail. */
  close(): void {
    this.#device.close();
    this.#tasks.clear();
  }

  async #use<T>(task: SplatTask, work: (renders: TaskRenders) => Promise<T>): Promise<T> {
    this.#device.assertOpen();
    const entry = this.#tasks.get(task) ?? { renders: this.#start(task), users: 0 };
    entry.users++;
    this.#tasks.delete(task);
    this.#tasks.set(task, entry);
    try {
      return await this.#device.whileOpen(async () => await work(await entry.renders));
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
