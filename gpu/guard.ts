import { GpuError } from "../env/errors.ts";

/**
 * Makes sure that no WebGPU error is lost. WebGPU never throws: a failure reaches an error scope, an
 * `uncapturederror` event or the `lost` promise, and without a listener the program goes on with zeros.
 */
export class Guard {
  #lost: string | undefined;
  #stray: GpuError | undefined;
  /** Errors of calls that return at once (buffer creation, writes); the next submit reports them. */
  #unsettled: Promise<void>[] = [];
  /** Destroyed with the device, which by itself keeps their memory until they are collected. */
  readonly buffers = new Set<GPUBuffer>();
  #onLost = new Set<(why: string) => void>();

  constructor(readonly device: GPUDevice) {
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      const message = event instanceof GPUUncapturedErrorEvent ? event.error.message : "unknown error";
      this.#stray ??= gpuError("Cannot go on after a WebGPU error", message);
    });
    device.lost.then(({ message, reason }) => this.#lose(message || reason));
  }

  /** Runs WebGPU calls under error scopes. `failure` rejects with a GpuError that names `what` (and `kernel`). */
  scoped<T>(what: string, run: () => T, kernel?: string): { value: T; failure: Promise<void> } {
    for (const filter of FILTERS) this.device.pushErrorScope(filter);
    let value: T;
    let popped: Promise<(GPUError | null)[]>;
    try {
      value = run();
    } catch (error) {
      // Deno's bindings throw for arguments of the wrong type or range before WebGPU sees them.
      throw gpuError(what, error instanceof Error ? error.message : String(error), kernel, error);
    } finally {
      popped = Promise.all(FILTERS.map(() => this.device.popErrorScope()));
    }
    return { value, failure: raiseFirst(what, popped, kernel) };
  }

  /** As `scoped`, for calls that cannot wait: the failure is reported by the next `settle`. */
  deferred<T>(what: string, run: () => T): T {
    this.assertAlive(what);
    const { value, failure } = this.scoped(what, run);
    failure.catch(() => {});
    this.#unsettled.push(failure);
    return value;
  }

  /** Throws what deferred calls and the `uncapturederror` event have reported since the last call. */
  async settle(): Promise<void> {
    const unsettled = this.#unsettled;
    this.#unsettled = [];
    await Promise.all(unsettled);
    const stray = this.#stray;
    this.#stray = undefined;
    if (stray) throw stray;
  }

  /** Throws when the device is lost. */
  assertAlive(what: string): void {
    if (this.#lost) throw lostError(what, this.#lost);
  }

  /** Waits for `work`, or rejects as soon as the device is lost: a lost device may never answer. */
  async whileAlive<T>(what: string, work: Promise<T>): Promise<T> {
    // It may reject after this call has.
    work.catch(() => {});
    this.assertAlive(what);
    const { promise, reject } = Promise.withResolvers<never>();
    const onLost = (why: string) => reject(lostError(what, why));
    this.#onLost.add(onLost);
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.#onLost.delete(onLost);
    }
  }

  /** Waits for queued work and destroys the device: pending and later work rejects. */
  close(): void {
    if (this.#lost !== undefined) return;
    this.#lose("closed");
    // Deno 2.9 waits for the device inside this call.
    this.device.queue.onSubmittedWorkDone().catch(() => {});
    for (const buffer of this.buffers) buffer.destroy();
    this.buffers.clear();
    this.device.destroy();
  }

  #lose(why: string): void {
    this.#lost ??= why;
    for (const onLost of this.#onLost) onLost(why);
  }
}

/** A GpuError about what WebGPU said. */
export function gpuError(what: string, message: string, kernel?: string, cause?: unknown): GpuError {
  return new GpuError({ what, why: message.trim() }, kernel, cause === undefined ? undefined : { cause });
}

function lostError(what: string, why: string): GpuError {
  return new GpuError({
    what,
    why: `the graphics device is lost (${why})`,
    fix: "Open it again with openGpu",
  });
}

const FILTERS = ["validation", "out-of-memory", "internal"] as const;

async function raiseFirst(
  what: string,
  popped: Promise<(GPUError | null)[]>,
  kernel?: string,
): Promise<void> {
  for (const error of await popped) {
    if (error) throw gpuError(what, error.message, kernel);
  }
}
