/** What SplatBench's tools work with. `table.ts` lists them all. */
import { type Tool, toolMaker } from "../../env/tool.ts";
import type { Image } from "../../env/image.ts";
import type { Camera } from "../camera.ts";
import type { RenderedView } from "../render/renderer_types.ts";
import type { Scene } from "../scene.ts";
import type { SplatTask } from "../task.ts";

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

export type SplatTool = Tool<ToolContext, ToolResult>;

export const defineTool = toolMaker<ToolContext, ToolResult>();
