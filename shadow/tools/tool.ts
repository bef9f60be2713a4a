/** What ShadowBench's tools work with. `table.ts` lists them all. */
import { type Tool, toolMaker } from "../../env/tool.ts";
import type { ToolAnswer } from "../../env/tool_episode.ts";
import type { Pose, Side } from "../pose.ts";
import type { Studio } from "../studio.ts";
import type { ShadowTask } from "../task.ts";

/** A call that did what it asked for. */
export interface ToolResult extends ToolAnswer {
  /** The new pose, and the hand that differs. */
  readonly moved?: { readonly side: Side; readonly pose: Pose };
  /** Whether the last change is taken back. */
  readonly undone?: boolean;
  readonly planned?: boolean;
  readonly peeked?: boolean;
}

/** A change that `undo` can take back. */
export interface Change {
  /** The pose before it. */
  readonly before: Pose;
  readonly side: Side;
}

/** All that a tool may look at. */
export interface ToolContext {
  readonly task: ShadowTask;
  readonly pose: Pose;
  /** Whether there is a plan. */
  readonly planned: boolean;
  /** The last change that was not undone; null when there is none. */
  readonly lastChange: Change | null;
  readonly studio: Studio;
}

export type ShadowTool = Tool<ToolContext, ToolResult>;

export const defineTool = toolMaker<ToolContext, ToolResult>();
