/** The one device of an environment: opened at first use, shared by all episodes, closed for good. */
import { BenchError } from "./errors.ts";

export class SharedDevice<Device extends { close(): void }> {
  #opened: Promise<Device> | null = null;
  #closed = false;

  constructor(private readonly openDevice: () => Promise<Device>) {}

  /**
   * The device; a failure to open it is not kept, so that the next use tries again.
   *
   * @throws BenchError once closed
   */
  async open(): Promise<Device> {
    this.assertOpen();
    if (this.#opened === null) {
      const opened = this.openDevice();
      this.#opened = opened;
      opened.catch(() => this.#opened = null);
    }
    return await this.#opened;
  }

  /**
   * Does work that uses the device.
   *
   * @throws BenchError once closed, also where the device is taken away in the middle of the work: what it says then
   *   names buffers and says nothing of why
   */
  async whileOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    this.assertOpen();
    try {
      return await work();
    } catch (error) {
      throw this.#closed ? environmentClosed(error) : error;
    }
  }

  /** @throws BenchError once closed */
  assertOpen(): void {
    if (this.#closed) throw environmentClosed();
  }

  /** Frees the device for good; work under way and later work fail. */
  close(): void {
    this.#closed = true;
    // A device that failed to open has nothing to close.
    this.#opened?.then((opened) => opened.close(), () => {});
    this.#opened = null;
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
