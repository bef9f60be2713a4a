import assert from "node:assert/strict";
import { openGpu } from "../../gpu/device.ts";

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

Deno.test("openGpu() closes the device at the end of the program, also at Deno.exit", async () => {
  const { code, text } = await run(
    `const { openGpu } = await import(${DEVICE});
    const gpu = await openGpu("software");
    addEventListener("unload", () => {
      try { gpu.buffer("late", 4); console.log("still open"); } catch (error) { console.log(error.message); }
    });
    Deno.exit(0);`,
    {},
  );
  assert.equal(code, 0, text);
  assert.match(text, /the graphics device is lost \(closed\)/);
});

Deno.test("openGpu() leaves nothing behind that would keep a closed device in memory", async () => {
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = globalThis;
  globalThis.addEventListener = (_: string, listener: unknown) => void listeners.add(listener);
  globalThis.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener);
  try {
    const gpu = await openGpu("software");
    assert.equal(listeners.size, 1);
    gpu.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(listeners.size, 0);
  } finally {
    Object.assign(globalThis, { addEventListener, removeEventListener });
  }
});

Deno.test("Gpu.close() frees the buffers that nobody destroyed, each once", async () => {
  const freed: string[] = [];
  const { destroy } = GPUBuffer.prototype;
  GPUBuffer.prototype.destroy = function () {
    freed.push(this.label);
    destroy.call(this);
  };
  try {
    const gpu = await openGpu("software");
    gpu.buffer("kept", 12);
    gpu.buffer("freed before", 8).destroy();
    gpu.close();
    gpu.close();
    assert.deepEqual(freed, ["freed before", "kept"]);
  } finally {
    GPUBuffer.prototype.destroy = destroy;
  }
});

Deno.test("Gpu.close() has the garbage collector take what the device compiled", async () => {
  const source = { name: "nothing", file: "nothing.wgsl", code: "@compute @workgroup_size(1) fn main() {}" };
  const kernels: WeakRef<object>[] = [];
  for (let device = 0; device < 16; device++) {
    const gpu = await openGpu("software");
    kernels.push(new WeakRef(await gpu.kernel(source)));
    gpu.close();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // One or two may have been in use when it last looked; left to itself it has not looked at all by now.
  const alive = kernels.filter((kernel) => kernel.deref() !== undefined).length;
  assert.ok(alive <= 10, `${alive} of 16 are still there`);
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
