/** Arguments of a tool as a person fills them in: what their JSON Schema says, and no more of it than words can meet. */
import type { ToolSpec } from "../../env/observation.ts";

/** What an argument may be. */
export interface Form {
  /** One of these; none means anything. */
  readonly kinds: readonly Kind[];
  readonly description: string;
}

export type Kind =
  | { readonly kind: "choice"; readonly of: readonly string[] }
  | { readonly kind: "text" | "flag" | "nothing" }
  | { readonly kind: "number"; readonly whole: boolean; readonly least: number; readonly most: number }
  | { readonly kind: "list"; readonly item: Form; readonly least: number; readonly most: number }
  | Fields;

export interface Fields {
  readonly kind: "fields";
  readonly fields: ReadonlyMap<string, Form>;
  readonly required: readonly string[];
  /** Whether other names are taken, too. */
  readonly open: boolean;
}

/** The arguments of a tool; names that its schema does not list are slips. */
export function argumentsOf({ parameters }: ToolSpec): Fields {
  return { ...fieldsOf(parameters), open: false };
}

/** The kind of this name that a form has, if it has one. */
export function kindOf<Name extends Kind["kind"]>(
  { kinds }: Form,
  name: Name,
): Extract<Kind, { kind: Name }> | undefined {
  return kinds.find((kind): kind is Extract<Kind, { kind: Name }> => kind.kind === name);
}

/** Whether a value is of the form. Ranges of numbers are left to the tool: to pass them is no slip in writing. */
export function takes({ kinds }: Form, value: unknown): boolean {
  return kinds.length === 0 || kinds.some((kind) => isOf(kind, value));
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind.kind) {
    case "choice":
      return typeof value === "string" && kind.of.includes(value);
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "nothing":
      return value === null;
    case "number":
      return typeof value === "number" && (!kind.whole || Number.isInteger(value));
    case "list":
      return Array.isArray(value) && value.length >= kind.least && value.length <= kind.most &&
        value.every((entry) => takes(kind.item, entry));
    case "fields":
      return isObject(value) && kind.required.every((name) => Object.hasOwn(value, name)) &&
        Object.entries(value).every(([name, entry]) => {
          const field = kind.fields.get(name);
          return field === undefined ? kind.open : takes(field, entry);
        });
  }
}

/** Whether a description names the range of numbers, which then is the one that counts. */
export function namesRange({ description }: Form): boolean {
  return /\d to [-\d]/.test(description);
}

/** What a form takes, in words, e.g. `"right" or "left"`, `3 numbers from -10 to 10`. */
export function formWords(form: Form): string {
  const range = (least: number, most: number) =>
    namesRange(form) || !Number.isFinite(most - least) ? "" : ` from ${least} to ${most}`;
  const words = form.kinds.map((kind) => {
    switch (kind.kind) {
      case "choice":
        return kind.of.map((choice) => JSON.stringify(choice)).join(", ").replace(/, ([^,]*)$/, " or $1");
      case "text":
        return "text";
      case "flag":
        return "true or false";
      case "nothing":
        return "null";
      case "number":
        return `a ${kind.whole ? "whole " : ""}number${range(kind.least, kind.most)}`;
      case "list": {
        const { item, least, most } = kind;
        const number = kindOf(item, "number");
        const count = least === most ? String(least) : Number.isFinite(most) ? `${least} to ${most}` : "some";
        return number === undefined
          ? `${count} entries`
          : `${count} ${number.whole ? "whole " : ""}numbers${range(number.least, number.most)}`;
      }
      case "fields":
        return kind.required.length > 0 ? kind.required.join(" and ") : "fields";
    }
  });
  return words.length === 0 ? "any value" : words.join(", or ");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function formOf(schema: unknown): Form {
  if (!isObject(schema)) return { kinds: [], description: "" };
  const description = typeof schema.description === "string" ? schema.description : "";
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches === undefined) return { kinds: kindsOf(schema), description };
  const forms = branches.map(formOf);
  // A branch that says nothing takes anything.
  const open = forms.some(({ kinds }) => kinds.length === 0);
  return { kinds: open ? [] : forms.flatMap(({ kinds }) => kinds), description };
}

function kindsOf(schema: Record<string, unknown>): Kind[] {
  const { type, enum: choices } = schema;
  if (Array.isArray(choices)) return [{ kind: "choice", of: choices.map(String) }];
  const kinds = (Array.isArray(type) ? type : [type]).map((name) => kindNamed(name, schema));
  return kinds.some((kind) => kind === null) ? [] : kinds.flatMap((kind) => kind ?? []);
}

function kindNamed(type: unknown, schema: Record<string, unknown>): Kind | null {
  const number = (value: unknown, otherwise: number) => typeof value === "number" ? value : otherwise;
  switch (type) {
    case "string":
      return { kind: "text" };
    case "boolean":
      return { kind: "flag" };
    case "null":
      return { kind: "nothing" };
    case "number":
    case "integer": {
      const least = number(schema.minimum ?? schema.exclusiveMinimum, -Infinity);
      const most = number(schema.maximum ?? schema.exclusiveMaximum, Infinity);
      return { kind: "number", whole: type === "integer", least, most };
    }
    case "array": {
      const [least, most] = [number(schema.minItems, 0), number(schema.maxItems, Infinity)];
      return { kind: "list", item: formOf(schema.items), least, most };
    }
    case "object":
      return fieldsOf(schema);
    default:
      return null;
  }
}

function fieldsOf({ properties, required, additionalProperties }: Record<string, unknown>): Fields {
  const fields = Object.entries(isObject(properties) ? properties : {});
  return {
    kind: "fields",
    fields: new Map(fields.map(([name, schema]) => [name, formOf(schema)])),
    required: Array.isArray(required) ? required.map(String) : [],
    open: fields.length === 0 && additionalProperties !== false,
  };
}
