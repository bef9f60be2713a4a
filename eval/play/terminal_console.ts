/** Standard input as a `Console`: a terminal with line editing, or a pipe. */
import { createInterface } from "node:readline";
import process from "node:process";
import { printLine } from "../terminal.ts";
import type { Console } from "./human_player.ts";

/** Reads lines until the end of input; `close` gives the terminal back. */
export function terminalConsole(): Console & { close(): void } {
  const isTerminal = Deno.stdin.isTerminal();
  const reader = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stderr : undefined,
    terminal: isTerminal,
  });
  const lines = reader[Symbol.asyncIterator]();
  return {
    print: printLine,
    close: () => reader.close(),
    readLine: async (prompt, stop) => {
      if (stop.aborted) return null;
      if (isTerminal) {
        reader.setPrompt(prompt);
        reader.prompt();
      }
      const stopped = Promise.withResolvers<null>();
      const onStop = () => stopped.resolve(null);
      stop.addEventListener("abort", onStop);
      try {
        const next = lines.next().then(({ value, done }) => done ? null : value);
        return await Promise.race([next, stopped.promise]);
      } finally {
        stop.removeEventListener("abort", onStop);
      }
    },
  };
}
