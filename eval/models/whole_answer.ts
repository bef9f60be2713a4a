/**
 * Fetches an answer to its end, but never more of it than fits: a server that does not stop talking must not fill the
 * memory. What the body holds, not what its content type says, decides whether it is JSON.
 */

/** A completion has some KB; one with pictures or long reasoning some MB. */
const MOST_BYTES = 32 << 20;

/** As `fetch`, with the whole body read; a longer one than `MOST_BYTES` is an error. */
export async function fetchWhole(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { status, statusText } = response;
  const text = await readText(response);
  const headers = new Headers(response.headers);
  // They tell of the bytes that came.
  headers.delete("content-length");
  headers.delete("content-encoding");
  headers.set("content-type", isJson(text) ? "application/json" : "text/plain");
  return new Response(text === "" ? null : text, { status, statusText, headers });
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES >> 20} MB`);
    pieces.push(decoder.decode(chunk, { stream: true }));
  }
  pieces.push(decoder.decode());
  return pieces.join("");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
