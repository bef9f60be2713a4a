/** Ctrl-C, or a polite kill: the first one asks for an orderly end, the second ends the process. */
import { EXIT } from "../env/errors.ts";
import { noteLine } from "./terminal.ts";

/** Windows has no SIGTERM. */
const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

/** A signal that the first Ctrl-C aborts; the second ends the process, which the files survive. */
export function stopOnInterrupt(notice: string): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) Deno.exit(EXIT.interrupted);
    noteLine(notice);
    controller.abort();
  };
  for (const signal of SIGNALS) Deno.addSignalListener(signal, onInterrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => SIGNALS.forEach((signal) => Deno.removeSignalListener(signal, onInterrupt)),
  };
}
