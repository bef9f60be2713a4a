/** `env_fingerprint`: one hash over everything that decides what an episode answers, but for the device. */
import { z } from "zod";
import { canonicalJson, sha256 } from "./hash.ts";

/**
 * sha256 over environment source, assets and dependency versions; the same from disk and from the registry.
 *
 * @param files what the environment loads, from the root of the program
 * @param packages npm packages whose versions can change an answer
 */
export async function environmentFingerprint(
  files: readonly string[],
  packages: readonly string[],
): Promise<string> {
  const texts = await Promise.all(files.map(readContent));
  const parts = files.map((path, i) => `${path}\n${texts[i]}\n`);
  return sha256(...parts, canonicalJson(await packageVersions(packages)));
}

/** A data file as canonical JSON, any other as text with bare specifiers. */
async function readContent(path: string): Promise<string> {
  if (path.endsWith(".json")) return canonicalJson(await load(path, "json"));
  return bareSpecifiers(z.string().parse(await load(path, "text")));
}

/** The registry writes `npm:zod@4.6.7` where the source says `zod`; versions are hashed apart. */
function bareSpecifiers(source: string): string {
  return source.replaceAll(/"npm:(@?[^"@]+)@[^"/]+([^"]*)"/g, '"$1$2"');
}

async function packageVersions(packages: readonly string[]): Promise<[string, string][]> {
  const config = z.object({ imports: z.record(z.string(), z.string()) });
  const { imports } = config.parse(await load("deno.json", "json"));
  return packages.map((name) => [name, imports[name]]);
}

/**
 * A file of the program, by its path from the root.
 *
 * Imports, not fetches: only imports are kept for a later run without a network.
 */
async function load(path: string, type: "json" | "text"): Promise<unknown> {
  const url = new URL(`../${path}`, import.meta.url);
  const module: { default: unknown } = await import(url.href, { with: { type } });
  return module.default;
}
