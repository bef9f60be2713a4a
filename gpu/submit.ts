import { GpuError } from "../env/errors.ts";
import { checkRange } from "./buffer.ts";
import type { Guard } from "./guard.ts";
import type { Command, DispatchCommand } from "./kernel.ts";

/** Throws GpuError for what WebGPU would refuse, in words that name the kernel or the buffer. */
export function checkCommand(command: Command, limits: GPUSupportedLimits): void {
  switch (command.type) {
    case "dispatch":
      return checkDispatch(command, limits);
    case "clear":
      return command.buffer.assertUsable(`Cannot clear buffer "${command.buffer.label}"`);
    case "copy": {
      const { from, to, byteLength } = command;
      const what = `Cannot copy buffer "${from.label}" to "${to.label}"`;
      from.assertUsable(what);
      to.assertUsable(what);
      if (from === to) throw new GpuError({ what, why: "they are the same buffer" });
      return checkRange(what, 0, byteLength, Math.min(from.byteLength, to.byteLength));
    }
  }
}

/** Encodes commands in order. Dispatches that follow each other share a pass; each sees what those before it wrote. */
export function encodeCommands(
  device: GPUDevice,
  encoder: GPUCommandEncoder,
  commands: readonly Command[],
): void {
  let pass: GPUComputePassEncoder | undefined;
  for (const command of commands) {
    if (command.type === "dispatch") {
      pass ??= encoder.beginComputePass();
      encodeDispatch(device, pass, command);
      continue;
    }
    pass?.end();
    pass = undefined;
    if (command.type === "clear") encoder.clearBuffer(command.buffer.handle);
    else encoder.copyBufferToBuffer(command.from.handle, 0, command.to.handle, 0, command.byteLength);
  }
  pass?.end();
}

/**
 * Names the kernel that made a submit fail: an error scope tells only that one of them did. Each dispatch is
 * encoded alone, without running it, until one fails.
 */
export async function findFailingKernel(
  guard: Guard,
  commands: readonly Command[],
): Promise<string | undefined> {
  for (const command of commands) {
    if (command.type !== "dispatch") continue;
    const { failure } = guard.scoped("Cannot encode", () => {
      const encoder = guard.device.createCommandEncoder();
      encodeCommands(guard.device, encoder, [command]);
      encoder.finish();
    });
    const failed = await failure.then(() => false, () => true);
    if (failed) return command.kernel.name;
  }
  return undefined;
}

function checkDispatch({ kernel, buffers, groups }: DispatchCommand, limits: GPUSupportedLimits): void {
  const what = `Cannot dispatch kernel "${kernel.name}"`;
  const most = limits.maxComputeWorkgroupsPerDimension;
  if (groups.some((count) => !(Number.isInteger(count) && count >= 0 && count <= most))) {
    throw new GpuError(
      { what, why: `${groups.join(" x ")} workgroups, the device allows 0 to ${most} in each dimension` },
      kernel.name,
    );
  }
  for (const [index, buffer] of buffers.entries()) {
    buffer.assertUsable(what, kernel.name);
    if (buffer.byteLength > limits.maxStorageBufferBindingSize) {
      const bytes =
        `${buffer.byteLength} bytes, the device binds at most ${limits.maxStorageBufferBindingSize}`;
      const why = `buffer "${buffer.label}" of binding "${kernel.bindings[index].name}" has ${bytes}`;
      throw new GpuError({ what, why }, kernel.name);
    }
  }
}

function encodeDispatch(device: GPUDevice, pass: GPUComputePassEncoder, command: DispatchCommand): void {
  const { kernel, buffers, groups } = command;
  const entries = kernel.bindings.map(({ binding }, index) => ({
    binding,
    resource: { buffer: buffers[index].handle },
  }));
  pass.setPipeline(kernel.pipeline);
  pass.setBindGroup(0, device.createBindGroup({ label: kernel.name, layout: kernel.layout, entries }));
  pass.dispatchWorkgroups(...groups);
}
