import assert from "node:assert/strict";
import { sleep } from "../../../env/clock.ts";
import { blankImage } from "../../../env/image.ts";
import { decodeCall } from "../../../env/calls.ts";
import { BenchError } from "../../../env/errors.ts";
import { type ChatMessage, ContextOverflow, InfrastructureError, Stopped } from "../../../eval/model.ts";
import { chatModel, type ChatModelOptions } from "../../../eval/models/chat_model.ts";
import { failure, fakeEndpoint, type SeenRequest, stall, turn } from "../../support/fake_endpoint.ts";

/** A clock that only moves when someone sleeps, and remembers how long. */
function fakeClock() {
  const sleeps: number[] = [];
  let now = 0;
  return {
    sleeps,
    now: () => now,
    sleep: (ms: number) => {
      sleeps.push(ms);
      now += ms;
      return Promise.resolve();
    },
    jitter: () => 0.5,
  };
}

const tools = [{ name: "submit", description: "End.", parameters: { type: "object", properties: {} } }];
const opening: ChatMessage[] = [
  { role: "system", text: "rules" },
  {
    role: "user",
    parts: [{ type: "text", text: "go" }, { type: "image", image: blankImage(3, 2, [255, 0, 0]) }],
  },
];

function model(url: string, options: Partial<ChatModelOptions> = {}) {
  return chatModel({
    name: "fake",
    id: "org/fake",
    baseUrl: url,
    apiKey: "secret-key",
    effort: null,
    extraBody: {},
    maxTokens: 32_000,
    concurrency: 4,
    clock: fakeClock(),
    ...options,
  });
}

const never = { abort: new AbortController().signal, stop: new AbortController().signal };
const submit = () => turn([{ name: "submit" }]);
const once = (first: (request: SeenRequest) => Response) => (request: SeenRequest) =>
  request.index === 0 ? first(request) : submit();

Deno.test("chatModel() sends model, tools, pictures, effort, cap and extra body", async () => {
  await using endpoint = fakeEndpoint(submit);
  const fake = model(endpoint.url, { effort: "high", extraBody: { provider: { only: ["x"] } } });
  const answer = await fake.respond(opening, tools, never);
  const { body, headers } = endpoint.requests[0];
  assert.equal(body.model, "org/fake");
  assert.equal(body.reasoning_effort, "high");
  assert.equal(body.max_completion_tokens, 32_000);
  assert.deepEqual(body.provider, { only: ["x"] });
  assert.deepEqual(body.tools, [{ type: "function", function: tools[0] }]);
  assert.equal(headers.get("authorization"), "Bearer secret-key");
  assert.deepEqual(body.messages[0], { role: "system", content: "rules" });
  const [text, image] = body.messages[1].content;
  assert.deepEqual(text, { type: "text", text: "go" });
  assert.match(image.image_url.url, /^data:image\/png;base64,iVBORw0KGgo/);
  assert.deepEqual(answer.message.calls, [{ id: "id_0", name: "submit", arguments: "{}", cutOff: false }]);
  assert.ok(!JSON.stringify(fake.settings).includes("secret-key"));
});

Deno.test("chatModel() sends a conversation back with malformed arguments as valid JSON and reasoning unchanged", async () => {
  await using endpoint = fakeEndpoint((request) =>
    request.index === 0
      ? turn([{ name: "submit", raw: `{"a": [1,` }], { extra: { reasoning_details: [{ id: 7 }] } })
      : submit()
  );
  const fake = model(endpoint.url);
  const first = await fake.respond(opening, tools, never);
  assert.equal(first.message.calls[0].arguments, `{"a": [1,`);
  await fake.respond(
    [...opening, first.message, { role: "tool", callId: "id_0", text: "not JSON" }],
    tools,
    never,
  );
  const [assistant, result] = endpoint.requests[1].body.messages.slice(2);
  assert.deepEqual(JSON.parse(assistant.tool_calls[0].function.arguments), { malformed: `{"a": [1,` });
  assert.deepEqual(assistant.reasoning_details, [{ id: 7 }]);
  assert.deepEqual(result, { role: "tool", tool_call_id: "id_0", content: "not JSON" });
});

