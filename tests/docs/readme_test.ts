import assert from "node:assert/strict";
import { join } from "node:path";
import { decodePng } from "../../env/png.ts";

const root = join(import.meta.dirname ?? ".", "../..");

Deno.test("README's example runs as it stands and writes its pictures", async () => {
  const readme = Deno.readTextFileSync(join(root, "README.md"));
  const [, example] = readme.match(/```ts\n([\s\S]*?)```/) ?? [];
  const names = ["sheet.png", "seen.png"];
  const { stdout, files } = await runExample(example, names);
  assert.match(stdout, /PSNR \d+\.\d+ dB/);
  assert.match(stdout, /tool: "submit",\s+hidden_score: \d.*,\s+psnr: \d/);
  // Four photos of 256 pixels side by side; photo, render and difference.
  for (const [i, pictures] of [4, 3].entries()) {
    const { width } = decodePng(files[i]);
    assert.ok(width > 256 * pictures && width < 256 * (pictures + 1), `${names[i]} is ${width} wide`);
  }
});

Deno.test("README's hand shadow is posed as it stands, and looked at", async () => {
  const readme = Deno.readTextFileSync(join(root, "README.md"));
  const [, [, example]] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)];
  const { stdout, files } = await runExample(example, ["look.png"]);
  assert.match(stdout, /^Target, shadow, difference/);
  assert.match(stdout, /score: \d.*,/);
  const { width, height } = decodePng(files[0]);
  assert.deepEqual([width, height], [1024, 768]);
});

/** Runs an example as a program of its own; what it prints and the files that it writes. */
async function runExample(example: string, names: readonly string[]) {
  assert.ok(example.includes("jsr:@perpetual/bench"));
  const folder = await Deno.makeTempDir();
  try {
    const module = new URL(`file://${join(root, "mod.ts")}`).href;
    await Deno.writeTextFile(join(folder, "example.ts"), example.replaceAll("jsr:@perpetual/bench", module));
    const run = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--config", join(root, "deno.json"), join(folder, "example.ts")],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    const [stdout, stderr] = [run.stdout, run.stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert.equal(run.code, 0, stderr);
    return { stdout, files: names.map((name) => Deno.readFileSync(join(folder, name))) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("README's table holds what the program prints today", async () => {
  const readme = Deno.readTextFileSync(join(root, "README.md"));
  const out = await Deno.makeTempDir();
  try {
    const args = ["run", "-A", join(root, "cli.ts"), "eval", "splat", "--runs", "1", "--out", out];
    const run = await new Deno.Command(Deno.execPath(), { args: [...args, "--models", "builtin:mean"] })
      .output();
    // Model, setting, then score, PSNR and SSIM with their intervals; the rest depends on runs and time.
    const row = /^builtin:mean +\S+ +\S+ \[.*?\] +\S+ \[.*?\] +\S+ \[.*?\]/m;
    const cells = (text: string) => text.match(row)?.[0].split(/ {2,}/);
    const printed = cells(new TextDecoder().decode(run.stdout));
    assert.ok(printed, new TextDecoder().decode(run.stderr));
    assert.deepEqual(cells(readme), printed);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});

Deno.test("every relative link in the documents leads somewhere", () => {
  const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "NOTICES.md"]
    .concat(
      [...Deno.readDirSync(join(root, "docs"))].filter((e) => e.name.endsWith(".md")).map((e) =>
        `docs/${e.name}`
      ),
    );
  for (const document of documents) {
    const text = Deno.readTextFileSync(join(root, document));
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const path = join(root, document, "..", target);
      assert.ok(Deno.statSync(path), `${document} links to ${target}`);
    }
  }
});

Deno.test("ARCHITECTURE.md names only files and folders that exist", () => {
  const text = Deno.readTextFileSync(join(root, "ARCHITECTURE.md"));
  const paths = [...text.matchAll(/`((?:env|gpu|tasks|splat|eval|analysis|tests|docs)\/[\w./-]*)`/g)].map((
    [, p],
  ) => p);
  assert.ok(paths.length > 20);
  for (const path of paths) assert.ok(Deno.statSync(join(root, path)), path);
});
