/** The one place that reads clocks and draws unseeded numbers (for back-off, never for results). */

/** ISO 8601 now, UTC. */
export const nowIso = (): string => new Date().toISOString();

/** Milliseconds since some fixed moment, monotonic. */
export const elapsedMs = (): number => performance.now();

/** Unseeded uniform in [0, 1), for jitter only. */
export const jitter = (): number => Math.random();

/** A timer set to more fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, at the latest after 24 days, or rejects when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Milliseconds since the epoch, for HTTP dates. */
export const epochMs = (): number => Date.now();
