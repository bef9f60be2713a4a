/** `env_fingerprint`: one hash over everything that decides what an episode answers, but for the device. */
import { z } from "zod";
import { canonicalJson, sha256 } from "../env/hash.ts";
import { ENVIRONMENT_FILES, ENVIRONMENT_PACKAGES } from "./environment_files.ts";

/** sha256 over environment source, assets and dependency versions; the same from disk and from the registry. */
export async function environmentFingerprint(): Promise<string> {
  const texts = await Promise.all(ENVIRONMENT_FILES.map(readContent));
  const parts = ENVIRONMENT_FILES.map((path, i) => `${path}\n${texts[i]}\n`);
  return sha256(...parts, canonicalJson(await packageVersions()));
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

async function packageVersions(): Promise<[string, string][]> {
  const config = z.object({ imports: z.record(z.string(), z.string()) });
  const { imports } = config.parse(await load("deno.json", "json"));
  return ENVIRONMENT_PACKAGES.map((name) => [name, imports[name]]);
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
