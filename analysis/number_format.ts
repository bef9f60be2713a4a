/** How numbers read in tables and reports; a value that is not there, or not finite, is an en dash. */
import type { MeanOverTasks } from "./summary.ts";

/** What stands for a value that is not there. */
export const NO_VALUE = "–";

/** Fixed decimals with a typographic minus, no minus before zero, ties to even as Python's `format` has them. */
export function fixed(value: number | null, digits: number): string {
  if (value === null || !Number.isFinite(value)) return NO_VALUE;
  const size = roundedText(Math.abs(value), digits);
  return value < 0 && Number(size) !== 0 ? `−${size}` : size;
}

/** The same with a plus before what is above zero. */
export function signed(value: number | null, digits: number): string {
  const size = fixed(value, digits);
  return value !== null && value > 0 && Number(size) !== 0 ? `+${size}` : size;
}

/** A whole number with a comma between thousands. */
export function grouped(value: number): string {
  return fixed(value, 0).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `12.3 [10.1, 14.5]`, or `12.3` where there is no interval. */
export function meanWithInterval(
  interval: MeanOverTasks | null,
  digits: number,
  withSign = false,
): string {
  if (interval === null) return NO_VALUE;
  const show = withSign ? signed : fixed;
  const { mean, low, high } = interval;
  if (low === null || high === null) return show(mean, digits);
  return `${show(mean, digits)} [${show(low, digits)}, ${show(high, digits)}]`;
}

/** US dollars with two decimals, below ten cents with two significant digits: `$1.69`, `$0.26`, `$0.030`. */
export function money(dollars: number | null): string {
  if (dollars === null || !Number.isFinite(dollars)) return NO_VALUE;
  const places = dollars === 0 ? 0 : Math.floor(Math.log10(Math.abs(dollars)));
  return `$${fixed(dollars, places < -1 ? Math.min(1 - places, 20) : 2)}`;
}

/** A duration: `0.4 s`, `12 s`, `6.6 min`, `2.5 h`. */
export function duration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return NO_VALUE;
  if (seconds < 9.95) return `${fixed(seconds, 1)} s`;
  if (seconds < 59.5) return `${fixed(seconds, 0)} s`;
  if (seconds < 7200) return `${fixed(seconds / 60, 1)} min`;
  return `${fixed(seconds / 3600, 1)} h`;
}

/** `toFixed` rounds ties away from zero; a tie is a binary fraction just one bit longer than the decimals. */
function roundedText(size: number, digits: number): string {
  const doubled = size * 10 ** digits * 2;
  const isTie = Number.isInteger(size * 2 ** (digits + 1)) && doubled % 2 === 1;
  const floor = (doubled - 1) / 2;
  return isTie && floor % 2 === 0 ? (floor / 10 ** digits).toFixed(digits) : size.toFixed(digits);
}
