/** Rows, and with them episodes, that are left out for being bad. */
import { BenchError } from "../env/errors.ts";
import { count } from "../env/numbers.ts";
import { noteLine } from "./terminal.ts";

/** A row of an episode is bad: what its other rows say is not the whole of it. */
export class BadRow extends BenchError {
  override readonly name = "BadRow";
}

/** Bad rows that a person asked to leave out, each told once, whichever of its columns was looked at. */
export class BadRows {
  readonly #told = new Set<string>();

  leaveOut({ explanation: { what, why } }: BenchError): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    noteLine(`Left out: ${what}: ${why}`);
  }

  /** `2 bad rows left out`; null where all were good. */
  total(): string | null {
    return this.#told.size === 0 ? null : `${count(this.#told.size, "bad row")} left out`;
  }
}
