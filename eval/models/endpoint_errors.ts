/** What an endpoint's failure means: try again, end the episode, end the run, or change a parameter. */

export type Verdict =
  | { kind: "retry"; why: string; afterMs: number | null }
  | { kind: "context"; why: string }
  | { kind: "token-parameter"; why: string }
  /** Nothing sent to this endpoint can succeed. */
  | { kind: "fatal"; why: string; fix: string }
  /** This request can't succeed; others may. */
  | { kind: "refused"; why: string };

/** An endpoint's answer that was not a completion; status 0 when there was no answer at all. */
export interface Failure {
  status: number;
  message: string;
  headers: Headers | null;
}

const CONTEXT =
  /context[ _-]?(length|window|size)|maximum context|too many (input )?tokens|prompt is too long|input is too long|reduce the length|exceeds? the (maximum|context)|at most \d+ image|too many images|request (entity )?too large/i;
const TOKEN_PARAMETER = /max_tokens|max_completion_tokens/i;
const FATAL: Record<number, string> = {
  401: "Set the key in the variable that --api-key-env names (NONE for servers without keys)",
  402: "Top up the account, then run the same command again: it resumes",
  403: "Check that the key may use this model",
  404: "Check --base-url (it usually ends in /v1) and the model id",
};
const RETRIED = new Set([0, 408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);

/** Classifies a failure; `now` is in ms since the epoch and only used for HTTP dates. */
export function judge(failure: Failure, now: number): Verdict {
  const { status, message } = failure;
  const why = status === 0 ? message : `HTTP ${status}: ${message}`;
  if (status === 413 || (status >= 400 && status < 500 && CONTEXT.test(message))) {
    return { kind: "context", why };
  }
  if (status === 400 && TOKEN_PARAMETER.test(message)) return { kind: "token-parameter", why };
  if (status in FATAL) return { kind: "fatal", why, fix: FATAL[status] };
  const told = failure.headers?.get("x-should-retry");
  if (told !== "false" && (RETRIED.has(status) || status >= 500 || told === "true")) {
    return {
      kind: "retry",
      why,
      afterMs: failure.headers === null ? null : retryAfterMs(failure.headers, now),
    };
  }
  return { kind: "refused", why };
}

/** How long the endpoint asks to wait: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date. */
function retryAfterMs(headers: Headers, now: number): number | null {
  const ms = Number(headers.get("retry-after-ms") ?? NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers.get("retry-after");
  if (after === null) return null;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isFinite(date) ? Math.max(0, date - now) : null;
}
