/** `deno task bench`: speed as ratios within one run, beside what is asked for. Prints; never fails. */
import { openGpu } from "../../gpu/device.ts";
import { analysisBench } from "./analysis_bench.ts";
import type { BenchRow } from "./bench_row.ts";
import { collisionBench } from "./collision_bench.ts";
import { evalBench } from "./eval_bench.ts";
import { fitBench } from "./fit_bench.ts";
import { lpipsBench } from "./lpips_bench.ts";
import { metricBench } from "./metric_bench.ts";
import { pngBench } from "./png_bench.ts";
import { renderBench } from "./render_bench.ts";
import { shadowBench } from "./shadow_bench.ts";

const gpu = await openGpu(Deno.args[0] ?? "auto");
// deno-lint-ignore no-console
console.log(`${gpu.name}; ratios, larger is better\n`);
const parts: (() => Promise<BenchRow[]>)[] = [
  () => renderBench(gpu),
  () => metricBench(gpu),
  () => fitBench(gpu),
  () => lpipsBench(gpu),
  collisionBench,
  () => shadowBench(gpu),
  pngBench,
  evalBench,
  analysisBench,
];
for (const part of parts) {
  for (const { name, ratio, wanted, detail } of await part()) {
    const verdict = wanted === null
      ? ""
      : ratio >= wanted
      ? `  (asked: ${wanted}×)`
      : `  (asked: ${wanted}×, MISSED)`;
    // deno-lint-ignore no-console
    console.log(`${ratio.toFixed(1).padStart(8)}×  ${name}${verdict}\n           ${detail}`);
  }
}
gpu.close();