Deno.test("chatModel() passes ids on as they come, empty where there is none", async () => {
  const calls = [{ name: "a", id: null }, { name: "b", id: "x" }, { name: "c", id: "x" }];
  await using endpoint = fakeEndpoint(() => turn(calls));
  const { message } = await model(endpoint.url).respond(opening, tools, never);
  assert.deepEqual(message.calls.map((call) => call.id), ["", "x", "x"]);
});

Deno.test("chatModel() marks only a last call that is not whole JSON as cut off", async () => {
  const cases = [
    { raw: ["{}", '{"x": '], finish: "length", want: [false, true] },
    { raw: ["{}", ""], finish: "length", want: [false, true] },
    { raw: ['{"x": ', "{}"], finish: "length", want: [false, false] },
    { raw: ["", '{"x": '], finish: "tool_calls", want: [false, false] },
  ];
  await using endpoint = fakeEndpoint(({ index }) => {
    const { raw, finish } = cases[index];
    return turn(raw.map((text) => ({ name: "a", raw: text })), { finish });
  });
  const fake = model(endpoint.url);
  for (const { want } of cases) {
    const { message } = await fake.respond(opening, tools, never);
    assert.deepEqual(message.calls.map(({ cutOff }) => cutOff), want);
  }
});

/** The same use as six kinds of endpoint report it. */
const usages: { from: string; usage: unknown; want: number[]; cost: number | null }[] = [
  {
    from: "OpenAI",
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    want: [1000, 800, 50, 30],
    cost: null,
  },
  {
    from: "OpenRouter",
    usage: { prompt_tokens: 1000, completion_tokens: 50, cost: 0.0123 },
    want: [1000, 0, 50, 0],
    cost: 0.0123,
  },
  {
    from: "OpenRouter with a key of one's own",
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 50,
      cost: 0,
      cost_details: { upstream_inference_cost: 0.02 },
    },
    want: [1000, 0, 50, 0],
    cost: 0.02,
  },
  {
    from: "Anthropic",
    usage: { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 },
    want: [1000, 0, 50, 0],
    cost: null,
  },
  {
    from: "vLLM",
    usage: { prompt_tokens: 1000, completion_tokens: 50, prompt_tokens_details: null },
    want: [1000, 0, 50, 0],
    cost: null,
  },
  { from: "a server that reports nothing", usage: null, want: [100, 0, 10, 0], cost: null },
];

for (const { from, usage, want, cost } of usages) {
  Deno.test(`chatModel() reads the use that ${from} reports`, async () => {
    await using endpoint = fakeEndpoint(() => turn([], { text: "hi", usage }));
    const answer = await model(endpoint.url).respond(opening, tools, never);
    const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = answer.usage;
    assert.deepEqual([input_tokens, cached_input_tokens, output_tokens, reasoning_tokens], want);
    assert.equal(answer.costUsd, cost);
  });
}

const retried: { what: string; answer: (request: SeenRequest) => Response; waits: number[] }[] = [
  { what: "a 500", answer: () => failure(500, "oops"), waits: [1000] },
  {
    what: "a 429 with seconds",
    answer: () => failure(429, "slow", { "retry-after": "90" }),
    waits: [90_000],
  },
  { what: "a 429 with ms", answer: () => failure(429, "slow", { "retry-after-ms": "250" }), waits: [250] },
  {
    what: "a 503 with a date",
    answer: () => failure(503, "slow", { "retry-after": new Date(5000).toUTCString() }),
    waits: [5000],
  },
  {
    what: "a 200 that holds an error",
    answer: () => Response.json({ error: { code: 502, message: "x" } }),
    waits: [1000],
  },
  { what: "a 200 without choices", answer: () => Response.json({ choices: [] }), waits: [1000] },
  { what: "finish_reason error", answer: () => turn([], { finish: "error" }), waits: [1000] },
  {
    what: "a body that breaks off",
    answer: () => new Response(`{"choices": [`, { headers: { "content-type": "application/json" } }),
    waits: [1000],
  },
  { what: "a body that stalls", answer: ({ signal }) => stall(signal), waits: [1000] },
];

