import { GpuError } from "../env/errors.ts";
import type { GpuBuffer } from "./buffer.ts";
import { explainCompileMessage } from "./compile_message.ts";
import { gpuError, type Guard } from "./guard.ts";
import { assembleShader, type Binding, parseBindings, type Shader, type ShaderPiece } from "./shader.ts";
import type { StructText } from "./struct_layout.ts";

/** A compute kernel as text: one entry point `main`. */
export interface KernelSource {
  /** "splat/render/project": what errors call it. */
  readonly name: string;
  /** "splat/render/project.wgsl": what compile errors point at. */
  readonly file: string;
  readonly code: string;
  /** Functions the kernel uses, put before it in order. */
  readonly libraries?: readonly ShaderPiece[];
  /** Structs whose declarations come first. */
  readonly structs?: readonly StructText[];
  /** Values of the kernel's `override` declarations. */
  readonly constants?: Readonly<Record<string, number>>;
}

/** One step of a submit. */
export type Command = DispatchCommand | ClearCommand | CopyCommand;

/** Runs a kernel over `groups` workgroups. */
export interface DispatchCommand {
  readonly type: "dispatch";
  readonly kernel: Kernel;
  /** One buffer for each of the kernel's bindings, in their order. */
  readonly buffers: readonly GpuBuffer[];
  readonly groups: readonly [number, number, number];
}

interface ClearCommand {
  readonly type: "clear";
  readonly buffer: GpuBuffer;
}

interface CopyCommand {
  readonly type: "copy";
  readonly from: GpuBuffer;
  readonly to: GpuBuffer;
  readonly byteLength: number;
}

/** Fills a buffer with zeros. */
export function clear(buffer: GpuBuffer): Command {
  return { type: "clear", buffer };
}

/** Copies the first `byteLength` bytes (a multiple of 4) of one buffer over those of another. */
export function copy(from: GpuBuffer, to: GpuBuffer, byteLength: number): Command {
  return { type: "copy", from, to, byteLength };
}

/** A compiled kernel with an explicit bind-group layout. */
export class Kernel {
  constructor(
    readonly name: string,
    readonly bindings: readonly Binding[],
    readonly pipeline: GPUComputePipeline,
    readonly layout: GPUBindGroupLayout,
  ) {}

  /**
   * The command that runs this kernel over `groups` workgroups, its buffers given by the names of the WGSL variables.
   * Throws GpuError when a buffer is missing, unknown, or bound twice while one of the two writes.
   */
  dispatch(
    buffers: Readonly<Record<string, GpuBuffer>>,
    groups: readonly [number, number?, number?],
  ): Command {
    const what = `Cannot dispatch kernel "${this.name}"`;
    const names = this.bindings.map((binding) => binding.name);
    const unknown = Object.keys(buffers).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw new GpuError(
        { what, why: `it has no binding "${unknown}", only ${names.join(", ")}` },
        this.name,
      );
    }
    const bound = this.bindings.map(({ name }) => {
      const buffer = Object.hasOwn(buffers, name) ? buffers[name] : undefined;
      if (!buffer) throw new GpuError({ what, why: `no buffer for its binding "${name}"` }, this.name);
      return buffer;
    });
    this.#refuseAliases(what, bound);
    return {
      type: "dispatch",
      kernel: this,
      buffers: bound,
      groups: [groups[0], groups[1] ?? 1, groups[2] ?? 1],
    };
  }

  /** A kernel may not write a buffer that it also sees under another name. */
  #refuseAliases(what: string, bound: readonly GpuBuffer[]): void {
    for (const [index, { name, access }] of this.bindings.entries()) {
      const other = bound.findIndex((buffer, i) => i !== index && buffer === bound[index]);
      if (access === "read_write" && other !== -1) {
        const why = `buffer "${bound[index].label}" is bound to both "${name}" and "${
          this.bindings[other].name
        }"`;
        throw new GpuError({ what, why }, this.name);
      }
    }
  }
}

/** Compiles a kernel. Throws GpuError with the kernel's name and, for errors in the text, the file and line. */
export async function compileKernel(guard: Guard, source: KernelSource): Promise<Kernel> {
  const { name, constants } = source;
  const what = `Cannot compile kernel "${name}"`;
  guard.assertAlive(what);
  const { device } = guard;
  const bindings = parseBindings(source);
  const shader = assembleShader(source.structs ?? [], source.libraries ?? [], source);
  const made = guard.scoped(what, () => {
    const module = device.createShaderModule({ label: name, code: shader.code });
    const layout = device.createBindGroupLayout({ label: name, entries: bindings.map(layoutEntry) });
    return { module, layout, pipelineLayout: device.createPipelineLayout({ bindGroupLayouts: [layout] }) };
  }, name);
  made.failure.catch(() => {});
  const { module, layout, pipelineLayout } = made.value;
  await raiseCompileError(what, name, module, shader);
  await made.failure;
  const compute = { module, entryPoint: "main", constants: { ...constants } };
  try {
    const pending = device.createComputePipelineAsync({ label: name, layout: pipelineLayout, compute });
    return new Kernel(name, bindings, await guard.whileAlive(what, pending), layout);
  } catch (error) {
    if (error instanceof GpuError) throw error;
    throw gpuError(what, error instanceof Error ? error.message : String(error), name, error);
  }
}

async function raiseCompileError(
  what: string,
  name: string,
  module: GPUShaderModule,
  shader: Shader,
): Promise<void> {
  const { messages } = await module.getCompilationInfo();
  const error = messages.find((message) => message.type === "error");
  if (!error) return;
  const { line, column, sentence } = explainCompileMessage(error);
  if (line === 0) throw new GpuError({ what, why: sentence }, name);
  const place = shader.locate(line);
  throw new GpuError({ what, why: `${place.file}:${place.line}:${column}: ${sentence}` }, name);
}

function layoutEntry({ binding, access }: Binding): GPUBindGroupLayoutEntry {
  return {
    binding,
    visibility: GPUShaderStage.COMPUTE,
    buffer: { type: access === "read" ? "read-only-storage" : "storage" },
  };
}
