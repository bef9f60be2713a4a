/** The tools of SplatBench, in the order that models are told of them. */
import type { CallRules } from "../../env/calls.ts";
import { addGaussians } from "./add_gaussians.ts";
import { deleteGaussians } from "./delete_gaussians.ts";
import { describeGroups } from "./describe_groups.ts";
import { editGaussians } from "./edit_gaussians.ts";
import { listGaussians } from "./list_gaussians.ts";
import { renderAngle } from "./render_angle.ts";
import { renderViews } from "./render_views.ts";
import { submit } from "./submit.ts";
import type { SplatTool } from "./tool.ts";
import { transformGroup } from "./transform_group.ts";
import { viewReferences } from "./view_references.ts";

export const TOOLS: readonly SplatTool[] = [
  addGaussians,
  editGaussians,
  deleteGaussians,
  transformGroup,
  listGaussians,
  describeGroups,
  viewReferences,
  renderViews,
  renderAngle,
  submit,
];

export const TOOL_BY_NAME: ReadonlyMap<string, SplatTool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** A name that the tools do not accept keeps a call from running. */
export const CALL_RULES: CallRules = {
  arguments: Object.fromEntries(
    TOOLS.map((tool) => [tool.name, [...tool.argumentNames, ...Object.keys(tool.aliases)]]),
  ),
  unknownNames: "never-run",
};
