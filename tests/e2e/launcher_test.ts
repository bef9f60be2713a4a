/** `./bench` on machines of all kinds: a copy of it with the programs it calls, and the folders it looks in, replaced. */
import assert from "node:assert/strict";
import { join, relative } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { withFolder } from "../support/with_folder.ts";

const launcher = Deno.readTextFileSync(new URL("../../bench", import.meta.url));
const VERSION = launcher.match(/^DENO_VERSION=(\S+)$/m)?.[1] ?? "";
const ICD_FOLDER = /\/[\w/]+\/vulkan\/icd\.d/g;

interface Machine {
  /** Version of the Deno on the PATH; null for none. */
  deno?: string | null;
  npx?: boolean;
  /** Whether a Vulkan driver is there. */
  driver?: boolean;
  uid?: number;
  /** Exit code of apt-get; null for a machine without it. */
  aptGet?: number | null;
  env?: Record<string, string>;
}

/** Runs the copy and returns what it said and which of our programs it called, in order. */
async function launch(args: readonly string[], machine: Machine = {}, links: readonly string[] = []) {
  const { deno = VERSION, npx = true, driver = true, uid = 1000, aptGet = 0, env = {} } = machine;
  let result = { code: -1, stderr: "", calls: [] as string[] };
  await withFolder(async (folder) => {
    const [bin, icd, log] = ["bin", "icd.d", "log"].map((name) => join(folder, name));
    await Deno.mkdir(bin);
    await Deno.mkdir(icd);
    if (driver) await Deno.writeTextFile(join(icd, "lvp_icd.json"), "{}");
    const program = (name: string, body: string) =>
      Deno.writeTextFile(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const record = (name: string, code = 0) => `echo "${name} $*" >> "${log}"; exit ${code}`;
    if (deno !== null) {
      const version = `[ "$1" = --version ] && { echo "deno ${deno} (stable, release, x86_64)"; exit; }\n`;
      await program("deno", version + record("deno"));
    }
    if (npx) await program("npx", record("npx"));
    if (aptGet !== null) await program("apt-get", record("apt-get", aptGet));
    await program("id", `echo ${uid}`);
    await program("uname", "echo Linux");
    for (const tool of ["sed", "dirname", "readlink", "mktemp", "rm", "tail"]) {
      await program(tool, `PATH=/usr/bin:/bin exec ${tool} "$@"`);
    }
    await Deno.writeTextFile(join(folder, "bench"), launcher.replaceAll(ICD_FOLDER, icd), { mode: 0o755 });
    const names = ["bench", ...links];
    for (const [at, link] of links.entries()) {
      await Deno.mkdir(join(folder, link, ".."), { recursive: true });
      // Each leads to the one before it, every other one by a relative path.
      const target = at % 2 === 0
        ? relative(join(folder, link, ".."), join(folder, names[at]))
        : join(folder, names[at]);
      await Deno.symlink(target, join(folder, link));
    }
    const { code, stderr } = await new Deno.Command("/bin/sh", {
      args: [join(folder, names[links.length]), ...args],
      clearEnv: true,
      env: { PATH: bin, ...env },
    }).output();
    const calls = await Deno.readTextFile(log).catch(() => "");
    result = {
      code,
      stderr: new TextDecoder().decode(stderr),
      calls: calls.trim().replaceAll(`${folder}/`, "").split("\n").filter((line) => line !== ""),
    };
  });
  return result;
}

Deno.test("bench runs the pinned Deno of the PATH, with the command line as it is", async () => {
  assert.match(VERSION, /^\d+\.\d+\.\d+$/);
  const { code, stderr, calls } = await launch(["eval", "splat", "--runs", "1"]);
  assert.deepEqual([code, stderr, calls], [0, "", ["deno run -A cli.ts eval splat --runs 1"]]);
});

Deno.test("bench finds itself through links to links in other folders", async () => {
  const { code, stderr, calls } = await launch(["eval"], {}, ["a folder/one", "two", "far/away/three"]);
  assert.deepEqual([code, stderr, calls], [0, "", ["deno run -A cli.ts eval"]]);
});

Deno.test("bench fetches the pinned Deno through npx where there is none or another one", async () => {
  for (const deno of [null, "1.46.3", `${VERSION}0`]) {
    const { code, calls } = await launch(["replay", "runs"], { deno });
    assert.deepEqual([code, calls], [0, [`npx -y deno@${VERSION} run -A cli.ts replay runs`]]);
  }
});

Deno.test("bench says what it needs where there is neither, and exits 3", async () => {
  const { code, stderr, calls } = await launch(["eval"], { deno: null, npx: false });
  assert.deepEqual([code, calls], [3, []]);
  assert.match(stderr, /^bench: needs Deno \d+\.\d+\.\d+, or Node with npx to fetch it; see https:\S+\n$/);
});

Deno.test("bench runs the project's own tasks by their names", async () => {
  for (const task of ["test", "soak", "ok", "style"]) {
    assert.ok(Object.hasOwn(config.tasks, task));
    assert.deepEqual((await launch([task, "tests/env"])).calls, [`deno task ${task} tests/env`]);
  }
});

Deno.test("deno task test runs every test of tests/, or those of the folders and files named", async () => {
  await withFolder(async (folder) => {
    const { test, soak } = config.tasks;
    await Deno.writeTextFile(
      join(folder, "deno.json"),
      JSON.stringify({ tasks: { test, soak }, test: config.test }),
    );
    for (const name of ["tests/one_test.ts", "tests/deep/two_test.ts", "data/three_test.ts"]) {
      await Deno.mkdir(join(folder, name, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, name), `Deno.test("${name}", () => {});`);
    }
    const ran = async (...args: string[]) => {
      const options = { args: ["task", ...args], cwd: folder, env: { NO_COLOR: "1" } };
      const { stdout } = await new Deno.Command(Deno.execPath(), options).output();
      const lines = new TextDecoder().decode(stdout).matchAll(/^running 1 test from \.\/(\S+)$/gm);
      return [...lines].map(([, name]) => name).sort();
    };
    const all = ["tests/deep/two_test.ts", "tests/one_test.ts"];
    assert.deepEqual(await ran("test"), all);
    assert.deepEqual(await ran("test", "tests/deep"), ["tests/deep/two_test.ts"]);
    assert.deepEqual(await ran("test", "tests/one_test.ts"), ["tests/one_test.ts"]);
    assert.deepEqual(await ran("soak", "tests/deep"), ["tests/deep/two_test.ts"]);
    assert.deepEqual(await ran("soak"), all);
  });
});

const INSTALL = ["apt-get update", "apt-get install -y --no-install-recommends mesa-vulkan-drivers"];

Deno.test("bench installs a Vulkan driver as root where there is none, and says so", async () => {
  const { code, stderr, calls } = await launch(["eval"], { driver: false, uid: 0 });
  assert.deepEqual([code, calls], [0, [...INSTALL, "deno run -A cli.ts eval"]]);
  assert.match(stderr, /^bench: no Vulkan driver found; installing mesa-vulkan-drivers .*BENCH_NO_INSTALL=1/);
});

Deno.test("bench goes on without a driver that it could not install, and says how to", async () => {
  const { code, stderr, calls } = await launch(["eval"], { driver: false, uid: 0, aptGet: 100 });
  assert.deepEqual([code, calls], [0, [INSTALL[0], "deno run -A cli.ts eval"]]);
  assert.match(
    stderr,
    /bench: that failed .*; run by hand: apt-get update && apt-get install -y mesa-vulkan-drivers\n$/,
  );
});

for (
  const { what, machine, said } of [
    {
      what: "without root prints the one command to run",
      machine: { uid: 1000 },
      said: "run once: sudo sh -c 'apt-get update && apt-get install -y mesa-vulkan-drivers'",
    },
    {
      what: "with BENCH_NO_INSTALL=1 prints the command, root or not",
      machine: { uid: 0, env: { BENCH_NO_INSTALL: "1" } },
      said: "BENCH_NO_INSTALL=1 is set; on Debian: apt-get update && apt-get install -y mesa-vulkan-drivers",
    },
    {
      what: "without apt-get names the package",
      machine: { uid: 0, aptGet: null },
      said: "install your distribution's Mesa Vulkan drivers (often 'mesa-vulkan-drivers')",
    },
  ]
) {
  Deno.test(`bench ${what}, installs nothing and goes on`, async () => {
    const { code, stderr, calls } = await launch(["eval"], { driver: false, ...machine });
    assert.deepEqual([code, calls], [0, ["deno run -A cli.ts eval"]]);
    assert.ok(stderr.startsWith("bench: no Vulkan driver found") && stderr.trimEnd().endsWith(said), stderr);
  });
}

Deno.test("bench looks for no driver for help, for the version and where VK_DRIVER_FILES names one", async () => {
  for (const args of [[], ["--help"], ["-h"], ["--version"]]) {
    assert.equal((await launch(args, { driver: false })).stderr, "");
  }
  const { stderr } = await launch(["eval"], { driver: false, env: { VK_DRIVER_FILES: "/opt/icd.json" } });
  assert.equal(stderr, "");
});
