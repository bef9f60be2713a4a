/** What an environment's fingerprint must cover, from the program itself. */
import assert from "node:assert/strict";
import { join } from "node:path";

const root = join(import.meta.dirname ?? ".", "../..");

/** Compares a list of files and packages with all that `entry` loads, from the root of the program. */
export async function checkModuleGraph(
  entry: string,
  listed: { files: readonly string[]; packages: readonly string[]; in: string },
): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: root,
  }).output();
  const graph: { modules: { specifier: string }[] } = JSON.parse(new TextDecoder().decode(stdout));
  const local = graph.modules.map(({ specifier }) => specifier).filter((name) => name.startsWith("file:"));
  const files = local.map((specifier) => specifier.slice(`file://${root}/`.length)).sort();
  assert.deepEqual([...listed.files], files, `put this list into ${listed.in}`);
  const sources = files.filter((file) => file.endsWith(".ts")).map((file) =>
    Deno.readTextFileSync(join(root, file))
  );
  const packages = new Set(
    sources.flatMap((text) => [...text.matchAll(/from "([^."][^":]*)"/g)].map(([, name]) => packageOf(name))),
  );
  assert.deepEqual([...packages].sort(), [...listed.packages]);
}

/** `@scope/name` of `@scope/name/file.json`. */
function packageOf(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
