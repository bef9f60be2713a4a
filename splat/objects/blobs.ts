/** Random scenes of Gaussians for training tasks: a few objects, each a cloud of flat-coloured blobs. */
import { type Stream, stream } from "../../env/random.ts";
import { normalize } from "../../env/quaternion.ts";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian, Scene } from "../scene.ts";

/** Half edge of the cube that every scene keeps to. */
const CUBE = 0.9;
/** Beyond this many standard deviations a Gaussian is as good as invisible. */
const VISIBLE_SIGMAS = 3;
const MOST_OBJECTS = 6;
/** Six objects of this many stay within the 300 Gaussians of an episode. */
const MOST_BLOBS = 50;

/**
 * Two to six objects with 12 to 50 Gaussians each, labelled `object_1`, …, inside [−0.9, 0.9]³ up to three standard
 * deviations; ids count from 1. Any integer is a seed; the same seed gives the same scene on every machine.
 */
export function randomBlobScene(seed: number): Scene {
  const draw = stream(seed, "blob scene");
  const scene: Gaussian[] = [];
  const objects = draw.integer(2, MOST_OBJECTS + 1);
  for (let object = 1; object <= objects; object++) {
    for (const blob of randomObject(draw)) {
      scene.push({ ...blob, id: scene.length + 1, group: `object_${object}` });
    }
  }
  return scene;
}

/** Blobs spread through a randomly turned ellipsoid, their colours varied around one. */
function randomObject(draw: Stream): Omit<Gaussian, "id" | "group">[] {
  const radius = draw.range(0.2, 0.45);
  const inside = CUBE - radius;
  const center = vector(() => draw.range(-inside, inside));
  const flatness = vector(() => draw.range(0.25, 1));
  const base = vector(() => draw.range(0.1, 0.9));
  const count = draw.integer(12, MOST_BLOBS + 1);
  return Array.from({ length: count }, () => {
    const [ux, uy, uz] = unit(draw);
    // The share of the radius that the mean uses; the rest is left for three standard deviations.
    const reach = 0.7 * Math.cbrt(draw.next());
    const largest = (1 - reach) * radius / VISIBLE_SIGMAS;
    return {
      mean: [
        center[0] + reach * radius * flatness[0] * ux,
        center[1] + reach * radius * flatness[1] * uy,
        center[2] + reach * radius * flatness[2] * uz,
      ],
      scale: vector(() => largest * draw.range(0.3, 1)),
      quaternion: randomQuaternion(draw),
      color: vector((i) => Math.min(Math.max(base[i] + 0.08 * draw.normal(), 0), 1)),
      opacity: draw.range(0.6, 1),
    };
  });
}

function vector(component: (i: 0 | 1 | 2) => number): Vector3 {
  return [component(0), component(1), component(2)];
}

/** Uniform on the unit sphere. */
function unit(draw: Stream): Vector3 {
  const [x, y, z] = vector(() => draw.normal());
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Uniform over rotations: a normal 4-vector has no preferred direction. */
function randomQuaternion(draw: Stream): Quaternion {
  return normalize([draw.normal(), draw.normal(), draw.normal(), draw.normal()]);
}
