/** Where downloads are kept between runs. */
import { join } from "node:path";
import { BenchError } from "../env/errors.ts";

/** Environment variables and system, or stand-ins for them. */
export interface Surroundings {
  get(name: string): string | undefined;
  os: typeof Deno.build.os;
}

/**
 * `$BENCH_CACHE`, else a folder `perpetual-bench` where the system keeps caches: `$XDG_CACHE_HOME` or `~/.cache`,
 * `~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows. The folder need not exist.
 *
 * @throws BenchError when no variable says where
 */
export function cacheFolder(
  from: Surroundings = { get: (name) => Deno.env.get(name), os: Deno.build.os },
): string {
  const own = nonEmpty(from.get("BENCH_CACHE"));
  if (own !== undefined) return own;
  const caches = nonEmpty(from.get("XDG_CACHE_HOME")) ?? systemCaches(from);
  if (caches !== undefined) return join(caches, "perpetual-bench");
  throw new BenchError({
    what: "Cannot find a place for downloads",
    why: "neither BENCH_CACHE nor HOME is set",
    fix: "Set BENCH_CACHE to a folder",
  });
}

function systemCaches({ get, os }: Surroundings): string | undefined {
  if (os === "windows") return nonEmpty(get("LOCALAPPDATA"));
  const home = nonEmpty(get("HOME"));
  if (home === undefined) return undefined;
  return os === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
