/** Takes a scene apart: six labelled parts, each somewhere else and turned about the vertical. */
import { BenchError } from "../../env/errors.ts";
import { type Stream, stream } from "../../env/random.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian, Scene } from "../scene.ts";
import type { PartMove } from "../task.ts";
import { transform } from "../tools/transform_group.ts";
import { kMeans } from "../k_means.ts";
import { moveOf } from "./part_move.ts";

export const PARTS = 6;

/** Least and most degrees of a turn, in either sense. */
const TURN_DEG = [45, 180] as const;
/** Half the side of the cube that the means of a moved part keep to, where they fit in at all. */
const HALF_SIDE = 0.9;

export interface Scrambled {
  /** Same Gaussians, ids and order; every group is one of `parts`. */
  readonly start: Scene;
  /** What was done to each part, by label. */
  readonly parts: readonly PartMove[];
}

/**
 * Splits a scene by k-means over its means and moves the parts; labels `part_1`, … are in random order. Equal for equal
 * seeds and names.
 *
 * @param name names the stream of draws, e.g. the object's
 * @throws BenchError for a scene with fewer Gaussians than parts
 */
export function scramble(scene: Scene, seed: number, name: string): Scrambled {
  if (scene.length < PARTS) {
    throw new BenchError({
      what: `Cannot take ${name} apart`,
      why: `it has ${scene.length} Gaussians, ${PARTS} parts are wanted`,
    });
  }
  const means = Float64Array.from(scene.flatMap(({ mean }) => mean));
  const { labels } = kMeans(means, 3, PARTS, stream(seed, "reassembly", name, "k-means"));
  const places = shuffled(stream(seed, "reassembly", name, "labels"));
  const parts = places.map((cluster, place): PartMove => {
    const members = scene.filter((_, i) => labels[i] === cluster);
    return drawMove(`part_${place + 1}`, members, stream(seed, "reassembly", name, "move", place));
  });
  const partOf = (cluster: number) => parts[places.indexOf(cluster)];
  return {
    start: scene.map((gaussian, i) => moved(gaussian, partOf(labels[i]))),
    parts,
  };
}

function moved(gaussian: Gaussian, part: PartMove): Gaussian {
  return { ...transform(gaussian, moveOf(part)), group: part.group };
}

/** The numbers of all clusters in random order (Fisher–Yates). */
function shuffled(draw: Stream): number[] {
  const order = Array.from({ length: PARTS }, (_, i) => i);
  for (let left = PARTS; left > 1; left--) {
    const pick = draw.integer(0, left);
    [order[left - 1], order[pick]] = [order[pick], order[left - 1]];
  }
  return order;
}

/** A turn about the mean of the part, and a place that leaves its means inside the cube, uniform among all such. */
function drawMove(group: string, members: Scene, draw: Stream): PartMove {
  const pivot = vector((axis) =>
    rounded(members.reduce((sum, { mean }) => sum + mean[axis], 0) / members.length)
  );
  const [least, most] = TURN_DEG;
  const sense = draw.next() < 0.5 ? -1 : 1;
  const degrees = sense * Math.round(draw.range(least, most) * 10) / 10;
  const turn = moveOf({ group, pivot, degrees, translate: [0, 0, 0] });
  const turned = members.map((gaussian) => transform(gaussian, turn).mean);
  const translate = vector((axis) => {
    const least = -HALF_SIDE - Math.min(...turned.map((mean) => mean[axis]));
    const most = HALF_SIDE - Math.max(...turned.map((mean) => mean[axis]));
    // What is longer than the cube stands in its middle.
    return rounded(least < most ? draw.range(least, most) : (least + most) / 2);
  });
  return { group, pivot, translate, degrees };
}

/** To the decimals that a task file holds, before it is used: the file's numbers are the exact ones. */
function rounded(value: number): number {
  return Number(value.toFixed(4)) + 0;
}

function vector(component: (axis: 0 | 1 | 2) => number): Vector3 {
  return [component(0), component(1), component(2)];
}