for (const { what, answer, waits } of retried) {
  Deno.test(`chatModel() tries again after ${what}`, async () => {
    await using endpoint = fakeEndpoint(once(answer));
    const clock = fakeClock();
    const fake = model(endpoint.url, { clock, timeoutMs: 300 });
    assert.equal((await fake.respond(opening, tools, never)).message.calls[0].name, "submit");
    assert.equal(endpoint.requests.length, 2);
    assert.deepEqual(clock.sleeps, waits);
  });
}

Deno.test("chatModel() tries again when nobody answers, and then gives up as infrastructure", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const url = `http://127.0.0.1:${listener.addr.port}/v1`;
  listener.close();
  const clock = fakeClock();
  await assert.rejects(model(url, { clock }).respond(opening, tools, never), InfrastructureError);
  assert.deepEqual(clock.sleeps, [1000, 2000, 4000, 8000, 16000, 32000, 60000]);
});

Deno.test("chatModel() learns the name of the token cap once", async () => {
  await using endpoint = fakeEndpoint(({ body }) =>
    "max_completion_tokens" in body ? failure(400, "unsupported parameter max_completion_tokens") : submit()
  );
  const fake = model(endpoint.url);
  await fake.respond(opening, tools, never);
  await fake.respond(opening, tools, never);
  const names = endpoint.requests.map(({ body }) => Object.keys(body).find((key) => key.startsWith("max_")));
  assert.deepEqual(names, ["max_completion_tokens", "max_tokens", "max_tokens"]);
});

for (
  const [status, message] of [
    [400, "This model's maximum context length is 8192 tokens"],
    [400, "prompt is too long: 210000 tokens > 200000 maximum"],
    [400, "At most 5 image(s) may be provided in one request."],
    [413, "Request Entity Too Large"],
  ] as const
) {
  Deno.test(`chatModel() ends the conversation on ${status} "${message}"`, async () => {
    await using endpoint = fakeEndpoint(() => failure(status, message));
    await assert.rejects(model(endpoint.url).respond(opening, tools, never), ContextOverflow);
    assert.equal(endpoint.requests.length, 1);
  });
}

for (const status of [401, 402, 403, 404]) {
  Deno.test(`chatModel() stops the run at once on ${status}`, async () => {
    await using endpoint = fakeEndpoint(() => failure(status, "no"));
    await assert.rejects(model(endpoint.url).respond(opening, tools, never), (error) => {
      assert.ok(error instanceof BenchError);
      assert.match(error.message, new RegExp(`^Cannot use model fake: .*HTTP ${status}`));
      assert.ok(!error.message.includes("\n"));
      return true;
    });
    assert.equal(endpoint.requests.length, 1);
  });
}

Deno.test("chatModel() treats a refusal as a wrong set-up before anything worked, as infrastructure after", async () => {
  let calls = 0;
  await using endpoint = fakeEndpoint(() =>
    calls++ === 1 ? submit() : failure(400, "reasoning_effort is not known")
  );
  const fake = model(endpoint.url);
  await assert.rejects(fake.respond(opening, tools, never), BenchError);
  await fake.respond(opening, tools, never);
  await assert.rejects(fake.respond(opening, tools, never), InfrastructureError);
});

Deno.test("chatModel() converges to the slots of an endpoint that answers 429 beyond them", async () => {
  let running = 0;
  let refused = 0;
  await using endpoint = fakeEndpoint(async () => {
    if (running >= 4) {
      refused++;
      return failure(429, "four at a time");
    }
    running++;
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    return submit();
  });
  // Real time, a hundred times as fast.
  const clock = {
    now: () => performance.now() * 100,
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 100)),
    jitter: () => 0.5,
  };
  const fake = model(endpoint.url, { concurrency: 16, clock });
  const answers = await Promise.all(Array.from({ length: 60 }, () => fake.respond(opening, tools, never)));
  assert.equal(answers.length, 60);
  // Sixteen start at once and twelve of them are refused; after that the limit hovers around four.
  assert.ok(refused < 60, `${refused} refusals for 60 answers`);
});

