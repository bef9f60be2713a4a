/**
 * Prints how far each convention of rendering and measuring moves a score, as the Markdown table of docs/fidelity.md:
 * `deno run -A tests/tools/profile_sensitivity.ts`. Means over the embedded build tasks, partial scores.
 */
import type { Metrics } from "../../env/records.ts";
import { printLine } from "../../eval/terminal.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { DEFAULT_RENDER_PROFILE, type RenderProfile } from "../../splat/render/profile.ts";
import { DEFAULT_METRICS, type MetricProfile, SSIM_FLAVOURS } from "../../splat/score/metric_profile.ts";
import { splatScore } from "../../splat/score/splat_score.ts";

const RENDER_CHANGES: readonly Partial<RenderProfile>[] = [
  ...[0, 0.1, 0.5, 1].map((dilation) => ({ dilation })),
  { compensation: "sqrt-det" },
  { alphaMax: 0.999 },
  { alphaMax: 1 },
  { alphaMin: 1 / 255 },
  { tStop: 1e-4 },
  { tStop: 1e-4, tStopDrops: false },
  { extent: "sigma3-circle" },
  { extent: "sigma3.33-rect-opacity" },
  { extent: "opacity-ellipse" },
  { pixelCenter: 0 },
  { sort: "distance" },
  { jacobianClamp: "none" },
  { jacobianClamp: "asym0.3" },
  { near: 0.2 },
  { far: 100 },
  { normalizeQuat: false },
  { minScale: 1e-3 },
  { minScale: 1e-2 },
  { output: "round8" },
  { output: "trunc8" },
  { colorClamp: false },
  { detFloor: "skip" },
];

/** Each makes empty scene, fit and score anew. */
const METRIC_CHANGES: readonly { name: string; metrics: MetricProfile }[] = [
  { name: "PSNR pooled over views", metrics: { ...DEFAULT_METRICS, psnr: { mode: "pooled", cap: 100 } } },
  ...Object.entries(SSIM_FLAVOURS).filter(([, ssim]) => ssim !== DEFAULT_METRICS.ssim)
    .map(([name, ssim]) => ({ name: `SSIM as ${name}`, metrics: { ...DEFAULT_METRICS, ssim } })),
];

interface Measured {
  empty: Metrics;
  small: Metrics;
  fit: Metrics;
}

/** The empty scene and both fits of every task under a profile. */
async function measure(render: RenderProfile, metrics: MetricProfile): Promise<Measured[]> {
  const environment = splatEnvironment({ renderProfile: render, metricProfile: metrics });
  try {
    const { empty, fit_64, fit_300 } = environment.baselines;
    const tasks = await environment.findTasks(["*__sculpt"]);
    return await Promise.all(tasks.map(async (task) => {
      const states = await Promise.all([empty(task), fit_64(task), fit_300(task)]);
      const [none, small, fit] = (await environment.scoreStates(task, states)).map(({ metrics }) => metrics);
      return { empty: none, small, fit };
    }));
  } finally {
    environment.close();
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const signed = (value: number, digits: number) => {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
};

const before = await measure(DEFAULT_RENDER_PROFILE, DEFAULT_METRICS);

function line(name: string, after: readonly Measured[], sameMetrics: boolean): void {
  const change = (metric: string) => mean(after.map(({ fit }, at) => fit[metric] - before[at].fit[metric]));
  // Another measure has its own 100: only what lies between the fixed points can move.
  const fit = sameMetrics
    ? signed(mean(after.map(({ fit }, at) => splatScore("partial", fit, before[at]) - 100)), 2)
    : "–";
  const small = mean(
    after.map((now, at) =>
      splatScore("partial", now.small, now) - splatScore("partial", before[at].small, before[at])
    ),
  );
  printLine(
    `| ${name} | ${signed(change("psnr"), 3)} | ${signed(change("ssim"), 4)} | ${fit} | ${
      signed(small, 2)
    } |`,
  );
}

printLine("| change | PSNR, dB | SSIM | fit 300, points | fit 64, points |");
printLine("| --- | ---: | ---: | ---: | ---: |");
for (const change of RENDER_CHANGES) {
  const name = Object.entries(change).map(([knob, value]) =>
    `\`${knob}\` ${typeof value === "number" ? Number(value.toPrecision(3)) : value}`
  ).join(", ");
  line(name, await measure({ ...DEFAULT_RENDER_PROFILE, ...change }, DEFAULT_METRICS), true);
}
for (const { name, metrics } of METRIC_CHANGES) {
  line(name, await measure(DEFAULT_RENDER_PROFILE, metrics), false);
}
