/**
 * A fit by gradient descent is an optimum of the renderer it was made with, on its own reference views: rendered under
 * other conventions it gets worse there. That needs no recorded number, and proves nothing: a value may be better by a
 * few thousandths of a dB and still be wrong.
 */
import type { RenderProfile } from "../render/profile.ts";
import type { Scene } from "../scene.ts";
import type { EvidenceTask } from "./evidence_task.ts";
import { type Choice, type Knob, profileOf } from "./knob.ts";
import type { ProfileMeter } from "./profile_meter.ts";
import { descend } from "./search.ts";

export interface SelfConsistency {
  readonly best: Choice;
  /** Mean dB that the fits lose on their reference views by one value changed in `best`: [knobs][values]. */
  readonly lostDb: readonly (readonly number[])[];
}

/** Tasks whose fits are looked at. */
const MOST_TASKS = 4;
/** dB; what fits gain by wrong values of knobs that hardly show. */
const LEAST_GAIN = 0.02;

/** Null where no task has a fit. */
export async function selfConsistency(
  tasks: readonly Pick<EvidenceTask, "reference" | "fits">[],
  knobs: readonly Knob<RenderProfile>[],
  base: RenderProfile,
  start: Choice,
  meter: Pick<ProfileMeter, "measure">,
): Promise<SelfConsistency | null> {
  // Reassemblies have the photos and fits of their builds.
  const own = distinct(tasks.filter(({ fits }) => fits.length > 0)).slice(0, MOST_TASKS);
  if (own.length === 0) return null;
  const known = new Map<string, number>();
  const cost = async (choice: Choice) => {
    const found = known.get(choice.join());
    if (found !== undefined) return found;
    let [sum, count] = [0, 0];
    for (const { reference, fits } of own) {
      for (
        const { psnr } of await meter.measure(profileOf(knobs, base, choice), {
          views: reference,
          scenes: fits,
        })
      ) {
        sum += psnr;
        count += 1;
      }
    }
    known.set(choice.join(), -sum / count);
    return -sum / count;
  };
  const sizes = knobs.map(({ values }) => values.length);
  const best = await descend({ sizes }, cost, [start], { leastGain: LEAST_GAIN });
  const least = await cost(best);
  const lostDb: number[][] = [];
  for (const [k, size] of sizes.entries()) {
    const lost: number[] = [];
    for (let value = 0; value < size; value++) lost.push(await cost(best.with(k, value)) - least);
    lostDb.push(lost);
  }
  return { best, lostDb };
}

function distinct<Task extends { readonly fits: readonly Scene[] }>(tasks: readonly Task[]): Task[] {
  return [...new Map(tasks.map((task) => [JSON.stringify(task.fits[0]), task])).values()];
}
