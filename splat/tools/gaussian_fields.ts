/** The fields of a Gaussian as a model writes them, and their limits. */
import { z } from "zod";
import { fromEuler, normalize } from "../../env/quaternion.ts";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian } from "../scene.ts";
import { fields } from "../../env/argument_errors.ts";
import { wholeNumber } from "../../env/whole_number.ts";

/** Farthest a centre may lie from the origin along an axis, and the largest standard deviation; world units. */
export const MAX_POSITION = 10;
export const MAX_SCALE = 10;

const MAX_DEGREES = 3600;
const MAX_GROUP_LENGTH = 40;

/** Three numbers. */
export function vector3(number: z.ZodNumber) {
  return z.array(number).length(3).transform(([x, y, z]): Vector3 => [x, y, z]);
}

export const position = vector3(z.number().min(-MAX_POSITION).max(MAX_POSITION));
const deviation = z.number().gt(0).max(MAX_SCALE);

export const quaternionField = z.array(z.number().min(-1000).max(1000)).length(4)
  .refine((q) => Math.hypot(...q) > 1e-6, { error: "must not be zero" })
  .transform(([w, x, y, z]): Quaternion => normalize([w, x, y, z]))
  .describe(
    "Rotation from the Gaussian's own axes to the world's: quaternion [w, x, y, z], normalized for you.",
  );

const eulerField = vector3(z.number().min(-MAX_DEGREES).max(MAX_DEGREES)).describe(
  "Instead of quat: degrees [x, y, z] about the fixed world axes, X first, then Y, then Z.",
);

const colorField = z.union([
  z.string().regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, { error: 'must look like "#805e31"' }),
  vector3(z.number().min(0).max(1)),
], { error: 'must be "#rrggbb" or [r, g, b], each 0 to 1' })
  .transform((color): Vector3 => typeof color === "string" ? fromHex(color) : color)
  .describe('sRGB colour: "#rrggbb" or [r, g, b], each 0 to 1.');

/** The rule on characters stays out of the JSON Schema: endpoints differ in the patterns that they can read. */
export const groupField = z.string().min(1).max(MAX_GROUP_LENGTH)
  .refine((label) => /^\P{C}*$/u.test(label), { error: "must be one line of plain characters" });

const FIELDS = {
  pos: position.describe("Centre [x, y, z] in world units; the object lies inside [-0.9, 0.9] on each axis."),
  scale: z.union([deviation, vector3(deviation)], { error: "must be a number or [x, y, z], each > 0" })
    .transform((scale): Vector3 => typeof scale === "number" ? [scale, scale, scale] : scale)
    .describe(
      "Standard deviations along the Gaussian's own axes [x, y, z], or one number for a round one. " +
        "Opacity falls to 61 % at 1 and 14 % at 2 standard deviations from the centre.",
    ),
  quat: quaternionField,
  euler_deg: eulerField,
  color: colorField,
  opacity: z.number().min(0).max(1).describe("Opacity at the centre, 0 to 1."),
  group: groupField.nullable(),
};

const MEANT: Record<string, string> = {
  position: "pos",
  center: "pos",
  centre: "pos",
  mean: "pos",
  xyz: "pos",
  scales: "scale",
  size: "scale",
  radius: "scale",
  sigma: "scale",
  rotation: "quat",
  quaternion: "quat",
  rot: "quat",
  euler: "euler_deg",
  rotation_deg: "euler_deg",
  colour: "color",
  rgb: "color",
  alpha: "opacity",
  label: "group",
  part: "group",
  name: "group",
};

const ONE_ROTATION = "give quat or euler_deg, not both";

/** A new Gaussian; `pos` and `scale` are required. */
export const newGaussian = fields({
  pos: FIELDS.pos,
  scale: FIELDS.scale,
  quat: FIELDS.quat.optional().describe(`${FIELDS.quat.description} Default: no rotation.`),
  euler_deg: FIELDS.euler_deg.optional(),
  color: FIELDS.color.prefault([0.5, 0.5, 0.5]),
  opacity: FIELDS.opacity.default(1),
  group: FIELDS.group.default(null).describe(
    "Label of the part it belongs to, for transform_group and describe_groups.",
  ),
}, MEANT).refine((g) => !(g.quat && g.euler_deg), {
  error: ONE_ROTATION,
});
export type NewGaussian = z.input<typeof newGaussian>;

/** Changes to one Gaussian: its id and at least one field. */
export const gaussianEdit = fields({
  id: wholeNumber(z.int()).describe("Id of the Gaussian to change."),
  pos: FIELDS.pos.optional(),
  scale: FIELDS.scale.optional(),
  quat: FIELDS.quat.optional(),
  euler_deg: FIELDS.euler_deg.optional(),
  color: FIELDS.color.optional(),
  opacity: FIELDS.opacity.optional(),
  group: FIELDS.group.optional().describe("New label, or null for none."),
}, MEANT)
  .refine((edit) => !(edit.quat && edit.euler_deg), { error: ONE_ROTATION })
  .refine((edit) => Object.keys(edit).length > 1, { error: "must change at least one field besides id" });
export type GaussianEdit = z.input<typeof gaussianEdit>;

/** The Gaussian of checked input. */
export function createGaussian(id: number, input: z.output<typeof newGaussian>): Gaussian {
  const { pos, scale, color, opacity, group } = input;
  return { id, mean: pos, scale, quaternion: rotationOf(input) ?? [1, 0, 0, 0], color, opacity, group };
}

/** The Gaussian with the given fields replaced. */
export function applyEdit(gaussian: Gaussian, edit: z.output<typeof gaussianEdit>): Gaussian {
  return {
    id: gaussian.id,
    mean: edit.pos ?? gaussian.mean,
    scale: edit.scale ?? gaussian.scale,
    quaternion: rotationOf(edit) ?? gaussian.quaternion,
    color: edit.color ?? gaussian.color,
    opacity: edit.opacity ?? gaussian.opacity,
    group: edit.group === undefined ? gaussian.group : edit.group,
  };
}

function rotationOf({ quat, euler_deg }: { quat?: Quaternion; euler_deg?: Vector3 }): Quaternion | undefined {
  return quat ?? (euler_deg && normalize(fromEuler(euler_deg)));
}

function fromHex(text: string): Vector3 {
  const digits = text.length === 4 ? text.slice(1).replaceAll(/./g, "$&$&") : text.slice(1);
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
