/** A call as a person types it, made of a tool's schema. */
import type { ToolSpec } from "../../env/observation.ts";
import { argumentsOf, type Fields, type Form, kindOf } from "./argument_form.ts";

/** E.g. `move_hand right by=0.1,0,0`; `readTyped` reads it. */
export function exampleOf(tool: ToolSpec): string {
  const form = argumentsOf(tool);
  const [list] = [...form.fields.values()].flatMap((field) => kindOf(field, "list") ?? []);
  const entry = list && kindOf(list.item, "fields");
  return [tool.name, ...exampleWords(entry ?? form)].join(" ");
}

/** What must be there, and two arguments in any case where there are two; in order and bare, or each with its name. */
function exampleWords({ fields, required }: Fields, named = false): string[] {
  // What stands in place of another argument does not go with it.
  const others = [...fields.keys()].filter((name) =>
    !required.includes(name) && !/^Instead of /.test(fields.get(name)?.description ?? "")
  );
  const chosen = new Set([...required, ...others.slice(0, Math.max(0, MOST_SHOWN - required.length))]);
  let inOrder = !named;
  return [...fields].flatMap(([name, form]) => {
    inOrder &&= chosen.has(name);
    if (!chosen.has(name)) return [];
    const inner = form.kinds[0]?.kind === "fields" ? form.kinds[0] : undefined;
    if (inner !== undefined) return exampleWords(inner, true);
    // Numbers that belong together are the clearer for a name.
    const bare = inOrder && !valueText(name, form).includes(",");
    inOrder &&= bare;
    return [bare ? valueText(name, form) : `${name}=${valueText(name, form)}`];
  });
}

const MOST_SHOWN = 2;

function valueText(name: string, { kinds: [kind] }: Form): string {
  switch (kind?.kind) {
    case "choice":
      return kind.of[0];
    case "flag":
      return "true";
    case "nothing":
      return "null";
    case "number":
      return String(exampleNumber(kind));
    case "list": {
      const number = kindOf(kind.item, "number");
      const first = number === undefined ? "1" : String(exampleNumber(number));
      return [first, ...Array.from({ length: Math.max(0, kind.least - 1) }, () => "0")].join(",");
    }
    default:
      return `"some ${name}"`;
  }
}

/** Small for lengths, ten degrees for angles, the first of what is counted. */
function exampleNumber({ whole, least, most }: { whole: boolean; least: number; most: number }): number {
  if (whole) return Math.max(0, least);
  return Math.max(least, most >= ANGLES ? 10 : most / 100);
}

const ANGLES = 90;
