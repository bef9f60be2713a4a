import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import { decodePng } from "../../env/png.ts";
import { readTyped } from "../../eval/play/typed_call.ts";
import { TOOL_SPECS as SHADOW_TOOLS } from "../../shadow/prompts.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { TOOL_SPECS as SPLAT_TOOLS } from "../../splat/prompts.ts";
import { captureCli } from "../support/capture_cli.ts";
import { stubEnvironment } from "../support/shadow_stub.ts";
import { StubRenderer } from "../support/splat_stub.ts";

const root = join(import.meta.dirname ?? ".", "../..");
const README = Deno.readTextFileSync(join(root, "README.md"));

Deno.test("README's example runs as it stands and writes its pictures", async () => {
  const [, example] = README.match(/```ts\n([\s\S]*?)```/) ?? [];
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
  const [, [, example]] = [...README.matchAll(/```ts\n([\s\S]*?)```/g)];
  const { stdout, files } = await runExample(example, ["look.png"]);
  assert.match(stdout, /^Target, shadow, difference/);
  assert.match(stdout, /score: \d.*,/);
  const { width, height } = decodePng(files[0]);
  assert.deepEqual([width, height], [1024, 768]);
});

Deno.test("README's training loop runs as it stands, a reward for each call", async () => {
  const [, , [, example]] = [...README.matchAll(/```ts\n([\s\S]*?)```/g)];
  const { stdout } = await runExample(example, []);
  // The opening, plan, move_hand and submit; then the reward of the episode.
  const lines = stdout.trim().split(/\n(?=\[)/);
  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, /^\[ ?0(, -?[\d.]+){3} ?\] [\d.]+$/);
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
    assert.deepEqual(cells(README), printed);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});

Deno.test("README's table of hand shadows and its baselines hold what the program prints today", async () => {
  const out = await Deno.makeTempDir();
  try {
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await captureCli(args, {
        ...CLI_CONTEXT,
        // Scores are the host's, so that the pictures may be blank.
        environments: { shadow: ({ search = {} }) => Promise.resolve(stubEnvironment("blank", { search })) },
      });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const printed = await run("eval", "shadow", "--models", "builtin:walk,builtin:rest", "--out", out);
    for (const name of ["walk", "rest"]) {
      // Up to the refused calls; the rest depends on the machine.
      const row = new RegExp(`^builtin:${name} +\\S+ .* 0 of 20 +\\S+ +\\S+ +\\S+`, "m");
      const cells = (text: string) => text.match(row)?.[0].split(/ {2,}/);
      assert.equal(cells(printed)?.length, 12);
      assert.deepEqual(cells(README), cells(printed));
    }
    const [rest, hull] = (await run("baselines", "shadow", "--evaluations", "0")).match(/^mean.*/m)?.[0]
      .match(/[\d.]+/g) ?? [];
    assert.ok(README.includes(`ShadowBench score ${rest}, ${hull} and `), `${rest} ${hull}`);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});

Deno.test("README's table of the sample data is what analyze prints today", async () => {
  const [, args, table] =
    README.match(/`\.\/bench (analyze .* --table \S+)` this one:\n\n```text\n([\s\S]*?)```/) ?? [];
  const place = args.split(" ").map((word) => word === "data/sample" ? join(root, word) : word);
  const { code, stdout } = await captureCli(place);
  assert.deepEqual([code, stdout], [0, table]);
});

Deno.test("README's typed calls are read as calls", () => {
  const [, lines] = README.match(/calls are typed as words or as JSON:\n\n```text\n([\s\S]*?)```/) ?? [];
  const [splat, shadow] = lines.trim().split("\n\n").map((block) => block.split("\n"));
  assert.deepEqual([splat.length, shadow.length], [2, 5]);
  for (const [typed, specs] of [[splat, SPLAT_TOOLS], [shadow, SHADOW_TOOLS]] as const) {
    for (const line of typed) assert.ok("call" in readTyped(line, specs), line);
  }
});

Deno.test("README and eval -h say how often each benchmark plays a task", async () => {
  const { defaultRuns: splat } = splatEnvironment({ openRenderer: new StubRenderer().open });
  const { defaultRuns: shadow } = stubEnvironment();
  const times = ["never", "once", "twice"];
  assert.match(
    README.replaceAll("\n", " "),
    new RegExp(`SplatBench's tasks are played ${times[splat]}, ShadowBench's ${times[shadow]}, unless`),
  );
  const { stdout } = await captureCli(["eval", "--help"]);
  assert.ok(stdout.replaceAll(/\s+/g, " ").includes(`${splat} in SplatBench, ${shadow} in ShadowBench`));
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
  const paths = [
    ...text.matchAll(/`((?:env|gpu|tasks|splat|shadow|eval|analysis|cli|data|tests|docs)\/[\w./-]*)`/g),
  ].map((
    [, p],
  ) => p);
  assert.ok(paths.length > 20);
  for (const path of paths) assert.ok(Deno.statSync(join(root, path)), path);
});
