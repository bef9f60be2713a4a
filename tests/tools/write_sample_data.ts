/**
 * Writes data/sample/ again: `deno run -A tests/tools/write_sample_data.ts`, under a minute.
 *
 * Built-in policies play a few tasks of both benchmarks in all their settings by `bench eval`, and `bench export run`
 * makes data sets of that. Efforts are labels here, as policies do not reason. Whatever changes an answer of an
 * environment asks for a new sample: `deno task rescore` and `bench replay data/sample --all` tell. It is drawn on the
 * software device, which every machine has, and its scores are partial.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCli } from "../../cli.ts";
import { type BenchId, SETTINGS } from "../../tasks/tables.ts";

/** Who plays what in a setting. */
type Plays = readonly { models: string; tasks: string }[];

/** Something of every kind, and few enough for a few megabytes: an episode keeps every picture that it was shown. */
const PLAYED: Readonly<Record<BenchId, Readonly<Record<string, Plays>>>> = {
  splat: {
    medium_effort: [
      { models: "builtin:mean,builtin:carve", tasks: "table__sculpt,robot__assemble" },
      { models: "builtin:random", tasks: "table__sculpt" },
    ],
    high_effort: [{ models: "builtin:carve", tasks: "table__sculpt" }],
    max_effort: [{ models: "builtin:carve", tasks: "table__sculpt" }],
    early_submit_refused: [{ models: "builtin:carve", tasks: "table__sculpt" }],
    one_shot: [{ models: "builtin:mean,builtin:carve", tasks: "table__sculpt" }],
  },
  shadow: {
    medium_effort: [
      { models: "builtin:rest,builtin:walk", tasks: "dog,rabbit" },
      { models: "builtin:witness", tasks: "rabbit" },
    ],
    high_effort: [{ models: "builtin:rest,builtin:walk", tasks: "rabbit" }],
    max_effort: [{ models: "builtin:rest,builtin:walk", tasks: "rabbit" }],
  },
};

const folder = await mkdtemp(join(tmpdir(), "sample-"));
// Nothing that this machine has fetched or measured before goes into it.
Deno.env.set("BENCH_CACHE", join(folder, "cache"));
try {
  await play("splat");
  await play("shadow");
  const place = fileURLToPath(new URL("../../data/sample", import.meta.url));
  await rm(place, { recursive: true, force: true });
  await cp(join(folder, "data"), place, { recursive: true });
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function play(bench: BenchId): Promise<void> {
  const runs = join(folder, "runs");
  for (const [setting, { protocol, effort }] of Object.entries(SETTINGS[bench])) {
    for (const { models, tasks } of PLAYED[bench][setting]) {
      await run(
        ...["eval", bench, "--models", models, "--tasks", tasks, "--runs", "1", "--protocol", protocol],
        ...["--effort", effort, "--device", "software", "--out", runs],
      );
    }
  }
  await run("export", "run", join(runs, bench), "--out", join(folder, "data", bench));
}

async function run(...args: string[]): Promise<void> {
  const code = await runCli(args);
  if (code !== 0) throw new Error(`bench ${args.join(" ")} exits ${code}`);
}
