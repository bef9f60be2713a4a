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
