/** How far recorded numbers may be off because the scenes beside them were rounded after they were measured. */
import { stream } from "../../env/random.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian, Scene } from "../scene.ts";
import { decimalsOf } from "./recorded.ts";

/** Scenes with more decimals than this are as good as exact. */
const EXACT_DECIMALS = 6;
/** Rounded scenes have at least these, however round the numbers that they happen to hold. */
const LEAST_DECIMALS = 3;

/** Half a unit of the last decimal that scenes of one origin were written with; 0 for exact ones. */
export function roundingOf(scenes: Iterable<Scene>): number {
  let most = LEAST_DECIMALS;
  for (const scene of scenes) {
    for (const { mean, scale } of scene) most = Math.max(most, decimalsOf([...mean, ...scale]));
    if (most >= EXACT_DECIMALS) return 0;
  }
  return 0.5 * 10 ** -most;
}

/** A scene that rounds to the same one: every number moved by up to `rounding` either way. */
export function unrounded(scene: Scene, rounding: number, seed: number): Scene {
  const draw = stream(seed, "unrounded scene");
  const moved = (value: number) => value + draw.range(-rounding, rounding);
  const vector = ([x, y, z]: Vector3): Vector3 => [moved(x), moved(y), moved(z)];
  const inUnit = (value: number) => Math.min(1, Math.max(0, value));
  return scene.map((gaussian): Gaussian => {
    const [w, x, y, z] = gaussian.quaternion;
    const [r, g, b] = vector(gaussian.color);
    const [sx, sy, sz] = vector(gaussian.scale);
    return {
      ...gaussian,
      mean: vector(gaussian.mean),
      scale: [Math.max(0, sx), Math.max(0, sy), Math.max(0, sz)],
      quaternion: [moved(w), moved(x), moved(y), moved(z)],
      color: [inUnit(r), inUnit(g), inUnit(b)],
      opacity: inUnit(moved(gaussian.opacity)),
    };
  });
}
