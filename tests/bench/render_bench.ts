/** How fast the forward renderer is: ratios measured in one run, beside what the machine could do at best. */
import { elapsedMs } from "../../env/clock.ts";
import type { Gpu } from "../../gpu/device.ts";
import { clear, type Command } from "../../gpu/kernel.ts";
import { RENDER_PROFILES } from "../../splat/render/profile.ts";
import { CULLING, type Culling } from "../../splat/render/render_kernels.ts";
import { Canvas } from "../../splat/render/canvas.ts";
import { type Drawing, RenderPass } from "../../splat/render/render_pass.ts";
import { referenceRender } from "../reference/render.ts";
import { fittedScene, orbitCameras } from "../splat/render/random_scenes.ts";
import type { BenchRow } from "./bench_row.ts";
import { leastMs } from "./least_ms.ts";

const [VIEWS, COUNT, SIZE] = [8, 300, 256];
/** Forward of 8 views of 300 Gaussians at 256², against no culling and against the float64 reference. */
export async function renderBench(gpu: Gpu): Promise<BenchRow[]> {
  const culled = await drawing(gpu, CULLING);
  const whole = await drawing(gpu, { alphaBudget: 0, lightBudget: 0 });
  const culledMs = await deviceMs(gpu, culled.commands, 5);
  const wholeMs = await deviceMs(gpu, whole.commands, 1);
  const wallMs = await leastMs(() => gpu.submit("forward", culled.commands, [firstPixel(culled)]));
  const ceiling = await multiplyAddsPerMs(gpu);
  for (const { destroy } of [culled, whole]) destroy();
  const referenceMs = measureReference();

  const evaluations = VIEWS * COUNT * SIZE * SIZE;
  const perEvaluation = ceiling * wholeMs / evaluations;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return [
    {
      name: "forward, 8 views × 300 Gaussians at 256², against the same kernels without culling",
      ratio: wholeMs / culledMs,
      wanted: 4,
      detail: `${ms(culledMs)} and ${ms(wholeMs)} on the device; without culling ${
        (evaluations / wholeMs / 1e6).toFixed(2)
      } G evaluations/s, each the time of ${perEvaluation.toFixed(0)} multiply-adds of this device's ${
        (ceiling / 1e6).toFixed(0)
      } G/s`,
    },
    {
      name: "forward, 8 views × 300 Gaussians at 256², against the float64 reference",
      ratio: referenceMs / wallMs,
      wanted: 20,
      detail: `${ms(wallMs)} with submit and readback, ${ms(referenceMs)} on one CPU core`,
    },
  ];
}

async function drawing(gpu: Gpu, culling: Culling): Promise<Drawing> {
  const pass = await RenderPass.create(gpu, RENDER_PROFILES.torch, culling);
  const canvas = new Canvas(gpu, SIZE, SIZE, VIEWS);
  const plain = pass.draw({
    scenes: [fittedScene(1, COUNT)],
    views: orbitCameras(VIEWS, SIZE, SIZE).map((camera) => ({ scene: 0, camera })),
  }, canvas);
  // Every tile is written every time, as on a new canvas.
  const drawing = { ...plain, commands: [clear(canvas.states), ...plain.commands] };
  // Drivers compile on first use.
  await gpu.submit("warm up", drawing.commands, [firstPixel(drawing)]);
  return drawing;
}

/** Time of the commands alone: several times in one submit, less an empty submit, which costs a wait of its own. */
async function deviceMs(gpu: Gpu, commands: readonly Command[], times: number): Promise<number> {
  const probe = gpu.buffer("probe", 4);
  const repeated = Array.from({ length: times }, () => commands).flat();
  const empty = await leastMs(() => gpu.submit("empty", [], [probe]));
  const full = await leastMs(() => gpu.submit("forward", repeated, [probe]));
  probe.destroy();
  return (full - empty) / times;
}

/** One view of the reference, times the number of views. */
function measureReference(): number {
  const [camera] = orbitCameras(VIEWS, SIZE, SIZE);
  const start = elapsedMs();
  referenceRender(fittedScene(1, COUNT), camera, RENDER_PROFILES.torch);
  return VIEWS * (elapsedMs() - start);
}

/** What the arithmetic units do when nothing else is in their way: a chain of independent multiply-adds. */
async function multiplyAddsPerMs(gpu: Gpu): Promise<number> {
  const [groups, rounds] = [1024, 256];
  const kernel = await gpu.kernel({
    name: "tests/bench/multiply_add",
    file: "tests/bench/multiply_add.wgsl",
    code: MULTIPLY_ADD,
    constants: { rounds },
  });
  const output = gpu.buffer("multiply-adds", groups * 64 * 16);
  const commands = [kernel.dispatch({ output }, [groups])];
  await gpu.submit("warm up", commands, [output]);
  const time = await deviceMs(gpu, commands, 4);
  output.destroy();
  return groups * 64 * rounds * 32 * 4 / time;
}

/** 32 vec4 multiply-adds a round, in eight chains. */
const MULTIPLY_ADD = `
override rounds: u32;
@group(0) @binding(0) var<storage, read_write> output: array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = vec4f(f32(id.x) * 1e-9);
  let m = x + 0.5;
  ${Array.from({ length: 8 }, (_, k) => `var a${k} = x + ${k}.0;`).join("\n  ")}
  for (var i = 0u; i < rounds; i++) {
    ${Array.from({ length: 32 }, (_, k) => `a${k % 8} = a${k % 8} * m + x;`).join("\n    ")}
  }
  output[id.x] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;
}`;

function firstPixel({ canvas: { rendered } }: Drawing) {
  return { buffer: rendered, byteOffset: 0, byteLength: 16 };
}
