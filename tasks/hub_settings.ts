/** What the environment says about the hub, by the variables of its Python packages. */
import { join } from "node:path";
import { BenchError } from "../env/errors.ts";

export interface HubSettings {
  /** Without a slash at its end. */
  endpoint: string;
  token: string | null;
  /** Whether nothing may be asked of the hub. */
  offline: boolean;
  /** Folder of the Python packages' cache. */
  cache: string;
}

/** `HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_OFFLINE`, `HF_HUB_CACHE`, `HF_HOME`, `XDG_CACHE_HOME`. */
export function hubSettings(
  get: (name: string) => string | undefined = (name) => Deno.env.get(name),
): HubSettings {
  const value = (name: string) => get(name) || undefined;
  const home = value("HF_HOME") ??
    join(
      value("XDG_CACHE_HOME") ?? join(value("HOME") ?? value("USERPROFILE") ?? ".", ".cache"),
      "huggingface",
    );
  const endpoint = value("HF_ENDPOINT") ?? "https://huggingface.co";
  if (!URL.canParse(endpoint)) {
    throw new BenchError({
      what: "Cannot reach the hub",
      why: `HF_ENDPOINT is ${JSON.stringify(endpoint)}, which is no address`,
      fix: "Set it to one like https://huggingface.co, or unset it",
    });
  }
  return {
    endpoint: endpoint.replace(/\/+$/, ""),
    token: value("HF_TOKEN") ?? null,
    offline: ["1", "true", "yes", "on"].includes(value("HF_HUB_OFFLINE")?.toLowerCase() ?? ""),
    cache: value("HF_HUB_CACHE") ?? value("HUGGINGFACE_HUB_CACHE") ?? join(home, "hub"),
  };
}
