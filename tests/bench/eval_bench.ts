/** Throughput of whole episodes: what sharing submits and overlapping pictures with renders is worth. */
import { splatEnvironment } from "../../splat/environment.ts";
import { policyPlayer } from "../../eval/models/policy_model.ts";
import { runEval } from "../../eval/run_eval.ts";
import type { BenchRow } from "./bench_row.ts";

const EPISODES = 16;

/** Sixteen scripted episodes at once against the same sixteen one after the other. */
export async function evalBench(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const policy of ["mean", "random"]) {
    const environment = splatEnvironment();
    try {
      // The first run compiles kernels and uploads photos.
      await play(environment, policy, EPISODES);
      const together = await fastest(() => play(environment, policy, EPISODES));
      const alone = await fastest(() => play(environment, policy, 1));
      rows.push({
        name: `builtin:${policy}: ${EPISODES} episodes at once against one at a time`,
        ratio: alone / together,
        wanted: policy === "random" ? 4 : null,
        detail: `${rate(together)} against ${rate(alone)} episodes a second`,
      });
    } finally {
      environment.close();
    }
  }
  return rows;
}

async function play(
  environment: ReturnType<typeof splatEnvironment>,
  policy: string,
  concurrency: number,
): Promise<number> {
  const tasks = await environment.findTasks([
    "table__sculpt",
    "tree__sculpt",
    "robot__sculpt",
    "rocket__sculpt",
  ]);
  const out = await Deno.makeTempDir();
  const start = performance.now();
  await runEval({
    environment,
    players: [policyPlayer(environment, policy)],
    tasks,
    protocol: "standard",
    effort: "medium",
    runs: EPISODES / tasks.length,
    concurrency,
    out,
    retryErrors: false,
    stop: new AbortController().signal,
    progress: { note() {}, begin() {}, finished() {}, end() {} },
  });
  const ms = performance.now() - start;
  await Deno.remove(out, { recursive: true });
  return ms;
}

async function fastest(run: () => Promise<number>): Promise<number> {
  return Math.min(await run(), await run(), await run());
}

const rate = (ms: number): string => (EPISODES * 1000 / ms).toFixed(1);
