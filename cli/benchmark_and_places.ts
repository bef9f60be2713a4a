/** Arguments of commands on recorded data: places, and before them the benchmark, which may be left out. */
import { BenchError } from "../env/errors.ts";
import type { CliContext } from "./context.ts";

/**
 * One name alone is a place, whatever it is called.
 *
 * @param count of the places that the command takes
 * @throws BenchError for another number of them, and for a benchmark that there is not
 */
export function benchmarkAndPlaces(
  environments: CliContext["environments"],
  verb: string,
  args: readonly string[],
  count: number,
): { bench: string | null; places: string[] } {
  const places = args.slice(-count);
  const [first] = args;
  if (args.length === count) return { bench: null, places };
  if (args.length === count + 1 && Object.hasOwn(environments, first)) return { bench: first, places };
  const short = args.length < count;
  throw new BenchError({
    what: `Cannot ${verb} ${args.join(", ")}`,
    why: args.length === count + 1
      ? `there is no benchmark ${first}`
      : `it takes ${count === 1 ? "one place" : `${count} places`}`,
    fix: short
      ? "Name another, or the same again with --models or --settings"
      : `Only ${Object.keys(environments).join(" or ")} may come before ${
        count === 1 ? "the place" : "the places"
      }`,
  });
}
