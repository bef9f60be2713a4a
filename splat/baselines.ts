/** Named scenes between which a score is read. */
import type { Baseline, TaskInfo } from "../env/environment.ts";
import { meanGaussian } from "./mean_gaussian.ts";
import { type Scene, sceneToRows } from "./scene.ts";
import { fitOf, FULL_FIT, type SplatTask } from "./task.ts";

/** From nothing to the fit that earns 100; `scrambled` is where a reassembly starts. */
export function splatBaselines(
  load: (info: TaskInfo) => Promise<SplatTask>,
): Readonly<Record<string, Baseline>> {
  const baseline = (sceneOf: (task: SplatTask) => Scene | null): Baseline => async (info) => {
    const scene = sceneOf(await load(info));
    return scene === null ? null : sceneToRows(scene);
  };
  return {
    empty: baseline(() => []),
    mean: baseline(({ reference }) => [meanGaussian(reference)]),
    fit_64: baseline((task) => fitOf(task, 64)?.scene ?? null),
    fit_300: baseline((task) => fitOf(task, FULL_FIT)?.scene ?? null),
    scrambled: baseline(({ kind, start }) => kind === "reassembly" ? start : null),
  };
}
