/** What a scene that comes from outside must keep to: a renderer asks no questions. */
import type { Gaussian, Scene } from "./scene.ts";

export interface SceneProblem {
  /** `[3].scale`; empty for the scene as a whole. */
  place: string;
  why: string;
}

/** The first problem of a scene that may hold so many Gaussians; null for one that an episode could hold. */
export function sceneProblem(scene: Scene, most: number): SceneProblem | null {
  if (scene.length > most) return { place: "", why: `${scene.length} Gaussians, but the limit is ${most}` };
  const ids = new Set<number>();
  for (const [at, gaussian] of scene.entries()) {
    const { id } = gaussian;
    const problem = ids.has(id) ? { field: "id", why: `${id} is there twice` } : gaussianProblem(gaussian);
    if (problem !== null) return { place: `[${at}].${problem.field}`, why: problem.why };
    ids.add(id);
  }
  return null;
}

function gaussianProblem({ scale, quaternion, color, opacity }: Gaussian) {
  const share = (value: number) => value >= 0 && value <= 1;
  if (!scale.every((value) => value > 0)) return { field: "scale", why: "every scale must be above 0" };
  if (!(Math.hypot(...quaternion) > 0)) return { field: "quat", why: "a zero quaternion is no rotation" };
  if (!color.every(share)) return { field: "color", why: "colours lie in [0, 1]" };
  if (!share(opacity)) return { field: "opacity", why: "opacity lies in [0, 1]" };
  return null;
}
