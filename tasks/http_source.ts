/** Pieces of a file on a server. */
import { BenchError, EXIT } from "../env/errors.ts";
import type { ByteSource } from "./byte_source.ts";
import { contentRange, get, type HttpOptions, HttpTrouble, persist, statusTrouble } from "./http_request.ts";

/** Largest piece asked for at once, so that a broken connection costs little. */
const PIECE = 4 * 2 ** 20;

/**
 * Opens a URL for reading in pieces.
 *
 * @throws BenchError (exit code 4) when the server cannot be reached or does not answer Range requests
 */
export async function httpSource(url: string, options: HttpOptions = {}): Promise<ByteSource> {
  const what = `Cannot read ${url}`;
  const { total, validator } = await persist(what, options, () => probe(url, options));
  return {
    name: url,
    byteLength: total,
    async read(start, end) {
      const bytes = new Uint8Array(end - start);
      for (let at = start; at < end; at += PIECE) {
        const to = Math.min(end, at + PIECE);
        const place = bytes.subarray(at - start, to - start);
        await persist(what, options, () => fill(url, at, to, total, validator, place, options));
      }
      return bytes;
    },
  };
}

async function probe(
  url: string,
  options: HttpOptions,
): Promise<{ total: number; validator: string | null }> {
  const { response, close } = await get(url, { range: "bytes=0-0" }, options);
  try {
    if (response.status === 200) throw ignoresRanges(url);
    const range = contentRange(response);
    if (response.status !== 206) throw statusTrouble(response);
    if (range === null) throw new HttpTrouble("the server does not say which bytes it sends", false);
    return { total: range.total, validator: response.headers.get("etag") };
  } finally {
    close();
  }
}

async function fill(
  url: string,
  start: number,
  end: number,
  total: number,
  validator: string | null,
  place: Uint8Array,
  options: HttpOptions,
): Promise<void> {
  const { response, body, close } = await get(url, { range: `bytes=${start}-${end - 1}` }, options);
  let at = 0;
  try {
    if (response.status === 200) throw ignoresRanges(url);
    if (response.status !== 206) throw statusTrouble(response);
    const range = contentRange(response);
    if (range === null || range.first !== start || range.last !== end - 1) {
      throw new HttpTrouble(`the server sends other bytes than ${start} to ${end - 1}`, true);
    }
    if (range.total !== total || response.headers.get("etag") !== validator) {
      throw new HttpTrouble("the file changed while it was read", false);
    }
    for await (const chunk of body) {
      if (at + chunk.length > place.length) throw new HttpTrouble("the server sends too many bytes", true);
      place.set(chunk, at);
      at += chunk.length;
    }
  } finally {
    close();
  }
  if (at < place.length) {
    throw new HttpTrouble(`the connection ended after ${at} of ${place.length} bytes`, true);
  }
}

function ignoresRanges(url: string): BenchError {
  return new BenchError({
    what: `Cannot read ${url}`,
    why: "the server ignores Range requests and would send the whole file",
  }, EXIT.infrastructure);
}
