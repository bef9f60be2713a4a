/** What a person types: a tool and its arguments, as JSON or in a shorter form. */
import type { ToolSpec } from "../../env/observation.ts";
import type { PolicyCall } from "../../env/policy.ts";

export type Typed =
  | { readonly call: PolicyCall }
  /** One line that says what is wrong. */
  | { readonly problem: string }
  /** More lines belong to it. */
  | { readonly incomplete: true };

/**
 * Reads one call.
 *
 * `tool {json}`; or words that fill the tool's arguments in the order of its schema, `name=value` for one out of turn.
 * A list takes all the words that follow, `name.part=value` words are the fields of an object. Where a tool takes a list of objects, `name=value` words are the fields of
 * one, and `;` begins the next. Values are JSON, numbers with commas between them, or plain text. The beginning of a
 * tool's name is enough if no other begins so.
 */
export function readTyped(text: string, tools: readonly ToolSpec[]): Typed {
  const [, word, rest] = text.trim().match(/^(\S*)\s*([\s\S]*)$/) ?? ["", "", ""];
  const tool = toolNamed(word, tools);
  if (typeof tool === "string") return { problem: tool };
  if (openBrackets(rest)) return { incomplete: true };
  if (rest.startsWith("{")) return jsonCall(tool, rest);
  const args = argumentsOf(rest, tool);
  return typeof args === "string" ? { problem: args } : { call: { name: tool.name, arguments: args } };
}

/** A tool, or why there is none. */
function toolNamed(word: string, tools: readonly ToolSpec[]): ToolSpec | string {
  const exact = tools.find(({ name }) => name === word);
  if (exact !== undefined) return exact;
  const begun = tools.filter(({ name }) => name.startsWith(word));
  if (begun.length === 1) return begun[0];
  const said = word.length > 60 ? `${word.slice(0, 60)}…` : word;
  const names = (begun.length > 0 ? begun : tools).map(({ name }) => name).join(", ");
  return begun.length > 0 ? `${said} may be ${names}` : `there is no tool ${said}; there is ${names}`;
}

function jsonCall(tool: ToolSpec, text: string): Typed {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { call: { name: tool.name, arguments: value } };
    return { problem: "the arguments must be one JSON object" };
  } catch (error) {
    return { problem: `not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Whether brackets or quotes are still open. */
function openBrackets(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    if (inString && text[at] === "\\") at++;
    else if (text[at] === '"') inString = !inString;
    else if (!inString && "{[".includes(text[at])) depth++;
    else if (!inString && "}]".includes(text[at])) depth--;
  }
  return depth > 0 || inString;
}

interface Schema {
  type?: unknown;
  properties: Record<string, Schema>;
  items: Schema | null;
}

function argumentsOf(text: string, tool: ToolSpec): Record<string, unknown> | string {
  const schema = schemaOf(tool.parameters);
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|\[[^\]]*\]|\{[^}]*\}|[^\s"[{]+)+/g) ?? [];
  const lists = Object.entries(schema.properties).filter(([, { items }]) => items?.type === "object");
  const [name, list] = lists[0] ?? [];
  if (name !== undefined && words.length > 0 && !words.some((word) => word.startsWith(`${name}=`))) {
    const entries = splitAt(words, ";").map((part) => fill(part, list?.items ?? schema));
    return entries.find((entry) => typeof entry === "string") ?? { [name]: entries };
  }
  return fill(words, schema);
}

function fill(words: readonly string[], { properties }: Schema): Record<string, unknown> | string {
  const args: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at++) {
    const [, key, value] = words[at].match(/^([A-Za-z_]+)=([\s\S]*)$/) ?? [];
    if (key !== undefined) {
      args[key] = valueOf(value);
      continue;
    }
    const [, part, partValue] = words[at].match(/^(\w+\.\w+)=([\s\S]*)$/) ?? [];
    const object = Object.keys(properties).find((name) => properties[name].type === "object");
    if (part !== undefined && object !== undefined) {
      const parts = args[object];
      args[object] = { ...(isObject(parts) ? parts : {}), [part]: valueOf(partValue) };
      continue;
    }
    const next = Object.keys(properties).find((name) => !Object.hasOwn(args, name));
    if (next === undefined) return `there is no argument for ${words[at]}; \`help TOOL\` shows them`;
    const takesList = properties[next].type === "array" && !/[[,]/.test(words[at]);
    if (!takesList) {
      args[next] = valueOf(words[at]);
      continue;
    }
    const end = words.findIndex((word, i) => i > at && /^[A-Za-z_]+=/.test(word));
    args[next] = words.slice(at, end < 0 ? undefined : end).map(valueOf);
    at = end < 0 ? words.length : end - 1;
  }
  return args;
}

function splitAt(words: readonly string[], mark: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === mark) parts.push([]);
    else parts[parts.length - 1].push(word);
  }
  return parts.filter((part) => part.length > 0);
}

function valueOf(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    const parts = word.split(",").map((part) => part.trim());
    const numbers = parts.length > 1 && parts.every((part) => part !== "" && Number.isFinite(Number(part)));
    return numbers ? parts.map(Number) : word;
  }
}

function schemaOf(value: unknown): Schema {
  if (!isObject(value)) return { properties: {}, items: null };
  const properties = isObject(value.properties) ? value.properties : {};
  return {
    type: value.type,
    properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, schemaOf(part)])),
    items: isObject(value.items) ? schemaOf(value.items) : null,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
