/** From 0 at t ≤ 0 to 1 at t ≥ 1 without a corner: 3t² − 2t³. */
export function smoothStep(t: number): number {
  const s = Math.min(1, Math.max(0, t));
  return s * s * (3 - 2 * s);
}
