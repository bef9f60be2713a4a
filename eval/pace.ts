/** How fast something goes and how long the rest will take, in words. */
import { elapsedMs } from "../env/clock.ts";

export class Pace {
  readonly #started = elapsedMs();

  /** @param total of what is counted */
  constructor(private readonly total: number) {}

  /** What to add to a count: ` · 12.0/min, about 3 min left`; nothing before the first and after the last. */
  after(done: number): string {
    if (done === 0 || done >= this.total) return "";
    const minutes = (elapsedMs() - this.#started) / 60_000;
    const perMinute = done / Math.max(minutes, 1e-9);
    return ` · ${perMinute.toFixed(1)}/min, about ${duration((this.total - done) / perMinute)} left`;
  }
}

/** A duration in whole seconds, minutes, or tenths of an hour. */
export function duration(minutes: number): string {
  if (minutes < 1) return `${Math.ceil(60 * minutes)} s`;
  if (minutes < 90) return `${Math.round(minutes)} min`;
  return `${(minutes / 60).toFixed(1)} h`;
}
