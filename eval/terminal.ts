/** The two ways out: results to stdout, progress and notices to stderr. */
import { BenchError } from "../env/errors.ts";
import { plainText } from "../env/plain_text.ts";
import { systemReason } from "../tasks/file_errors.ts";

/**
 * One line of result. A reader that has gone away is no error: `bench eval | head` ends well.
 *
 * @throws BenchError where it cannot be written
 */
export function printLine(text: string): void {
  try {
    write(Deno.stdout, `${plainText(text)}\n`);
  } catch (error) {
    const why = systemReason(error);
    if (why === null) throw error;
    throw new BenchError({ what: "Cannot write to standard output", why, fix: "Send it elsewhere" });
  }
}

/** One line for the person who watches; the status line, if any, moves below it. */
export function noteLine(text: string): void {
  tell(`${status === "" ? "" : CLEAR_LINE}${plainText(text)}\n${status}`);
}

/** Replaces the one line that keeps changing; only a terminal shows it. An empty text removes it. */
export function showStatus(text: string): void {
  if (!Deno.stderr.isTerminal()) return;
  const { columns } = Deno.consoleSize();
  status = plainText(text).slice(0, Math.max(0, columns - 1));
  tell(CLEAR_LINE + status);
}

const CLEAR_LINE = "\r\x1b[2K";
let status = "";

/** Nobody is left to be told where stderr cannot be written. */
function tell(text: string): void {
  try {
    write(Deno.stderr, text);
  } catch (error) {
    if (systemReason(error) === null) throw error;
  }
}

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
