/** What a tool is: one value that says everything about it. `table.ts` lists them all. */
import { z } from "zod";
import type { ToolSpec } from "../../env/observation.ts";
import type { Image } from "../../env/image.ts";
import type { Camera } from "../camera.ts";
import type { RenderedView } from "../render/renderer_types.ts";
import type { Scene } from "../scene.ts";
import type { SplatTask } from "../task.ts";
import { explain } from "./argument_errors.ts";
import type { Refusal } from "./refusal.ts";

/** A call that did what it asked for. */
export interface ToolResult {
  readonly text: string;
  readonly image?: Image;
  /** The new scene, where the tool changes it. */
  readonly scene?: Scene;
}

/** Draws a scene from the cameras of one task. */
export interface Painter {
  /** The scene from these reference views, measured against their photos, pixels included. */
  referenceViews(scene: Scene, views: readonly number[]): Promise<RenderedView[]>;
  /** The scene from any camera, pixels included. */
  fromCamera(scene: Scene, camera: Camera): Promise<RenderedView>;
}

/** All that a tool may look at. */
export interface ToolContext {
  readonly task: SplatTask;
  readonly scene: Scene;
  /** The id that the next new Gaussian gets; ids are never used twice in an episode. */
  readonly nextId: number;
  readonly painter: Painter;
}

export interface SplatTool {
  readonly name: string;
  readonly spec: ToolSpec;
  /** Argument names it takes, and other spellings of them. */
  readonly argumentNames: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  /** What an accepted call uses besides the call itself. */
  readonly cost: { readonly renders: number };
  readonly endsEpisode: boolean;
  run(args: unknown, context: ToolContext): Promise<ToolResult | Refusal>;
}

interface ToolDefinition<Shape extends z.ZodRawShape> {
  name: string;
  description: string;
  args: z.ZodObject<Shape>;
  aliases?: Readonly<Record<string, string>>;
  cost?: { renders: number };
  endsEpisode?: boolean;
  run(
    args: z.output<z.ZodObject<Shape>>,
    context: ToolContext,
  ): ToolResult | Refusal | Promise<ToolResult | Refusal>;
}

/** A tool whose arguments are checked against its schema before it runs. */
export function defineTool<Shape extends z.ZodRawShape>(tool: ToolDefinition<Shape>): SplatTool {
  return {
    name: tool.name,
    spec: { name: tool.name, description: tool.description, parameters: jsonSchema(tool.args) },
    argumentNames: Object.keys(tool.args.shape),
    aliases: tool.aliases ?? {},
    cost: tool.cost ?? { renders: 0 },
    endsEpisode: tool.endsEpisode ?? false,
    run: async (args, context) => {
      const parsed = tool.args.safeParse(args);
      return parsed.success ? await tool.run(parsed.data, context) : explain(parsed.error, args);
    },
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
