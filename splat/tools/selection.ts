/** Which Gaussians of the scene a call means. */
import { z } from "zod";
import type { Gaussian, Scene } from "../scene.ts";
import { type Refusal, refuse, refuseAll } from "../../env/refusal.ts";
import { wholeNumber } from "../../env/whole_number.ts";

export const idList = z.array(wholeNumber(z.int())).min(1).max(300);

/** Place of each id in the scene, in the order given; refused when one is missing or comes twice. */
export function findIds(scene: Scene, ids: readonly number[], place: (index: number) => string) {
  const places = new Map(scene.map(({ id }, index) => [id, index]));
  const found = new Map<number, number>();
  const problems: Refusal[] = [];
  for (const [index, id] of ids.entries()) {
    const at = places.get(id);
    if (at === undefined) {
      problems.push(refuse("unknown_id", `${place(index)}: there is no Gaussian ${id}`));
    } else if (found.has(id)) {
      problems.push(refuse("duplicate_id", `${place(index)}: ${id} comes twice`));
    } else {
      found.set(id, at);
    }
  }
  if (problems.length === 0) return found;
  const unknown = problems.some(({ refused }) => refused === "unknown_id");
  return refuseAll(problems, problems.length, unknown ? `; ${idsOf(scene)}` : "");
}

/** The Gaussians with a group label. */
export function findGroup(scene: Scene, group: string): readonly Gaussian[] | Refusal {
  const members = scene.filter((gaussian) => gaussian.group === group);
  if (members.length > 0) return members;
  return refuse(
    "unknown_group",
    `group: no Gaussian has the label ${JSON.stringify(group)}; ${labels(scene)}`,
  );
}

/** Ids as ranges, e.g. `1-5, 8, 10-12`. */
export function idRanges(ids: readonly number[]): string {
  const sorted = [...ids].sort((a, b) => a - b);
  const ranges: { first: number; last: number }[] = [];
  for (const id of sorted) {
    const range = ranges.at(-1);
    if (range !== undefined && id === range.last + 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges.map(({ first, last }) => first === last ? `${first}` : `${first}-${last}`).join(", ");
}

function idsOf(scene: Scene): string {
  if (scene.length === 0) return "the scene is empty";
  const ranges = idRanges(scene.map(({ id }) => id));
  return `ids in the scene: ${ranges.length > 200 ? `${ranges.slice(0, 200)}…` : ranges}`;
}

function labels(scene: Scene): string {
  const groups = [...new Set(scene.flatMap(({ group }) => group === null ? [] : [group]))];
  if (groups.length === 0) return "no Gaussian has a label";
  const more = groups.length > 12 ? `, and ${groups.length - 12} more` : "";
  return `labels: ${groups.slice(0, 12).map((group) => JSON.stringify(group)).join(", ")}${more}`;
}
