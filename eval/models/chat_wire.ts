/**
 * Chat Completions on the wire: our messages to a request body, and a response to our turn.
 *
 * The response schema is lenient on purpose: OpenAI, OpenRouter, vLLM, SGLang and Anthropic's compatible endpoint
 * agree on little beyond what is read here.
 */
import { Buffer } from "node:buffer";
import { z } from "zod";
import type { ToolSpec } from "../../env/observation.ts";
import type { Image } from "../../env/image.ts";
import { encodePng } from "../../env/png.ts";
import type { Usage } from "../../env/records.ts";
import type { ChatMessage, ModelCall, ModelTurn, Part } from "../model.ts";

/** A field without which the answer is of use all the same: what is odd counts as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);

/** A call of another kind, as a custom tool's, has no function. */
const toolCallSchema = z.looseObject({
  id: optional(z.union([z.string(), z.number()])),
  function: optional(z.looseObject({ name: optional(z.string()), arguments: z.unknown() })),
}).catch({ id: null, function: null });

const contentSchema = z.union([
  z.string(),
  z.array(z.looseObject({ text: optional(z.string()) }).catch({ text: null })),
]);

const messageSchema = z.looseObject({
  content: optional(contentSchema),
  tool_calls: optional(z.array(z.unknown())),
});

const count = optional(z.number().int().nonnegative());
const dollars = optional(z.number().nonnegative());

const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: optional(z.looseObject({ cached_tokens: count })),
  completion_tokens_details: optional(z.looseObject({ reasoning_tokens: count })),
  /** US dollars, as OpenRouter reports them. */
  cost: dollars,
  cost_details: optional(z.looseObject({ upstream_inference_cost: dollars })),
});

/** A response with at least one choice; anything else is the endpoint's fault. */
export const completionSchema = z.looseObject({
  choices: z.array(z.looseObject({ message: messageSchema, finish_reason: optional(z.string()) })).min(1),
  usage: optional(usageSchema),
});
export type Completion = z.infer<typeof completionSchema>;

/** Fields of an assistant message that endpoints want back as they sent them. */
const SENT_BACK = ["reasoning", "reasoning_content", "reasoning_details"] as const;

/** The tools of a request. */
export function wireTools(tools: readonly ToolSpec[]): unknown[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
}

/** The messages of a request; pictures become base64 PNGs. */
export function wireMessages(messages: readonly ChatMessage[]): Promise<unknown[]> {
  return Promise.all(messages.map(wireMessage));
}

async function wireMessage(message: ChatMessage): Promise<unknown> {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: await Promise.all(message.parts.map(wirePart)) };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant": {
      const kept: Record<string, unknown> = {};
      const raw: Record<string, unknown> = z.looseObject({}).safeParse(message.raw).data ?? {};
      for (const field of SENT_BACK) if (raw[field] !== undefined) kept[field] = raw[field];
      const calls = message.calls.length > 0 ? { tool_calls: message.calls.map(wireCall) } : {};
      // An assistant message without text and without calls is refused by some endpoints.
      const content = message.text ?? (message.calls.length > 0 ? null : "");
      return { ...kept, role: "assistant", content, ...calls };
    }
  }
}

/** Malformed arguments go back as valid JSON: one bad call must not poison every later request. */
function wireCall(call: ModelCall): unknown {
  const empty = call.arguments.trim() === "" && !call.cutOff;
  const text = empty || isJson(call.arguments)
    ? call.arguments
    : JSON.stringify({ malformed: call.arguments.slice(0, 2000) });
  // A name that no tool could have makes some endpoints refuse the whole conversation.
  const name = call.name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
  return { id: call.id, type: "function", function: { name, arguments: text } };
}

async function wirePart(part: Part): Promise<unknown> {
  if (part.type === "text") return part;
  return { type: "image_url", image_url: { url: await dataUrl(part.image) } };
}

// A conversation sends its pictures again with every request: each is compressed once.
const dataUrls = new WeakMap<Image, Promise<string>>();

function dataUrl(image: Image): Promise<string> {
  let url = dataUrls.get(image);
  if (url === undefined) {
    url = encodePng(image).then((png) => `data:image/png;base64,${Buffer.from(png).toString("base64")}`);
    dataUrls.set(image, url);
  }
  return url;
}

/** Our turn of a response; an id that is missing is empty. */
export function readTurn(completion: Completion): ModelTurn {
  const { message, finish_reason } = completion.choices[0];
  const finishReason = finish_reason ?? "unknown";
  const wireCalls = message.tool_calls ?? [];
  const calls = wireCalls.map((call, index) => {
    return readCall(call, finishReason === "length" && index === wireCalls.length - 1);
  });
  return {
    message: { role: "assistant", text: messageText(message.content), calls, raw: message },
    finishReason,
    usage: readUsage(completion.usage),
    costUsd: readCost(completion.usage),
  };
}

/** @param last whether generation stopped with this call */
function readCall(wire: unknown, last: boolean): ModelCall {
  const call = toolCallSchema.parse(wire);
  const id = String(call.id ?? "");
  const name = call.function?.name ?? "";
  // No JSON, so that it never runs, whatever the environment makes of a name that is missing.
  if (name === "") {
    return { id, name, arguments: `not a call of a function: ${JSON.stringify(wire)}`, cutOff: false };
  }
  const args = call.function?.arguments ?? "";
  const text = typeof args === "string" ? args : JSON.stringify(args);
  // Only the last call can have been cut off (before its arguments began, too), and one that is whole JSON was not.
  return { id, name, arguments: text, cutOff: last && !isJson(text) };
}

function messageText(content: z.infer<typeof messageSchema>["content"]): string | null {
  if (content === undefined || content === null) return null;
  const text = typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
  return text === "" ? null : text;
}

function readUsage(usage: Completion["usage"]): Usage {
  return {
    input_tokens: usage?.prompt_tokens ?? 0,
    cached_input_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    output_tokens: usage?.completion_tokens ?? 0,
    reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}

/** Reported cost. With a key of one's own OpenRouter's is its fee alone, and the provider's comes on top. */
function readCost(usage: Completion["usage"]): number | null {
  const upstream = usage?.cost_details?.upstream_inference_cost ?? null;
  if (usage?.cost === undefined || usage.cost === null) return upstream;
  return usage.cost === 0 && upstream !== null ? upstream : usage.cost;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
