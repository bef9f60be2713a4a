/** The two ways out: results to stdout, progress and notices to stderr. */

/** One line of result. A reader that has gone away is no error: `bench eval | head` ends well. */
export function printLine(text: string): void {
  write(Deno.stdout, `${text}\n`);
}

/** One line for the person who watches; the status line, if any, moves below it. */
export function noteLine(text: string): void {
  write(Deno.stderr, `${status === "" ? "" : CLEAR_LINE}${text}\n${status}`);
}

/** Replaces the one line that keeps changing; only a terminal shows it. An empty text removes it. */
export function showStatus(text: string): void {
  if (!Deno.stderr.isTerminal()) return;
  const { columns } = Deno.consoleSize();
  status = text.slice(0, Math.max(0, columns - 1));
  write(Deno.stderr, CLEAR_LINE + status);
}

const CLEAR_LINE = "\r\x1b[2K";
let status = "";

function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += stream.writeSync(bytes.subarray(at));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) return;
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      // A pipe that the parent made non-blocking is full: let its reader catch up.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
}

const FULL_PIPE_MS = 5;
