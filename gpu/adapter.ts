import { GpuError } from "../env/errors.ts";

/** Asks for an adapter; `navigator.gpu.requestAdapter` or a stand-in. */
export type RequestAdapter = (options: GPURequestAdapterOptions) => Promise<GPUAdapter | null>;

/**
 * The adapter a user's choice means: `auto` (the best there is), `gpu` (alias `cuda`), `software` (alias `cpu`),
 * or part of an adapter's name.
 *
 * Throws GpuError (exit code 3) that says what there is, or what to install when there is nothing.
 */
export async function pickAdapter(choice: string, request: RequestAdapter): Promise<GPUAdapter> {
  const adapters = await listAdapters(request);
  if (adapters.length === 0) {
    throw new GpuError({
      what: `Cannot open a graphics device for "${choice}"`,
      why: "there is no WebGPU adapter",
      fix: INSTALL,
    });
  }
  const wanted = ALIASES.get(choice.toLowerCase()) ?? choice.toLowerCase();
  const found = adapters.find((adapter) => matches(adapter, wanted));
  if (found) return found;
  throw new GpuError({
    what: `Cannot open a graphics device for "${choice}"`,
    why: `no adapter matches; there is ${[...new Set(adapters.map(describeAdapter))].join("; ")}`,
    fix: wanted === "software"
      ? INSTALL
      : "Choose auto, software or part of a name, or install the card's driver",
  });
}

/** An adapter in words. */
export function describeAdapter({ info }: GPUAdapter): string {
  const words = [info.description, info.device, info.architecture, info.vendor].find((word) => word !== "");
  return `${words ?? "unnamed adapter"}, ${kindOf(info)}`;
}

/** Whether an adapter is hardware or computes on the CPU. */
export function kindOf(info: GPUAdapterInfo): "gpu" | "software" {
  return info.isFallbackAdapter ? "software" : "gpu";
}

const ALIASES = new Map([["cuda", "gpu"], ["cpu", "software"]]);

const INSTALL =
  "On Debian and Ubuntu run `apt-get install mesa-vulkan-drivers`, on Fedora `dnf install mesa-vulkan-drivers`; macOS (Metal) and Windows (Direct3D 12) bring a driver, so update the system there";

/** WebGPU has no list of adapters: three requests reach the best, the thrifty and the software one. */
async function listAdapters(request: RequestAdapter): Promise<GPUAdapter[]> {
  const adapters: GPUAdapter[] = [];
  const wishes: GPURequestAdapterOptions[] = [
    { powerPreference: "high-performance" },
    { powerPreference: "low-power" },
    { forceFallbackAdapter: true },
  ];
  for (const wish of wishes) {
    const adapter = await request(wish);
    if (adapter) adapters.push(adapter);
  }
  // Hardware first, whatever order the driver answers in.
  return adapters.sort((a, b) =>
    Number(kindOf(a.info) === "software") - Number(kindOf(b.info) === "software")
  );
}

function matches(adapter: GPUAdapter, wanted: string): boolean {
  if (wanted === "auto") return true;
  if (wanted === "gpu" || wanted === "software") return kindOf(adapter.info) === wanted;
  return describeAdapter(adapter).toLowerCase().includes(wanted);
}
