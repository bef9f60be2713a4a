import assert from "node:assert/strict";
import { GpuError } from "../../env/errors.ts";
import { describeAdapter, pickAdapter } from "../../gpu/adapter.ts";

const CARD = adapter("NVIDIA GeForce RTX 4070", false);
const CHIP = adapter("Intel(R) Graphics", false);
const LAVAPIPE = adapter("llvmpipe (LLVM 15.0.6, 256 bits)", true);

Deno.test("pickAdapter() follows the choice", async () => {
  const machine = answer({ best: CARD, thrifty: CHIP, software: LAVAPIPE });
  for (
    const [choice, expected] of [
      ["auto", CARD],
      ["gpu", CARD],
      ["cuda", CARD],
      ["software", LAVAPIPE],
      ["CPU", LAVAPIPE],
      ["geforce", CARD],
      ["intel", CHIP],
      ["LLVMpipe", LAVAPIPE],
    ] as const
  ) {
    assert.equal(await pickAdapter(choice, machine), expected, choice);
  }
});

Deno.test("pickAdapter() prefers hardware for auto even when the driver answers with software first", async () => {
  assert.equal(await pickAdapter("auto", answer({ best: LAVAPIPE, thrifty: CHIP, software: null })), CHIP);
  assert.equal(
    await pickAdapter("auto", answer({ best: null, thrifty: null, software: LAVAPIPE })),
    LAVAPIPE,
  );
});

Deno.test("pickAdapter() names what there is when nothing matches", async () => {
  const machine = answer({ best: LAVAPIPE, thrifty: LAVAPIPE, software: LAVAPIPE });
  for (const choice of ["gpu", "radeon"]) {
    const error = await rejection(() => pickAdapter(choice, machine));
    assert.equal(error.exitCode, 3);
    assert.match(
      error.message,
      new RegExp(`"${choice}": no adapter matches; there is llvmpipe [^;]*, software\\. `),
    );
  }
});

Deno.test("pickAdapter() says what to install when there is no adapter", async () => {
  const error = await rejection(() =>
    pickAdapter("auto", answer({ best: null, thrifty: null, software: null }))
  );
  assert.equal(error.exitCode, 3);
  assert.match(error.message, /no WebGPU adapter\. .*apt-get install mesa-vulkan-drivers.*macOS.*Windows/);
});

Deno.test("describeAdapter() falls back on the words an adapter has", () => {
  assert.equal(describeAdapter(CARD), "NVIDIA GeForce RTX 4070, gpu");
  assert.equal(describeAdapter(adapter("", false)), "unnamed adapter, gpu");
});

Deno.test("openGpu() ends with exit code 3 on a machine whose Vulkan has no driver", async () => {
  const { code, text } = await run(
    `const { openGpu } = await import(${DEVICE});
    try { await openGpu(); } catch (error) { console.log(error.name, error.message); Deno.exit(error.exitCode); }`,
    { VK_ICD_FILENAMES: "/nowhere.json", VK_DRIVER_FILES: "/nowhere.json", DENO_WEBGPU_BACKEND: "vulkan" },
  );
  assert.equal(code, 3, text);
  assert.match(text, /^GpuError Cannot open a graphics device for "auto": there is no WebGPU adapter/m);
});

Deno.test("openGpu() takes no OpenGL adapter where Vulkan has no driver", async () => {
  const { text } = await run(
    `const { openGpu } = await import(${DEVICE});
    try { console.log("opened", (await openGpu()).name); } catch (error) { console.log(error.name); }`,
    { VK_ICD_FILENAMES: "/nowhere.json", VK_DRIVER_FILES: "/nowhere.json" },
  );
  if (Deno.build.os === "linux") assert.match(text, /^GpuError$/m);
});

Deno.test("openGpu() keeps the driver's complaint about XDG_RUNTIME_DIR off the user's screen", async () => {
  const { code, text } = await run(
    `const { openGpu } = await import(${DEVICE}); (await openGpu("software")).close(); console.log("opened");`,
    {},
  );
  assert.equal(code, 0, text);
  assert.match(text, /^opened$/m);
  assert.doesNotMatch(text, /XDG_RUNTIME_DIR/);
});

const DEVICE = JSON.stringify(new URL("../../gpu/device.ts", import.meta.url).href);

/** Runs code in a Deno of its own, without the variables that decide which drivers are found. */
async function run(code: string, env: Record<string, string>): Promise<{ code: number; text: string }> {
  const kept = ["PATH", "HOME", "DENO_DIR", "LD_LIBRARY_PATH"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["eval", code],
    clearEnv: true,
    env: { ...Object.fromEntries(kept), NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code: output.code, text: decoder.decode(output.stdout) + decoder.decode(output.stderr) };
}

async function rejection(run: () => Promise<unknown>): Promise<GpuError> {
  const error = await run().then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof GpuError);
  return error;
}

function adapter(description: string, isFallbackAdapter: boolean): GPUAdapter {
  const info = { description, isFallbackAdapter, device: "", vendor: "", architecture: "" };
  return { info } as GPUAdapter;
}

function answer(
  machine: { best: GPUAdapter | null; thrifty: GPUAdapter | null; software: GPUAdapter | null },
) {
  return ({ powerPreference, forceFallbackAdapter }: GPURequestAdapterOptions) => {
    if (forceFallbackAdapter) return Promise.resolve(machine.software);
    return Promise.resolve(powerPreference === "low-power" ? machine.thrifty : machine.best);
  };
}
