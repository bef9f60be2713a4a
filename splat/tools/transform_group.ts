import { z } from "zod";
import { type Axis, axisDirection, axisField } from "../../env/axis_field.ts";
import { fromAxisAngle, multiply, normalize, rotate } from "../../env/quaternion.ts";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian, Scene } from "../scene.ts";
import { fields } from "../../env/argument_errors.ts";
import { groupField, MAX_POSITION, MAX_SCALE, position, quaternionField } from "./gaussian_fields.ts";
import { count, decimal, vector } from "../../env/numbers.ts";
import { isRefusal, type Refusal, refuse } from "../../env/refusal.ts";
import { findGroup, findIds, idList } from "./selection.ts";
import { defineTool } from "./tool.ts";

const turnField = fields({
  axis: axisField.describe('World axis "x", "y" or "z", or a direction [x, y, z].'),
  degrees: z.number().min(-3600).max(3600).describe(
    "Right-handed: counter-clockwise when the axis points at you; about z, from +X towards +Y.",
  ),
}, { angle: "degrees", deg: "degrees", angle_deg: "degrees" });

/** A similarity: scale by `scale` and turn by `rotation` about `pivot`, then move by `translate`. */
export interface Similarity {
  scale: number;
  rotation: Quaternion;
  pivot: Vector3;
  translate: Vector3;
}

const transformArgs = z.strictObject({
  group: groupField.optional().describe("Label of the piece."),
  ids: idList.optional().describe("Instead of group: ids of the Gaussians that make the piece."),
  translate: position.optional().describe("Move by [x, y, z] world units."),
  rotate: turnField.optional().describe("Turn about an axis through the pivot."),
  quat: quaternionField.optional().describe(
    "Instead of rotate: the turn as a quaternion [w, x, y, z] in world axes, normalized for you.",
  ),
  scale: z.number().min(0.001).max(1000).optional().describe(
    "One factor for the whole piece: distances from the pivot and sizes of its Gaussians; 1 keeps them.",
  ),
  pivot: position.optional().describe(
    "Fixed point [x, y, z] of turning and scaling. Default: the mean of the piece's centres.",
  ),
});
export type TransformInput = z.input<typeof transformArgs>;

export const transformGroup = defineTool({
  name: "transform_group",
  description:
    "Move, turn or scale Gaussians as one rigid piece: all with a group label, or a list of ids. " +
    "The piece is first scaled and turned about the pivot, then moved by translate. Give group or ids, and at " +
    "least one of translate, rotate, quat and scale.",
  args: transformArgs,
  aliases: { translation: "translate", rotation: "rotate" },
  run(args, { scene }) {
    if (args.rotate && args.quat) return refuse("bad_value", "arguments: give rotate or quat, not both");
    if (!args.translate && !args.rotate && !args.quat && args.scale === undefined) {
      return refuse("bad_value", "arguments: give at least one of translate, rotate, quat, scale");
    }
    const piece = selectPiece(scene, args);
    if (isRefusal(piece)) return piece;
    const similarity: Similarity = {
      scale: args.scale ?? 1,
      rotation: args.quat ?? turn(args.rotate),
      pivot: args.pivot ?? centre(piece),
      translate: args.translate ?? [0, 0, 0],
    };
    const moved = new Map(piece.map((gaussian) => [gaussian.id, transform(gaussian, similarity)]));
    const outside = [...moved.values()].find((gaussian) => !withinLimits(gaussian));
    if (outside !== undefined) return tooFar(outside);
    return {
      scene: scene.map((gaussian) => moved.get(gaussian.id) ?? gaussian),
      text: `Moved ${count(piece.length, "Gaussian")} about the pivot ${vector(similarity.pivot)}; ` +
        `the piece is now centred at ${vector(centre([...moved.values()]))}.`,
    };
  },
});

/** μ' = p + s R (μ − p) + t, Σ' = s² R Σ Rᵀ. */
export function transform(gaussian: Gaussian, { scale, rotation, pivot, translate }: Similarity): Gaussian {
  const [x, y, z] = gaussian.mean;
  const turned = rotate(rotation, [x - pivot[0], y - pivot[1], z - pivot[2]]);
  return {
    ...gaussian,
    mean: [
      pivot[0] + scale * turned[0] + translate[0],
      pivot[1] + scale * turned[1] + translate[1],
      pivot[2] + scale * turned[2] + translate[2],
    ],
    scale: [scale * gaussian.scale[0], scale * gaussian.scale[1], scale * gaussian.scale[2]],
    quaternion: normalize(multiply(rotation, gaussian.quaternion)),
  };
}

function selectPiece(
  scene: Scene,
  { group, ids }: { group?: string; ids?: readonly number[] },
): readonly Gaussian[] | Refusal {
  if ((group === undefined) === (ids === undefined)) {
    return refuse("bad_value", `arguments: give group or ids${group === undefined ? "" : ", not both"}`);
  }
  if (group !== undefined) return findGroup(scene, group);
  const found = findIds(scene, ids ?? [], (index) => `ids[${index}]`);
  return isRefusal(found) ? found : scene.filter(({ id }) => found.has(id));
}

function turn(rotation: { axis: Axis; degrees: number } | undefined): Quaternion {
  if (rotation === undefined) return [1, 0, 0, 0];
  const { axis, degrees } = rotation;
  return fromAxisAngle(axisDirection(axis), degrees);
}

function centre(piece: readonly Gaussian[]): Vector3 {
  const mean = (axis: 0 | 1 | 2) => piece.reduce((sum, { mean }) => sum + mean[axis], 0) / piece.length;
  return [mean(0), mean(1), mean(2)];
}

function withinLimits({ mean, scale }: Gaussian): boolean {
  return mean.every((part) => Math.abs(part) <= MAX_POSITION) &&
    scale.every((part) => part > 0 && part <= MAX_SCALE);
}

function tooFar({ id, mean, scale }: Gaussian): Refusal {
  return refuse(
    "out_of_bounds",
    `arguments: Gaussian ${id} would get centre ${vector(mean)} and scale [${
      scale.map((part) => decimal(part, 6)).join(", ")
    }]; ` +
      `centres must stay within ${MAX_POSITION} of the origin on each axis, scales above 0 and at most ${MAX_SCALE}`,
  );
}
