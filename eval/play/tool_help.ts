/** What a person is told of the tools. */
import type { ToolSpec } from "../../env/observation.ts";
import { argumentsOf, type Fields, formWords, kindOf, namesRange } from "./argument_form.ts";
import { exampleOf } from "./typed_example.ts";

/** How to type, and an example of each tool. */
export function help(tools: readonly ToolSpec[]): string {
  return [
    "A call is a tool and its arguments in their order; name=value gives one out of turn, field=value a field of one.",
    "Several numbers are written 0.1,0,0 or 0.1 0 0; text of several words in quotes. Where a tool takes a list of",
    'things, the words are one of them, and ; begins the next. JSON does as well: a tool, then {"name": value}, over',
    "several lines if you like. What cannot be read is not sent and costs nothing. The beginning of a tool's name will do.",
    ...tools.flatMap((tool) => [`  ${exampleOf(tool)}`, `      ${firstSentence(tool.description)}`]),
    "help TOOL shows its arguments, history the calls so far. quit or Ctrl-D leaves; the same command goes on later.",
  ].join("\n");
}

/** The arguments of every tool whose name begins with a word, a line each. */
export function helpOn(word: string, tools: readonly ToolSpec[]): string {
  const found = tools.filter(({ name }) => name.startsWith(word));
  if (found.length === 0) return `There is no tool ${word}.`;
  return found.flatMap((tool) => [
    `${tool.name}: ${tool.description}`,
    ...fieldLines(argumentsOf(tool), "  "),
    `  Typed as: ${exampleOf(tool)}`,
  ]).join("\n");
}

function fieldLines({ fields, required }: Fields, indent: string): string[] {
  return [...fields].flatMap(([name, form]) => {
    const list = kindOf(form, "list");
    const inner = kindOf(form, "fields") ?? (list && kindOf(list.item, "fields"));
    const optional = required.length > 0 && !required.includes(name) ? " (optional)" : "";
    const words = namesRange(form) ? "" : `${formWords(form)}. `;
    return [
      `${indent}${name}${optional}: ${words}${form.description}`.trimEnd(),
      ...(inner === undefined ? [] : fieldLines(inner, `${indent}  `)),
    ];
  });
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /)[0];
}
