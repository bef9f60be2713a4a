/** Throughput of whole episodes: what sharing submits is worth, beside what this machine's cores allow. */
import { cpus } from "node:os";
import process from "node:process";
import { stream } from "../../env/random.ts";
import { policyPlayer } from "../../eval/models/policy_model.ts";
import { runEval } from "../../eval/run_eval.ts";
import { type SplatEnvironment, splatEnvironment } from "../../splat/environment.ts";
import type { BenchRow } from "./bench_row.ts";

const EPISODES = 16;
const TASKS = ["table__sculpt", "tree__sculpt", "robot__sculpt", "rocket__sculpt"];
const EDITS = 5;

interface Cost {
  wallMs: number;
  cpuMs: number;
}

/** Sixteen episodes at once against the same sixteen one after the other, played and with a reward at every call. */
export async function evalBench(): Promise<BenchRow[]> {
  return [
    await compare(`bench eval, builtin:random: ${EPISODES} episodes at once against one at a time`, play),
    await compare(
      `scored edits, each reward awaited: ${EPISODES} episodes at once against one at a time`,
      train,
    ),
  ];
}

async function compare(
  name: string,
  run: (environment: SplatEnvironment, concurrency: number) => Promise<unknown>,
): Promise<BenchRow> {
  const together = await least(run, EPISODES);
  const alone = await least(run, 1);
  // All work of the sixteen, spread over all cores without a gap, takes this long at best.
  const limit = alone.wallMs / (together.cpuMs / cpus().length);
  const rate = ({ wallMs }: Cost) => (EPISODES * 1000 / wallMs).toFixed(1);
  return {
    name,
    ratio: alone.wallMs / together.wallMs,
    wanted: 4,
    detail:
      `${rate(together)} and ${
        rate(alone)
      } episodes a second; ${cpus().length} cores that never wait could ` +
      `reach ${limit.toFixed(1)}×`,
  };
}

/** Least of three, each in an environment of its own: scores are cached by content within one. */
async function least(
  run: (environment: SplatEnvironment, concurrency: number) => Promise<unknown>,
  concurrency: number,
): Promise<Cost> {
  const costs: Cost[] = [];
  for (let repetition = 0; repetition < 3; repetition++) {
    const environment = splatEnvironment();
    try {
      // Kernels are compiled, photos decoded and uploaded, empty scenes scored.
      for (const task of await environment.findTasks(TASKS)) await environment.scoreStates(task, [[]]);
      const cpu = process.cpuUsage();
      const start = performance.now();
      await run(environment, concurrency);
      const { user, system } = process.cpuUsage(cpu);
      costs.push({ wallMs: performance.now() - start, cpuMs: (user + system) / 1000 });
    } finally {
      environment.close();
    }
  }
  return costs.reduce((a, b) => a.wallMs < b.wallMs ? a : b);
}

/** `bench eval` with a scripted policy, everything logged to disk. */
async function play(environment: SplatEnvironment, concurrency: number): Promise<void> {
  const out = await Deno.makeTempDir();
  await runEval({
    environment,
    players: [policyPlayer(environment, "random")],
    tasks: await environment.findTasks(TASKS),
    protocol: "standard",
    effort: "medium",
    runs: EPISODES / TASKS.length,
    concurrency,
    out,
    retryErrors: false,
    stop: new AbortController().signal,
    progress: { note() {}, begin() {}, finished() {}, end() {} },
  });
  await Deno.remove(out, { recursive: true });
}

/** As a trainer with a dense reward plays: no call before the score of the last one is known. */
async function train(environment: SplatEnvironment, concurrency: number): Promise<void> {
  const tasks = await environment.findTasks(TASKS);
  let next = 0;
  const player = async () => {
    for (let index = next++; index < EPISODES; index = next++) {
      const task = tasks[index % tasks.length];
      const episode = await environment.open(task, { id: `${index}`, protocol: "standard" });
      const draw = stream(0, "bench", index);
      for (let edit = 0; edit < EDITS; edit++) {
        const pos = [0, 1, 2].map(() => draw.range(-0.6, 0.6));
        await episode.call("add_gaussians", { gaussians: [{ pos, scale: 0.1, color: "#805e31" }] });
        await episode.steps();
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, player));
}
