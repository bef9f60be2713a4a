/** What a tool is: one value that says everything about it. Each benchmark lists its own in a table. */
import { z } from "zod";
import { explain, unknownArguments } from "./argument_errors.ts";
import type { ToolSpec } from "./observation.ts";
import type { Refusal } from "./refusal.ts";

/** A tool that works on a `Context` and answers with a `Result`, or is refused. */
export interface Tool<Context, Result> {
  readonly name: string;
  readonly spec: ToolSpec;
  /** Argument names it takes, and other spellings of them. */
  readonly argumentNames: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  /** What an accepted call uses besides the call itself, by budget. */
  readonly cost: Readonly<Record<string, number>>;
  readonly endsEpisode: boolean;
  run(args: unknown, context: Context): Promise<Result | Refusal>;
}

interface ToolDefinition<Context, Result, Shape extends z.ZodRawShape> {
  name: string;
  description: string;
  args: z.ZodObject<Shape>;
  aliases?: Readonly<Record<string, string>>;
  cost?: Readonly<Record<string, number>>;
  endsEpisode?: boolean;
  run(
    args: z.output<z.ZodObject<Shape>>,
    context: Context,
  ): Result | Refusal | Promise<Result | Refusal>;
}

/** A maker of tools whose arguments are checked against their schema before they run. */
export function toolMaker<Context, Result>() {
  return <Shape extends z.ZodRawShape>(
    tool: ToolDefinition<Context, Result, Shape>,
  ): Tool<Context, Result> => {
    const error = unknownArguments(tool.args.shape);
    return {
      name: tool.name,
      spec: { name: tool.name, description: tool.description, parameters: jsonSchema(tool.args) },
      argumentNames: Object.keys(tool.args.shape),
      aliases: tool.aliases ?? {},
      cost: tool.cost ?? {},
      endsEpisode: tool.endsEpisode ?? false,
      run: async (args, context) => {
        const parsed = tool.args.safeParse(args, { error });
        return parsed.success ? await tool.run(parsed.data, context) : explain(parsed.error, args);
      },
    };
  };
}

/** JSON Schema of what a model sends, without the bounds of JavaScript's whole numbers: they say nothing to it. */
function jsonSchema(args: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(args, {
    io: "input",
    override: ({ jsonSchema: node }) => {
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
    },
  });
  return schema;
}
