/** Numbers as texts show them. */

/** At most `digits` decimals, without trailing zeros and without −0. */
export function decimal(value: number, digits = 3): string {
  return String(Number(value.toFixed(digits)) + 0);
}

/** `x, y, z` in brackets. */
export function vector(values: readonly number[], digits = 3): string {
  return `[${values.map((value) => decimal(value, digits)).join(", ")}]`;
}

/** `1 Gaussian`, `2 Gaussians`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** `#rrggbb` of an sRGB colour in [0, 1]. */
export function hexColor(color: readonly number[]): string {
  return `#${color.map((part) => Math.round(255 * part).toString(16).padStart(2, "0")).join("")}`;
}
