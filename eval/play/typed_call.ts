/** What a person types: a tool and its arguments, as JSON or in a shorter form. */
import { editDistance } from "../../env/closest.ts";
import type { ToolSpec } from "../../env/observation.ts";
import type { PolicyCall } from "../../env/policy.ts";
import { argumentsOf, type Fields, type Form, formWords, isObject, kindOf, takes } from "./argument_form.ts";
import { exampleOf } from "./typed_example.ts";

export type Typed =
  | { readonly call: PolicyCall }
  /** One line that says what is wrong. */
  | { readonly problem: string }
  /** More lines belong to it. */
  | { readonly incomplete: true };

/**
 * Reads one call.
 *
 * `TOOL {json}`, which is passed on as it stands; or words that fill the tool's arguments in the order of its schema,
 * `name=value` or `name value` for one out of turn. A list takes the words that follow, as many as it may hold. Fields of
 * an object are `field=value` words, or its values in order. Where a tool takes a list of objects, the words are the
 * fields of one, and `;` begins the next. Values are JSON, numbers with commas between them, or plain text. Words that do
 * not fit the schema are a problem; whether numbers are in range is the tool's to say. The beginning of a tool's name is
 * enough if no other begins so.
 */
export function readTyped(text: string, tools: readonly ToolSpec[]): Typed {
  const [, word, rest] = text.trim().match(/^(\S*)\s*([\s\S]*)$/) ?? ["", "", ""];
  const tool = toolNamed(word, tools);
  if (typeof tool === "string") return { problem: tool };
  if (openBrackets(rest)) return { incomplete: true };
  if (rest.startsWith("{")) return jsonCall(tool, rest);
  const args = readArguments(rest, argumentsOf(tool));
  if (typeof args !== "string") return { call: { name: tool.name, arguments: args } };
  return { problem: `${args}. ${tool.name} is typed as: ${exampleOf(tool)}` };
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

type Arguments = Record<string, unknown>;

/** Arguments, or what is wrong with the words. */
function readArguments(text: string, form: Fields): Arguments | string {
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|\[[^\]]*\]|\{[^}]*\}|[^\s"[{]+)+/g) ?? [];
  for (const [name, field] of form.fields) {
    const list = kindOf(field, "list");
    const entry = list && kindOf(list.item, "fields");
    if (entry === undefined || words.length === 0 || words.some((word) => word.startsWith(`${name}=`))) {
      continue;
    }
    const entries = splitAt(words, ";").map((part) => fill(part, entry));
    return entries.find((filled) => typeof filled === "string") ?? { [name]: entries };
  }
  return fill(words, form);
}

function fill(words: readonly string[], form: Fields): Arguments | string {
  const args: Arguments = {};
  const isName = (word: string) => form.fields.has(word) && !Object.hasOwn(args, word);
  const isInner = (word: string) =>
    [...form.fields.values()].some((field) => kindOf(field, "fields")?.fields.has(word));
  const isNamed = (word: string) => NAMED.test(word) || isInner(word);
  /** The words from one on that are values. */
  const valuesFrom = (at: number, most: number) => {
    const end = words.findIndex((word, i) => i >= at && (i >= at + most || isNamed(word) || isName(word)));
    return words.slice(at, end < 0 ? undefined : end);
  };
  for (let at = 0; at < words.length; at++) {
    const more = at + 1 < words.length;
    const [, named, value] = words[at].match(NAMED) ??
      (more && isInner(words[at]) ? ["", words[at], words[++at]] : []);
    if (named !== undefined) {
      const problem = setNamed(args, form, named, value);
      if (problem !== null) return problem;
      continue;
    }
    const said = more && isName(words[at]);
    // What follows an object's name may be its fields.
    if (said && isNamed(words[at + 1])) continue;
    const name = said ? words[at++] : [...form.fields.keys()].find((name) => !Object.hasOwn(args, name));
    const field = name === undefined ? undefined : form.fields.get(name);
    if (name === undefined || field === undefined) return `there is no argument for ${words[at]}`;
    const values = valuesFrom(at, mostWords(field, words[at]));
    args[name] = valueOf(values.length > 0 ? values : [words[at]], field);
    at += Math.max(0, values.length - 1);
  }
  return complaint(args, form) ?? args;
}

/** `name=value`; text that holds `=` wants quotes. */
const NAMED = /^([A-Za-z_][\w.]*)=([\s\S]*)$/;

/** Sets an argument, or a field of one that is an object; returns what is wrong. */
function setNamed(args: Arguments, { fields, open }: Fields, name: string, value: string): string | null {
  const own = fields.get(name);
  if (own !== undefined || open) {
    args[name] = valueOf([value], own ?? ANYTHING);
    return null;
  }
  for (const [object, form] of fields) {
    const inner = kindOf(form, "fields");
    const field = inner?.fields.get(name) ?? (inner?.open && name.includes(".") ? ANYTHING : undefined);
    if (field === undefined) continue;
    const before = args[object];
    args[object] = { ...(isObject(before) ? before : {}), [name]: valueOf([value], field) };
    return null;
  }
  const known = [...fields].flatMap(([own, form]) => [own, ...kindOf(form, "fields")?.fields.keys() ?? []]);
  const meant = known.find((other) => editDistance(name, other) <= Math.max(1, other.length / 3));
  return `there is no argument ${name}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
}

const ANYTHING: Form = { kinds: [], description: "" };

/** How many words a value may take that begins with this one. */
function mostWords(form: Form, word: string): number {
  if (takes(form, valueOf([word], { ...form, kinds: form.kinds.filter(({ kind }) => kind !== "list") }))) {
    return 1;
  }
  const list = kindOf(form, "list");
  if (list !== undefined && takes(list.item, plainValue(word))) return list.most;
  return Math.max(1, kindOf(form, "fields")?.required.length ?? 1);
}

/** The first reading of the words that the form takes; else the plainest, of which will be said that it does not fit. */
function valueOf(words: readonly string[], form: Form): unknown {
  if (words.length > 1) {
    const inner = kindOf(form, "fields");
    if (inner === undefined || kindOf(form, "list") !== undefined) return words.map(plainValue);
    return Object.fromEntries(
      inner.required.slice(0, words.length).map((
        name,
        i,
      ) => [name, valueOf([words[i]], inner.fields.get(name) ?? ANYTHING)]),
    );
  }
  const [word] = words;
  const plain = plainValue(word);
  return [plain, word, [plain]].find((value) => takes(form, value)) ?? plain;
}

/** JSON, numbers with commas between them, or text. */
function plainValue(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    const parts = word.split(",").map((part) => part.trim());
    if (!parts.every((part) => part !== "" && Number.isFinite(Number(part)))) return word;
    return parts.length > 1 ? parts.map(Number) : Number(word);
  }
}

/** What does not fit; null when all does. */
function complaint(args: Arguments, { fields, required }: Fields): string | null {
  for (const [name, value] of Object.entries(args)) {
    const form = fields.get(name) ?? ANYTHING;
    if (!takes(form, value)) return `${name} is ${formWords(form)}, got ${JSON.stringify(value)}`;
  }
  const missing = required.find((name) => !Object.hasOwn(args, name));
  return missing === undefined ? null : `${missing} is missing`;
}

function splitAt(words: readonly string[], mark: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === mark) parts.push([]);
    else parts[parts.length - 1].push(word);
  }
  return parts.filter((part) => part.length > 0);
}
