/**
 * How many requests to one endpoint may be under way: additive increase, multiplicative decrease, as TCP does it, so
 * that an endpoint with four slots is soon sent four requests at a time and no more.
 */
export class Throttle {
  #limit: number;
  #running = 0;
  #pausedUntil = 0;
  #waiting: (() => void)[] = [];

  /**
   * @param most requests at a time at the best of times
   * @param clock now in ms and a way to wait, so that tests need not
   */
  constructor(
    private readonly most: number,
    private readonly clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> },
  ) {
    this.#limit = most;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Runs `request` once there is room and no pause. */
  async run<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#running >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      for (
        let left = this.#pausedUntil - this.clock.now();
        left > 0;
        left = this.#pausedUntil - this.clock.now()
      ) {
        await this.clock.sleep(left, signal);
      }
      return await request();
    } finally {
      this.#running--;
      this.#wake();
    }
  }

  succeeded(): void {
    this.#limit = Math.min(this.most, this.#limit + 1 / this.#limit);
    this.#wake();
  }

  /** The endpoint asked for less; every request waits `afterMs`. */
  overloaded(afterMs: number): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.clock.now() + afterMs);
  }

  #wake(): void {
    const room = Math.max(0, this.limit - this.#running);
    for (const resolve of this.#waiting.splice(0, room)) resolve();
  }
}