Deno.test("chatModel() closes its connection when the run is aborted", async () => {
  const aborted = Promise.withResolvers<void>();
  await using endpoint = fakeEndpoint((request) => {
    request.signal.addEventListener("abort", () => aborted.resolve());
    return stall(request.signal);
  });
  const controller = new AbortController();
  const pending = model(endpoint.url).respond(opening, tools, { ...never, abort: controller.signal });
  setTimeout(() => controller.abort(new Error("interrupted")), 100);
  await assert.rejects(pending);
  await aborted.promise;
});

Deno.test("chatModel() takes a web page for a wrong address at once", async () => {
  await using endpoint = fakeEndpoint(() =>
    new Response("<!doctype html><title>Welcome</title>", { headers: { "content-type": "text/html" } })
  );
  await assert.rejects(model(endpoint.url).respond(opening, tools, never), (error) => {
    assert.ok(error instanceof BenchError);
    assert.match(error.message, /not JSON but "<!doctype html>.*Check --base-url/);
    return true;
  });
  assert.equal(endpoint.requests.length, 1);
});

for (
  const { what, answer, says } of [
    { what: "an empty answer", answer: () => new Response(""), says: /HTTP 200: the answer is empty/ },
    {
      what: "a 204",
      answer: () => new Response(null, { status: 204 }),
      says: /HTTP 204: the answer is empty/,
    },
    { what: "words", answer: () => new Response("OK"), says: /HTTP 200: the answer is not JSON but "OK"/ },
  ]
) {
  Deno.test(`chatModel() takes ${what} for a wrong address at once`, async () => {
    await using endpoint = fakeEndpoint(answer);
    await assert.rejects(model(endpoint.url).respond(opening, tools, never), (error) => {
      assert.ok(error instanceof BenchError);
      assert.match(error.message, says);
      return true;
    });
    assert.equal(endpoint.requests.length, 1);
  });
}

for (const type of [null, "text/plain", "application/octet-stream", "application/vnd.api+json"]) {
  Deno.test(`chatModel() reads a completion that calls itself ${type}`, async () => {
    await using endpoint = fakeEndpoint(async () => {
      const body = new Uint8Array(await submit().arrayBuffer());
      return new Response(body, { headers: type === null ? {} : { "content-type": type } });
    });
    const { message } = await model(endpoint.url).respond(opening, tools, never);
    assert.equal(message.calls[0].name, "submit");
  });
}

/** Sends 1 MB again and again, until nobody listens. */
function endless(status: number): { response: Response; megabytes: () => number } {
  let sent = 0;
  const block = new Uint8Array(1 << 20).fill(32);
  const body = new ReadableStream({
    pull(controller) {
      sent += 1;
      controller.enqueue(block);
    },
  });
  const headers = { "content-type": "application/json" };
  return { response: new Response(body, { status, headers }), megabytes: () => sent };
}

for (const status of [200, 500]) {
  Deno.test(`chatModel() reads at most 32 MB of an endless ${status}, and tries again`, async () => {
    const flood = endless(status);
    await using endpoint = fakeEndpoint(once(() => flood.response));
    const notes: string[] = [];
    const fake = model(endpoint.url, { notice: (line) => notes.push(line) });
    await fake.respond(opening, tools, never);
    assert.equal(endpoint.requests.length, 2);
    assert.match(notes.join(), /attempt 1 of 8 failed \(the answer has more than 32 MB\)/);
    assert.ok(flood.megabytes() < 64, `${flood.megabytes()} MB were sent`);
  });
}

for (const headers of [{ "retry-after": "1000000000" }, { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" }]) {
  Deno.test(`chatModel() gives up at once where it is to wait until ${headers["retry-after"]}`, async () => {
    await using endpoint = fakeEndpoint(() => failure(429, "later", headers));
    const clock = fakeClock();
    await assert.rejects(model(endpoint.url, { clock }).respond(opening, tools, never), (error) => {
      assert.ok(error instanceof InfrastructureError);
      assert.match(error.message, /gave up: .*HTTP 429: .*; it asks to wait for \d+ h$/);
      return true;
    });
    assert.deepEqual([clock.sleeps, endpoint.requests.length], [[], 1]);
  });
}

const NO_USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

for (
  const usage of [
    '{"prompt_tokens": 5.5, "completion_tokens": -5, "cost": "0.01"}',
    '{"prompt_tokens": 9007199254740993, "completion_tokens": "7", "cost": 1e999}',
    '{"prompt_tokens_details": 3, "completion_tokens_details": [], "cost": -1, "cost_details": "none"}',
    '"none"',
  ]
) {
  Deno.test(`chatModel() takes a good answer whose use is reported as ${usage}`, async () => {
    await using endpoint = fakeEndpoint(() =>
      new Response(
        `{"choices": [{"message": {"content": "hi", "tool_calls": 4}, "finish_reason": 7}], "usage": ${usage}}`,
      )
    );
    const answer = await model(endpoint.url).respond(opening, tools, never);
    assert.deepEqual([answer.message.text, answer.usage, answer.costUsd], ["hi", NO_USAGE, null]);
  });
}

Deno.test("chatModel() takes odd calls for calls that never run, and ids that are numbers", async () => {
  const odd: unknown[] = [
    { id: 7, type: "function", function: { name: "submit", arguments: {} } },
    { id: "c", type: "custom", custom: { name: "submit", input: "{}" } },
    { id: "d", function: { arguments: "{}" } },
    { id: { e: 1 }, function: "submit" },
    null,
    "submit",
  ];
  const message = { role: "assistant", content: [{ type: "text", text: "a" }, 5], tool_calls: odd };
  await using endpoint = fakeEndpoint(once(() => Response.json({ choices: [{ message }] })));
  const fake = model(endpoint.url);
  const first = await fake.respond(opening, tools, never);
  assert.equal(first.message.text, "a");
  const [good, ...bad] = first.message.calls;
  assert.deepEqual(good, { id: "7", name: "submit", arguments: "{}", cutOff: false });
  assert.equal(bad.length, 5);
  for (const call of bad) {
    const decoded = decodeCall(call);
    assert.ok("reason" in decoded && decoded.reason === "invalid_json", call.arguments);
  }
  // They must not poison the conversation: names and arguments as every endpoint takes them.
  await fake.respond([...opening, first.message], tools, never);
  for (const { function: { name, arguments: args } } of endpoint.requests[1].body.messages[2].tool_calls) {
    assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(typeof JSON.parse(args), "object");
  }
});

Deno.test("chatModel() names the field for which an answer is no completion", async () => {
  await using endpoint = fakeEndpoint(once(() => Response.json({ choices: [{ message: "hi" }] })));
  const notes: string[] = [];
  await model(endpoint.url, { notice: (line) => notes.push(line) }).respond(opening, tools, never);
  assert.match(notes.join(), /not a chat completion \(choices\.0\.message: .*expected object/);
});

Deno.test("chatModel() hands on no terminal code of an endpoint", async () => {
  await using endpoint = fakeEndpoint(once(() => failure(500, "\x1b[2J\x1b]0;title\x07\x9b1m gone\0")));
  const notes: string[] = [];
  await model(endpoint.url, { notice: (line) => notes.push(line) }).respond(opening, tools, never);
  assert.match(notes.join(), /␛\[2J␛\]0;title␇�1m gone␀/);
});

Deno.test("chatModel() sends no key to a server that wants none", async () => {
  await using endpoint = fakeEndpoint(submit);
  await model(endpoint.url, { apiKey: null }).respond(opening, tools, never);
  assert.equal(endpoint.requests[0].headers.get("authorization"), null);
});

for (const status of [500, 429]) {
  Deno.test(`chatModel() stops in the middle of waiting out a ${status}, and sends nothing more`, async () => {
    const stop = new AbortController();
    await using endpoint = fakeEndpoint(() => failure(status, "not now", { "retry-after": "3600" }));
    const clock = { now: () => performance.now(), sleep, jitter: () => 0.5 };
    const pending = model(endpoint.url, { clock }).respond(opening, tools, { ...never, stop: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await assert.rejects(pending, Stopped);
    assert.equal(endpoint.requests.length, 1);
  });
}
