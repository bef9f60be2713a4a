/**
 * Merges the requests of all open episodes into shared batches: while one batch is on the device, the requests that
 * arrive wait and go out together. Knows no graphics; a benchmark says what a request and a batch are.
 */
export class RenderQueue<Request, Result> {
  #waiting: { request: Request; resolve: (result: Result) => void; reject: (reason: unknown) => void }[] = [];
  #running = false;

  /**
   * @param run takes a whole batch, returns one result per request in the same order
   * @param maxBatch most requests in one batch
   */
  constructor(
    private readonly run: (requests: readonly Request[]) => Promise<readonly Result[]>,
    private readonly maxBatch: number,
  ) {}

  /** Resolves with this request's result; rejects with the error of the batch it was in. */
  request(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (!this.#running) {
        this.#running = true;
        // A macrotask later, so that episodes that are ready in the same turn of the loop share the first batch too.
        setTimeout(() => this.#drain());
      }
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.maxBatch);
      try {
        const results = await this.run(batch.map((entry) => entry.request));
        batch.forEach((entry, i) => entry.resolve(results[i]));
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.#running = false;
  }
}
