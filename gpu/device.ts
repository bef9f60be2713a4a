import { tmpdir } from "node:os";
import { GpuError } from "../env/errors.ts";
import { describeAdapter, kindOf, pickAdapter } from "./adapter.ts";
import { GpuBuffer } from "./buffer.ts";
import { gpuError, Guard } from "./guard.ts";
import { type Command, compileKernel, type Kernel, type KernelSource } from "./kernel.ts";
import { cutRanges, encodeReads, planReads, type ReadBack, type ReadPlan } from "./readback.ts";
import { checkCommand, encodeCommands, findFailingKernel } from "./submit.ts";

/**
 * Opens a WebGPU device: `auto`, `gpu`, `software`, or part of an adapter's name.
 *
 * Throws GpuError (exit code 3) when there is none, saying what to install.
 */
export async function openGpu(choice = "auto"): Promise<Gpu> {
  prepareEnvironment();
  const adapter = await pickAdapter(choice, (options) => navigator.gpu.requestAdapter(options));
  const name = describeAdapter(adapter);
  try {
    const device = await adapter.requestDevice({ label: name, requiredLimits: wantedLimits(adapter.limits) });
    const gpu = new Gpu(new Guard(device), name, kindOf(adapter.info));
    // A process that ends while lavapipe compiles or runs a kernel can crash; this runs at its end and at Deno.exit.
    const close = () => gpu.close();
    globalThis.addEventListener("unload", close);
    device.lost.then(() => globalThis.removeEventListener("unload", close));
    return gpu;
  } catch (error) {
    throw gpuError(
      `Cannot open ${name}`,
      error instanceof Error ? error.message : String(error),
      undefined,
      error,
    );
  }
}

/** A graphics device. It belongs to one owner; what it makes lives until destroyed or until `close`. */
export class Gpu {
  #guard: Guard;
  #kernels = new Map<string, Promise<Kernel>>();

  constructor(
    guard: Guard,
    /** The adapter in words. */
    readonly name: string,
    readonly kind: "gpu" | "software",
  ) {
    this.#guard = guard;
  }

  get limits(): GPUSupportedLimits {
    return this.#guard.device.limits;
  }

  /** A zeroed buffer of `byteLength` bytes, rounded up to a multiple of 4. */
  buffer(label: string, byteLength: number): GpuBuffer {
    return new GpuBuffer(this.#guard, label, byteLength);
  }

  /** A buffer that holds `data`, its length rounded up to a multiple of 4. */
  upload(label: string, data: ArrayBufferView): GpuBuffer {
    const buffer = this.buffer(label, data.byteLength);
    buffer.write(data.byteLength % 4 === 0 ? data : padded(data));
    return buffer;
  }

  /** Compiles a kernel, once for each text and set of constants. Throws GpuError with file and line. */
  kernel(source: KernelSource): Promise<Kernel> {
    const key = JSON.stringify(source);
    const compiled = this.#kernels.get(key) ?? compileKernel(this.#guard, source);
    this.#kernels.set(key, compiled);
    return compiled;
  }

  /**
   * Runs `commands` in order as one command buffer and returns the bytes of each of `reads`, taken after the last.
   *
   * With reads it resolves when the work is done (Deno blocks the thread meanwhile), without when it is queued.
   * Rejects with a GpuError that names the kernel or buffer; then nothing of it has run.
   */
  async submit(
    label: string,
    commands: readonly Command[],
    reads: readonly ReadBack[] = [],
  ): Promise<ArrayBuffer[]> {
    const what = `Cannot run "${label}"`;
    this.#guard.assertAlive(what);
    for (const command of commands) checkCommand(command, this.limits);
    const plan = planReads(reads, this.limits);
    const { value: staging, failure } = this.#guard.scoped(what, () => this.#enqueue(label, commands, plan));
    try {
      await this.#settle(failure, commands);
      if (!staging) return plan.ranges.map(() => new ArrayBuffer(0));
      await this.#guard.whileAlive(what, staging.mapAsync(GPUMapMode.READ));
      return cutRanges(staging.getMappedRange(), plan);
    } catch (error) {
      if (error instanceof GpuError) throw error;
      throw gpuError(what, error instanceof Error ? error.message : String(error), undefined, error);
    } finally {
      staging?.destroy();
    }
  }

  /** Waits for queued work, then frees the device and everything on it; pending and later submits reject. */
  close(): void {
    this.#guard.close();
    // Compiled kernels go with their JavaScript objects alone. V8 sees those as small and lets them lie; a block of
    // memory that it counts, and that nobody touches, makes it look.
    new ArrayBuffer(COUNTED_BYTES);
  }

  #enqueue(label: string, commands: readonly Command[], plan: ReadPlan): GPUBuffer | undefined {
    const { device } = this.#guard;
    const encoder = device.createCommandEncoder({ label });
    encodeCommands(device, encoder, commands);
    const staging = plan.byteLength === 0 ? undefined : device.createBuffer({
      label: `readback of ${label}`,
      size: plan.byteLength,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    if (staging) encodeReads(encoder, staging, plan);
    device.queue.submit([encoder.finish()]);
    return staging;
  }

  async #settle(failure: Promise<void>, commands: readonly Command[]): Promise<void> {
    try {
      await failure;
    } catch (error) {
      const kernel = await findFailingKernel(this.#guard, commands);
      if (kernel === undefined || !(error instanceof GpuError)) throw error;
      const { what, why } = error.explanation;
      throw new GpuError({ what: `${what}, kernel "${kernel}"`, why }, kernel, { cause: error });
    }
    await this.#guard.settle();
  }
}

/** Of the order of what a device leaves to the garbage collector: 22 MB of machine code for a renderer on lavapipe. */
const COUNTED_BYTES = 64 * 2 ** 20;

/** Everything the adapter allows of what kernels are limited by; WebGPU's defaults are far below it. */
function wantedLimits(limits: GPUSupportedLimits): Record<string, number> {
  return {
    maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
    maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    maxBufferSize: limits.maxBufferSize,
    maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
    maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
    maxComputeWorkgroupSizeX: limits.maxComputeWorkgroupSizeX,
    maxComputeWorkgroupSizeY: limits.maxComputeWorkgroupSizeY,
    maxComputeWorkgroupSizeZ: limits.maxComputeWorkgroupSizeZ,
  };
}

function padded(data: ArrayBufferView): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return bytes;
}

/**
 * Sets two variables that the native WebGPU layer reads, unless the user has set them or may not let us:
 * the Vulkan driver complains on stderr about a missing XDG_RUNTIME_DIR that computing never needs, and Deno would
 * fall back to OpenGL, an adapter nothing here was checked on, where a machine has no Vulkan driver.
 */
function prepareEnvironment(): void {
  setUnlessSet("DENO_WEBGPU_BACKEND", "vulkan,metal,dx12");
  if (Deno.build.os === "linux") setUnlessSet("XDG_RUNTIME_DIR", tmpdir());
}

function setUnlessSet(variable: string, value: string): void {
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  if (state === "granted" && Deno.env.get(variable) === undefined) Deno.env.set(variable, value);
}
