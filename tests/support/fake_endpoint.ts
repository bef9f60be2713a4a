/** A scripted Chat Completions endpoint on a free port of this machine. */

/** What a request looked like. */
export interface SeenRequest {
  /** 0-based, over the life of the endpoint. */
  index: number;
  // deno-lint-ignore no-explicit-any
  body: any;
  headers: Headers;
  signal: AbortSignal;
  /** Assistant messages already in the conversation. */
  turn: number;
}

export interface FakeCall {
  name: string;
  /** Encoded as JSON, unless `raw` is given. */
  args?: unknown;
  raw?: string;
  id?: string | null;
}

export interface FakeEndpoint extends AsyncDisposable {
  /** Ends in /v1. */
  url: string;
  requests: SeenRequest[];
  /** Most requests that were under way at one time. */
  mostAtOnce: () => number;
}

/** Serves `script`'s answers until disposed. */
export function fakeEndpoint(script: (request: SeenRequest) => Response | Promise<Response>): FakeEndpoint {
  const requests: SeenRequest[] = [];
  let running = 0;
  let most = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    running++;
    most = Math.max(most, running);
    try {
      if (new URL(request.url).pathname !== "/v1/chat/completions") {
        return new Response("not here", { status: 404 });
      }
      const body = await request.json();
      // deno-lint-ignore no-explicit-any
      const turn = body.messages.filter((message: any) => message.role === "assistant").length;
      const seen = { index: requests.length, body, headers: request.headers, signal: request.signal, turn };
      requests.push(seen);
      return await script(seen);
    } finally {
      running--;
    }
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    requests,
    mostAtOnce: () => most,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}

/** A completion with calls or text. */
export function turn(
  calls: readonly FakeCall[],
  options: { text?: string; finish?: string; usage?: unknown; extra?: Record<string, unknown> } = {},
): Response {
  const tool_calls = calls.map(({ name, args, raw, id }, index) => ({
    ...(id === null ? {} : { id: id ?? `id_${index}` }),
    type: "function",
    function: { name, arguments: raw ?? JSON.stringify(args ?? {}) },
  }));
  return Response.json({
    id: "chatcmpl-fake",
    object: "chat.completion",
    choices: [{
      index: 0,
      finish_reason: options.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
      message: {
        role: "assistant",
        content: options.text ?? null,
        ...(calls.length > 0 ? { tool_calls } : {}),
        ...options.extra,
      },
    }],
    usage: options.usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  });
}

/** An error in the shape most endpoints use. */
export function failure(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { message, type: "fake", code: null } }, { status, headers });
}

/** An answer whose headers come and whose body never does; ends when the client goes away. */
export function stall(signal: AbortSignal): Response {
  const body = new ReadableStream({
    start(controller) {
      signal.addEventListener("abort", () => {
        try {
          controller.close();
        } catch {
          // The client went away first.
        }
      });
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
