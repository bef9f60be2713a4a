/** How a run goes, in words: a line for every episode that ends, and on a terminal one line that keeps changing. */
import { elapsedMs } from "../env/clock.ts";
import type { MetricColumn } from "../env/environment.ts";
import type { EpisodeRecord } from "../env/records.ts";
import { duration } from "./pace.ts";
import type { Progress } from "./run_eval.ts";
import { noteLine, showStatus } from "./terminal.ts";

const REDRAW_MS = 1000;

export class TextProgress implements Progress {
  #total = 0;
  #onDisk = 0;
  #played = 0;
  #failed = 0;
  #started = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param title of the benchmark @param column the headline */
  constructor(private readonly title: string, private readonly column: MetricColumn) {}

  note(line: string): void {
    noteLine(line);
  }

  begin(total: number, finished: number): void {
    this.#total = total;
    this.#onDisk = finished;
    this.#started = elapsedMs();
    const rest = finished === 0 ? "" : `, ${finished} of them finished earlier`;
    noteLine(`${this.title}: ${total} ${total === 1 ? "episode" : "episodes"}${rest}`);
    if (finished < total) this.#timer = setInterval(() => this.#redraw(), REDRAW_MS);
  }

  finished(record: EpisodeRecord): void {
    this.#played += 1;
    if (record.status === "error") this.#failed += 1;
    const width = String(this.#total).length;
    const count = `${String(this.#onDisk + this.#played).padStart(width)}/${this.#total}`;
    noteLine(`${count} ${record.episode_id}: ${this.#outcome(record)} · ${this.#pace()}`);
    this.#redraw();
  }

  end(): void {
    clearInterval(this.#timer);
    showStatus("");
  }

  #outcome(record: EpisodeRecord): string {
    if (record.status === "error") return `failed: ${record.error}`;
    const { key, title, digits } = this.column;
    const value = key === "score" ? record.score : record.metrics[key] ?? null;
    const shown = value === null ? "none" : value.toFixed(digits);
    return `${title} ${shown}, ${record.calls} ${record.calls === 1 ? "call" : "calls"}, ${
      record.seconds.toFixed(1)
    } s`;
  }

  #pace(): string {
    const left = this.#total - this.#onDisk - this.#played;
    const minutes = (elapsedMs() - this.#started) / 60_000;
    const perMinute = this.#played / Math.max(minutes, 1e-9);
    if (left === 0) return `all played in ${duration(minutes)}`;
    return `${perMinute.toFixed(1)}/min, about ${duration(left / perMinute)} left`;
  }

  #redraw(): void {
    const failed = this.#failed === 0 ? "" : `, ${this.#failed} failed`;
    const pace = this.#played === 0 ? "" : ` · ${this.#pace()}`;
    showStatus(`${this.title}: ${this.#onDisk + this.#played} of ${this.#total} finished${failed}${pace}`);
  }
}
