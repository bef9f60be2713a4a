/** What `calibrate render` searches. */
import type { RenderProfile } from "../render/profile.ts";
import type { Choice, Knob, KnobValue } from "./knob.ts";

/**
 * Fields that work through each other are one knob: `cut` is what leaves faint alphas out, per Gaussian or per
 * pixel (an ellipse at 1/255 without a cut and a cut of 1/255 without an extent give the same picture).
 *
 * Left out, because scenes inside the view frustum cannot show them: near, far, normalizeQuat (rows hold unit
 * quaternions), colorClamp (rows hold colours in [0, 1]), detFloor, kernel; the background is white by the rules.
 */
export const RENDER_KNOBS: readonly Knob<RenderProfile>[] = [
  numbers("pixelCenter", [0.5, 0]),
  numbers("dilation", [0.3, 0, 0.1, 0.5, 1]),
  {
    name: "compensation",
    values: [none("none"), { label: "sqrt-det", change: { compensation: "sqrt-det" } }],
  },
  {
    name: "cut",
    values: [0, 1 / 255].flatMap((alphaMin) =>
      (["none", "sigma3-circle", "sigma3.33-rect-opacity", "opacity-ellipse"] as const).map((extent) => ({
        label: `${alphaMin === 0 ? "0" : "1/255"}, ${extent}`,
        change: { alphaMin, extent },
      }))
    ),
  },
  numbers("alphaMax", [0.99, 0.999, 0.9999, 1]),
  {
    name: "tStop",
    values: [
      { label: "0", change: { tStop: 0, tStopDrops: true } },
      { label: "1e-4, drops", change: { tStop: 1e-4, tStopDrops: true } },
      { label: "1e-4, draws", change: { tStop: 1e-4, tStopDrops: false } },
    ],
  },
  {
    name: "sort",
    values: (["z", "distance"] as const).map((sort) => ({ label: sort, change: { sort } })),
  },
  {
    name: "output",
    values: (["float-clamp", "round8", "trunc8"] as const).map((output) => ({
      label: output,
      change: { output },
    })),
  },
  numbers("minScale", [0, 1e-4, 1e-3]),
  {
    name: "jacobianClamp",
    values: (["sym1.3", "none", "asym0.3"] as const).map((jacobianClamp) => ({
      label: jacobianClamp,
      change: { jacobianClamp },
    })),
  },
];

/** Knobs that make up for each other, so that changing one at a time can end in a wrong combination. */
const COUPLED = ["pixelCenter", "dilation", "compensation", "output"];

/** Every combination of the coupled knobs, the others as in `choice`, which comes first. */
export function coupledStarts(knobs: readonly Knob<RenderProfile>[], choice: Choice): Choice[] {
  return knobs.reduce<Choice[]>((starts, { name, values }, k) => {
    if (!COUPLED.includes(name)) return starts;
    return starts.flatMap((start) => [
      start,
      ...[...values.keys()].filter((value) => value !== choice[k]).map((value) => start.with(k, value)),
    ]);
  }, [choice]);
}

function numbers(
  name: "pixelCenter" | "dilation" | "alphaMax" | "minScale",
  values: readonly number[],
): Knob<RenderProfile> {
  return { name, values: values.map((value) => ({ label: String(value), change: { [name]: value } })) };
}

function none(compensation: "none"): KnobValue<RenderProfile> {
  return { label: compensation, change: { compensation } };
}
