/** One GET at a time, tried again where trying again can help. */
import { jitter, sleep } from "../env/clock.ts";
import { BenchError, EXIT } from "../env/errors.ts";

export interface HttpOptions {
  fetch?: typeof fetch;
  /** Sent with every request, e.g. a token; a redirect to another host leaves `authorization` out. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Most tries in a row that bring nothing. */
  attempts?: number;
  /** Gives up on a connection that is silent for so long, ms. */
  stallMs?: number;
  /** First pause before another try, ms; it doubles each time. */
  pauseMs?: number;
}

/** An answer, and why one try failed. */
export class HttpTrouble extends Error {
  constructor(why: string, readonly again: boolean, readonly waitMs = 0) {
    super(why);
  }
}

/**
 * Runs `attempt` until it succeeds.
 *
 * `attempt` throws HttpTrouble; tries that called `progressed` do not count towards the limit.
 *
 * @throws BenchError (exit code 4) with the last trouble
 */
export async function persist<Result>(
  what: string,
  { signal, attempts = 5, pauseMs = 500 }: HttpOptions,
  attempt: (progressed: () => void) => Promise<Result>,
  fix = "Check the network and try again",
): Promise<Result> {
  for (let failures = 0;;) {
    let moved = false;
    try {
      return await attempt(() => moved = true);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof HttpTrouble)) throw error;
      failures = moved ? 1 : failures + 1;
      if (!error.again || failures >= attempts) throw gaveUp(what, error, failures, fix);
      await sleep(Math.max(error.waitMs, pauseMs * 2 ** (failures - 1) * (1 + jitter() / 2)), signal);
    }
  }
}

export interface Answer {
  response: Response;
  /** Throws HttpTrouble when the connection breaks or falls silent. */
  body: AsyncGenerator<Uint8Array>;
  /** Lets go of the connection; to be called in any case. */
  close(): void;
}

/** Sends a GET and checks nothing but that an answer came. Throws HttpTrouble. */
export async function get(
  url: string,
  headers: Record<string, string>,
  options: HttpOptions,
): Promise<Answer> {
  const stall = new AbortController();
  const stallMs = options.stallMs ?? 30_000;
  const signal = options.signal ? AbortSignal.any([options.signal, stall.signal]) : stall.signal;
  const deadline = watch(stallMs, () => stall.abort());
  try {
    const request = options.fetch ?? fetch;
    const all = { ...options.headers, ...headers, "accept-encoding": "identity" };
    const response = await request(url, { headers: all, signal });
    deadline.touch();
    const close = () => {
      deadline.stop();
      stall.abort();
    };
    return { response, body: chunks(response, deadline, stall.signal, stallMs), close };
  } catch (error) {
    deadline.stop();
    throw brokenOff(error, stall.signal, stallMs);
  }
}

/** What a status other than 200 and 206 means. */
export function statusTrouble(response: Response): HttpTrouble {
  const { status, statusText, headers } = response;
  const seconds = Number(headers.get("retry-after") ?? 0);
  const waitMs = Number.isFinite(seconds) ? Math.min(60, Math.max(0, seconds)) * 1000 : 0;
  const again = status === 429 || status === 408 || status >= 500;
  return new HttpTrouble(`the server answers ${status} ${statusText}`.trim(), again, waitMs);
}

/** Bytes `first`–`last` of `total`, from a Content-Range header; null for one that says something else. */
export function contentRange(response: Response): { first: number; last: number; total: number } | null {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("content-range") ?? "");
  return match === null ? null : { first: Number(match[1]), last: Number(match[2]), total: Number(match[3]) };
}

interface Watch {
  touch(): void;
  stop(): void;
}

function watch(ms: number, expired: () => void): Watch {
  let timer = setTimeout(expired, ms);
  return {
    touch() {
      clearTimeout(timer);
      timer = setTimeout(expired, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

async function* chunks(
  response: Response,
  deadline: Watch,
  stalled: AbortSignal,
  stallMs: number,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) {
      deadline.touch();
      yield chunk;
    }
  } catch (error) {
    throw brokenOff(error, stalled, stallMs);
  }
}

function brokenOff(error: unknown, stalled: AbortSignal, stallMs: number): HttpTrouble {
  if (stalled.aborted) return new HttpTrouble(`nothing came for ${stallMs / 1000} s`, true);
  const why = error instanceof Error ? error.message : String(error);
  return new HttpTrouble(`the connection broke (${why})`, true);
}

function gaveUp(what: string, trouble: HttpTrouble, failures: number, fix: string): BenchError {
  const tries = failures > 1 ? ` (${failures} tries)` : "";
  return new BenchError(
    {
      what,
      why: `${trouble.message}${tries}`,
      fix,
    },
    EXIT.infrastructure,
    { cause: trouble },
  );
}
