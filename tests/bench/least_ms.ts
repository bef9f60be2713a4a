import { elapsedMs } from "../../env/clock.ts";

const REPETITIONS = 5;

/** The shortest of five runs, milliseconds: what others do on the machine only ever adds. */
export async function leastMs(run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const start = elapsedMs();
    await run();
    best = Math.min(best, elapsedMs() - start);
  }
  return best;
}
