/** Arguments of commands on recorded data: places, and before them the benchmark, which may be left out. */
import { BenchError } from "../env/errors.ts";
import { BENCH_IDS, type BenchId, isBenchId } from "../tasks/tables.ts";

/**
 * One name alone is a place, whatever it is called.
 *
 * @param count of the places that the command takes
 * @throws BenchError for another number of them, and for a benchmark that there is not
 */
export function benchmarkAndPlaces(
  verb: string,
  args: readonly string[],
  count: number,
): { bench: BenchId | null; places: string[] } {
  const places = args.slice(-count);
  const [first] = args;
  if (args.length === count) return { bench: null, places };
  if (args.length === count + 1 && isBenchId(first)) return { bench: first, places };
  const short = args.length < count;
  throw new BenchError({
    what: `Cannot ${verb} ${args.join(", ")}`,
    why: args.length === count + 1
      ? `there is no benchmark ${first}`
      : `it takes ${count === 1 ? "one place" : `${count} places`}`,
    fix: short
      ? "Name another, or the same again with --models or --settings"
      : `Only ${BENCH_IDS.join(" or ")} may come before ${count === 1 ? "the place" : "the places"}`,
  });
}
