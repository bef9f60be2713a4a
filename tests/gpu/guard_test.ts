import assert from "node:assert/strict";
import { GpuError } from "../../env/errors.ts";
import { Gpu, openGpu } from "../../gpu/device.ts";
import { Guard } from "../../gpu/guard.ts";

const KERNEL = { name: "test/empty", file: "empty.wgsl", code: "@compute @workgroup_size(1) fn main() {}" };

Deno.test("a lost device rejects the pending submit and everything after it", async () => {
  const { gpu, device } = await open();
  const buffer = gpu.buffer("b", 16);
  await gpu.submit("fine", [], [buffer]);
  const pending = rejection(() => gpu.submit("pending", [], [buffer]));
  device.destroy();
  assert.match((await pending).message, /^Cannot run "pending": /);
  await device.lost;
  const later = await rejection(() => gpu.submit("later", [], [buffer]));
  assert.match(
    later.message,
    /^Cannot run "later": the graphics device is lost \(.+\)\. Open it again with openGpu$/,
  );
  assert.equal(later.exitCode, 3);
  assert.throws(() => gpu.buffer("more", 4), /Cannot make buffer "more": the graphics device is lost/);
  assert.throws(
    () => buffer.write(new Uint32Array(1)),
    /Cannot write buffer "b": the graphics device is lost/,
  );
  assert.match(
    (await rejection(() => gpu.kernel(KERNEL))).message,
    /test\/empty": the graphics device is lost/,
  );
});

Deno.test("whileAlive() rejects work that a lost device never finishes", async () => {
  const { guard, device } = await open();
  const stuck = rejection(() => guard.whileAlive("Cannot wait", new Promise(() => {})));
  device.destroy();
  assert.match((await stuck).message, /^Cannot wait: the graphics device is lost/);
});

Deno.test("close() ends a device whose readback buffers still rest", async () => {
  const gpu = await openGpu("software");
  const buffer = gpu.buffer("b", 16);
  for (let i = 0; i < 5; i++) await gpu.submit("read", [], [buffer]);
  const pending = rejection(() => gpu.submit("pending", [], [buffer]));
  gpu.close();
  gpu.close();
  assert.match((await pending).message, /lost \(closed\)/);
  assert.match((await rejection(() => gpu.submit("later", []))).message, /lost \(closed\)/);
  // An unheard rejection of a resting buffer would fail this test run.
  await new Promise((resolve) => setTimeout(resolve, 30));
});

Deno.test("submit() reports what a call that could not wait has done wrong", async () => {
  const { gpu, guard, device } = await open();
  const size = device.limits.maxBufferSize + 1;
  guard.deferred("Cannot make it", () => device.createBuffer({ size, usage: GPUBufferUsage.STORAGE }));
  assert.match(
    (await rejection(() => gpu.submit("next", []))).message,
    /^Cannot make it: .*maximum buffer size/,
  );
  await gpu.submit("after", []);
  gpu.close();
});

Deno.test("submit() reports an error that no scope has caught", async () => {
  const { gpu, device } = await open();
  device.createBuffer({ size: device.limits.maxBufferSize + 1, usage: GPUBufferUsage.STORAGE });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.match((await rejection(() => gpu.submit("next", []))).message, /maximum buffer size/);
  await gpu.submit("after", []);
  gpu.close();
});

Deno.test("scoped() turns a call that throws into a GpuError and leaves no scope open", async () => {
  const { gpu, guard, device } = await open();
  const thrown = () =>
    guard.scoped("Cannot do it", () => {
      throw new TypeError("wrong argument");
    }, "test/k");
  assert.throws(thrown, (error) => error instanceof GpuError && error.kernel === "test/k");
  // With a scope left open this error would never reach the event.
  device.createBuffer({ size: device.limits.maxBufferSize + 1, usage: GPUBufferUsage.STORAGE });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await rejection(() => gpu.submit("next", []));
  gpu.close();
});

/** A device of its own, to destroy from outside. */
async function open(): Promise<{ gpu: Gpu; guard: Guard; device: GPUDevice }> {
  const adapter = await navigator.gpu.requestAdapter({ forceFallbackAdapter: true });
  assert.ok(adapter);
  const device = await adapter.requestDevice();
  const guard = new Guard(device);
  return { gpu: new Gpu(guard, "test", "software"), guard, device };
}

async function rejection(run: () => Promise<unknown>): Promise<GpuError> {
  const error = await run().then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof GpuError, `${error}`);
  return error;
}
