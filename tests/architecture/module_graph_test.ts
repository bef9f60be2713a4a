import assert from "node:assert/strict";
import { dirname, join, posix } from "node:path";

/** STYLE's picture: which folder may import which, and which packages it owns. */
const ARROWS: Record<string, readonly string[]> = {
  env: [],
  gpu: ["env/errors.ts"],
  tasks: ["env/"],
  splat: ["env/", "tasks/", "gpu/"],
  shadow: ["env/", "tasks/", "gpu/"],
  eval: ["env/", "tasks/"],
  analysis: ["env/", "tasks/"],
  // The commands are declared here, and loaded when they are called; what they work on comes from `cli.ts`.
  cli: [
    "env/",
    "eval/",
    "analysis/analyze_command.ts",
    "analysis/calibrate_intervals_command.ts",
    "analysis/compare_command.ts",
    "shadow/prepare/prepare_plate_command.ts",
    "splat/calibrate/calibrate_command.ts",
    "splat/fetch_command.ts",
    "splat/prepare/prepare_command.ts",
    "tasks/export_command.ts",
    "tasks/fetch_data_command.ts",
  ],
};
const PACKAGES: Record<string, readonly string[]> = {
  "fast-png": ["env"],
  "jpeg-js": ["env"],
  "openai": ["eval"],
  "@gltf-transform/core": ["shadow"],
  "@webxr-input-profiles/assets": ["shadow"],
  "@resvg/resvg-wasm": ["shadow", "analysis"],
  "hyparquet": ["tasks"],
  "hyparquet-compressors": ["tasks"],
  "hyparquet-writer": ["tasks"],
  "apache-arrow": ["tasks"],
  "yaml": ["tasks"],
  "vega": ["analysis"],
  "vega-lite": ["analysis"],
  "commander": ["cli", "cli.ts"],
};
/** zod may be used at any border. */
const ANYWHERE = ["zod"];

interface Import {
  from: string;
  specifier: string;
  /** Repository path for a relative specifier, else null. */
  target: string | null;
}

const root = join(import.meta.dirname ?? ".", "../..");

function sources(folder: string): string[] {
  const files: string[] = [];
  for (const entry of Deno.readDirSync(join(root, folder))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory) files.push(...sources(path));
    else if (/\.(ts|js)$/.test(entry.name)) files.push(path);
  }
  return files.sort();
}

/** Static and dynamic imports with a literal specifier, and re-exports. */
function imports(from: string, text: string): Import[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)"([^"]+)"/g;
  return [...code.matchAll(pattern)].map(([, specifier]) => ({
    from,
    specifier,
    target: specifier.startsWith(".") ? posix.join(dirname(from), specifier) : null,
  }));
}

function productImports(): Import[] {
  const files = [...Object.keys(ARROWS).flatMap(sources), "cli.ts", "mod.ts"];
  return files.flatMap((file) => imports(file, Deno.readTextFileSync(join(root, file))));
}

function violations(all: readonly Import[]): string[] {
  const wrong: string[] = [];
  for (const { from, specifier, target } of all) {
    const folder = from.split("/")[0];
    if (target === null) {
      if (specifier.startsWith("node:") || ANYWHERE.includes(specifier)) continue;
      const name = specifier.match(/^(@[^/]+\/[^/]+|[^/]+)/)?.[1] ?? specifier;
      if (!PACKAGES[name]?.includes(folder)) wrong.push(`${from} imports the package ${specifier}`);
    } else if (folder in ARROWS) {
      const allowed = [`${folder}/`, ...ARROWS[folder]];
      if (!allowed.some((prefix) => target.startsWith(prefix))) wrong.push(`${from} imports ${target}`);
    }
  }
  return wrong;
}

Deno.test("module graph follows the arrows and the package owners", () => {
  assert.deepEqual(violations(productImports()), []);
});

Deno.test("module graph check names an arrow that points the wrong way", () => {
  const sample = imports(
    "analysis/summary.ts",
    `import { openGpu } from "../gpu/device.ts";
     // import "../eval/commented.ts";
     export * from "../env/records.ts";
     const lazy = await import("../splat/environment.ts");
     import OpenAI from "openai";`,
  );
  assert.deepEqual(violations(sample), [
    "analysis/summary.ts imports gpu/device.ts",
    "analysis/summary.ts imports splat/environment.ts",
    "analysis/summary.ts imports the package openai",
  ]);
});

Deno.test("module graph has no cycle", () => {
  const edges = Map.groupBy(productImports().filter((edge) => edge.target !== null), (edge) => edge.from);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (done.has(file)) return;
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(" → ")}`);
    for (const { target } of edges.get(file) ?? []) visit(target ?? "", [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
});

Deno.test("source files stay small and have no leftovers", () => {
  for (const file of [...Object.keys(ARROWS).flatMap(sources), "cli.ts", "mod.ts"]) {
    const text = Deno.readTextFileSync(join(root, file));
    assert.ok(text.split("\n").length <= 400, `${file} has more than 400 lines`);
    if (file !== "env/clock.ts") {
      assert.doesNotMatch(
        text,
        /\bMath\.random\(|\bDate\.now\(|\bnew Date\(\)/,
        `${file} reads a clock or unseeded draws`,
      );
    }
    assert.doesNotMatch(text, /\bas any\b|: any\b|@ts-ignore|deno-lint-ignore/, `${file} loosens types`);
  }
});
