/** How fast a leaderboard's intervals are made. */
import { bootstrapper } from "../../analysis/bootstrap.ts";
import { elapsedMs } from "../../env/clock.ts";
import { stream } from "../../env/random.ts";
import type { BenchRow } from "./bench_row.ts";

/** Both published leaderboard configs together: 33 and 21 rows. */
const [ROWS, TASKS, ASKED_MS] = [54, 30, 2000];

/** 54 rows of 30 tasks, 10,000 resamples each, in the two seconds that are asked for. */
export function analysisBench(): Promise<BenchRow[]> {
  const random = stream(1, "analysis bench");
  const rows = Array.from({ length: ROWS }, () => Array.from({ length: TASKS }, () => 100 * random.next()));
  const start = elapsedMs();
  const interval = bootstrapper();
  for (const row of rows) interval(row);
  const ms = elapsedMs() - start;
  return Promise.resolve([{
    name: `intervals of ${ROWS} rows, 10,000 resamples of ${TASKS} tasks, in 2 s`,
    ratio: ASKED_MS / ms,
    wanted: 1,
    detail: `${ms.toFixed(0)} ms`,
  }]);
}
