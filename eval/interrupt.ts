/** Ctrl-C: the first one asks for an orderly end, the second ends the process. */
import { EXIT } from "../env/errors.ts";
import { noteLine } from "./terminal.ts";

/** A signal that the first Ctrl-C aborts; the second ends the process, which the files survive. */
export function stopOnInterrupt(notice: string): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) Deno.exit(EXIT.interrupted);
    noteLine(notice);
    controller.abort();
  };
  Deno.addSignalListener("SIGINT", onInterrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => Deno.removeSignalListener("SIGINT", onInterrupt),
  };
}
