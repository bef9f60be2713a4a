/** A file server on a free port of this machine that misbehaves as told. */

export interface FileRequest {
  /** 0-based. */
  index: number;
  path: string;
  /** Range header, e.g. "bytes=3-". */
  range: string | null;
  headers: Headers;
}

export interface UnrulyServer extends AsyncDisposable {
  url: string;
  requests: FileRequest[];
}

/** Serves what `answer` returns, byte for byte: whole HTTP responses, so that headers may lie. */
export function unrulyServer(answer: (request: FileRequest) => RawAnswer): UnrulyServer {
  const requests: FileRequest[] = [];
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open = new Set<Deno.Conn>();
  const running = (async () => {
    for await (const connection of listener) {
      open.add(connection);
      serve(connection, requests, answer).catch(() => {}).finally(() => {
        open.delete(connection);
        close(connection);
      });
    }
  })().catch(() => {});
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) close(connection);
      await running;
    },
  };
}

export interface RawAnswer {
  status: number;
  headers?: Record<string, string | number>;
  body?: Uint8Array;
  /** Bytes of the body after which the connection breaks; all are sent without it. */
  breakAfter?: number;
  /** Leaves the connection open and silent after what was sent. */
  hang?: boolean;
}

/** A well-behaved answer to a request for a file, ranges included. */
export function fileAnswer(file: Uint8Array, { range, headers }: FileRequest, etag = '"v1"'): RawAnswer {
  const match = /^bytes=(\d+)-(\d*)$/.exec(range ?? "");
  const unchanged = !headers.has("if-range") || headers.get("if-range") === etag;
  if (match === null || !unchanged) {
    return { status: 200, headers: { "content-length": file.length, etag }, body: file };
  }
  const first = Number(match[1]);
  const last = match[2] === "" ? file.length - 1 : Math.min(Number(match[2]), file.length - 1);
  if (first > last) return { status: 416, headers: { "content-range": `bytes */${file.length}` } };
  const body = file.subarray(first, last + 1);
  const contentRange = `bytes ${first}-${last}/${file.length}`;
  return {
    status: 206,
    headers: { "content-length": body.length, "content-range": contentRange, etag },
    body,
  };
}

async function serve(
  connection: Deno.Conn,
  requests: FileRequest[],
  answer: (request: FileRequest) => RawAnswer,
): Promise<void> {
  const text = await readHead(connection);
  const [first, ...lines] = text.split("\r\n").filter((line) => line !== "");
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  }));
  const request = { index: requests.length, path: first.split(" ")[1], range: headers.get("range"), headers };
  requests.push(request);
  const { status, headers: own = {}, body = new Uint8Array(), breakAfter, hang } = answer(request);
  const head = [`HTTP/1.1 ${status} Unruly`, "connection: close"];
  if (!("content-length" in own) && body.length === 0) head.push("content-length: 0");
  for (const [name, value] of Object.entries(own)) head.push(`${name}: ${value}`);
  await write(connection, new TextEncoder().encode(head.join("\r\n") + "\r\n\r\n"));
  await write(connection, body.subarray(0, breakAfter));
  if (hang) await readHead(connection);
}

async function readHead(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(4096);
  let text = "";
  while (!text.includes("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return text;
}

async function write(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // The client closed it first.
  }
}
