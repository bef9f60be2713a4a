/** The render conventions behind recorded baselines and final scenes. */
import type { Metrics } from "../../env/records.ts";
import { RENDER_PROFILES, type RenderProfile } from "../render/profile.ts";
import type { Scene } from "../scene.ts";
import { splatScore } from "../score/splat_score.ts";
import type { EvidenceScene, EvidenceTask } from "./evidence_task.ts";
import { type Finding, findingsOf, median } from "./findings.ts";
import { choiceOf, knobsWith, profileOf } from "./knob.ts";
import type { ProfileMeter } from "./profile_meter.ts";
import { type RecordedNumber, recordedNumbers } from "./recorded.ts";
import { coupledStarts, RENDER_KNOBS } from "./render_knobs.ts";
import { roundingOf, unrounded } from "./scene_rounding.ts";
import { searchGrid, type SearchResult } from "./search.ts";
import { type SelfConsistency, selfConsistency } from "./self_consistency.ts";

export interface RenderCalibration {
  /** None where nothing is recorded of any scene. */
  readonly findings: readonly Finding[];
  readonly numbers: readonly RecordedNumber[];
  /** Null where no task has a fit; its knobs are those of the findings. */
  readonly selfConsistency: SelfConsistency | null;
  readonly knobs: readonly {
    readonly name: string;
    readonly values: readonly { readonly label: string }[];
  }[];
  /** The profile nearest to the records; without any, the one that suits the fits best. */
  readonly profile: RenderProfile;
}

type Meter = Pick<ProfileMeter, "measure">;

/**
 * Searches `RENDER_KNOBS`: from what the fits prefer, or a named profile that is nearer to the records, to what the
 * records say. Knobs that are not searched stay as in `base`.
 *
 * @param status told of every profile that is measured
 */
export async function calibrateRender(
  tasks: readonly EvidenceTask[],
  base: RenderProfile,
  meter: Meter,
  status: (line: string) => void = () => {},
): Promise<RenderCalibration> {
  const knobs = knobsWith(RENDER_KNOBS, base);
  const sizes = knobs.map(({ values }) => values.length);
  const counted = counting(meter, status);
  const own = await selfConsistency(tasks, knobs, base, choiceOf(knobs, base), counted);
  const start = own?.best ?? choiceOf(knobs, base);
  const told = tasks.map(toldBy).filter(({ numbers }) => numbers.length > 0);
  if (told.length === 0) {
    return { findings: [], numbers: [], selfConsistency: own, knobs, profile: profileOf(knobs, base, start) };
  }
  const groups = await withTolerances(told, profileOf(knobs, base, start), counted);
  const named = Object.values(RENDER_PROFILES).map((profile) => choiceOf(knobs, profile));
  const result: SearchResult = await searchGrid({
    sizes,
    starts: [...coupledStarts(knobs, choiceOf(knobs, base)), start, ...named],
    groups,
    predict: (choice, group) => predictions(told[group], profileOf(knobs, base, choice), counted),
  });
  const numbers = groups.flat();
  return {
    findings: findingsOf(knobs, numbers, result),
    numbers,
    selfConsistency: own,
    knobs,
    profile: profileOf(knobs, base, result.best),
  };
}

/** What is recorded of the scenes of one task, and in which order. */
interface Told {
  readonly task: EvidenceTask;
  readonly numbers: readonly {
    readonly scene: EvidenceScene;
    readonly metric: string;
    readonly value: number;
  }[];
}

function toldBy(task: EvidenceTask): Told {
  const numbers = task.scenes.flatMap((scene) => {
    const metrics = Object.entries(scene.metrics).map(([metric, value]) => ({ scene, metric, value }));
    const scored = scene.score !== null && metrics.length === 0 && task.fits.length > 0;
    return scored ? [{ scene, metric: "score", value: scene.score }] : metrics;
  });
  return { task, numbers };
}

/** Metrics that the meter does not give, for want of weights, are no prediction: the caller leaves them out. */
async function predictions(
  { task, numbers }: Told,
  profile: RenderProfile,
  meter: Meter,
  scenesOf: (scene: EvidenceScene) => Scene = ({ scene }) => scene,
): Promise<number[]> {
  const scenes = [...new Set(numbers.map(({ scene }) => scene))];
  const scored = numbers.some(({ metric }) => metric === "score");
  const fixed: Scene[] = scored ? [[], task.fits[0]] : [];
  const measured = await meter.measure(profile, {
    views: task.heldOut,
    scenes: [...scenes.map(scenesOf), ...fixed],
  });
  const [empty, fit] = measured.slice(scenes.length);
  return numbers.map(({ scene, metric }) => {
    const metrics: Metrics = measured[scenes.indexOf(scene)];
    return metric === "score" ? splatScore("partial", metrics, { empty, fit }) : metrics[metric] ?? NaN;
  });
}

/** Draws of what a rounded scene may have been. */
const UNROUNDED_DRAWS = 4;
/** Standard deviations of what these draws do to a number. */
const NOISE_SIGMAS = 4;

/** Groups of recorded numbers as `told` has them; each column's digits are those of all tasks. */
async function withTolerances(
  told: readonly Told[],
  profile: RenderProfile,
  meter: Meter,
): Promise<RecordedNumber[][]> {
  const noise = await roundingNoise(told, profile, meter);
  const places = told.flatMap(({ numbers }, group) =>
    numbers.map(({ scene, metric, value }, at) => ({
      group,
      at,
      metric,
      value,
      noise: noise[group][at],
      column: `${scene.origin} ${metric}`,
    }))
  );
  const groups: RecordedNumber[][] = told.map(() => []);
  for (const column of Map.groupBy(places, ({ column }) => column).values()) {
    // A scene that hardly moves in these draws may move more in others.
    const typical = median(column.map((place) => place.noise));
    const recorded = recordedNumbers(
      column[0].metric,
      column.map(({ value }) => value),
      column.map((place) => NOISE_SIGMAS * Math.max(place.noise, typical)),
    );
    column.forEach(({ group, at }, i) => groups[group][at] = recorded[i]);
  }
  return groups;
}

/** Standard deviation of each number over what its scene may have been before it was rounded. */
async function roundingNoise(
  told: readonly Told[],
  profile: RenderProfile,
  meter: Meter,
): Promise<number[][]> {
  const scenes = told.flatMap(({ task }) => task.scenes);
  const rounding = {
    task: roundingOf(scenes.filter(({ origin }) => origin === "task").map(({ scene }) => scene)),
    episode: roundingOf(scenes.filter(({ origin }) => origin === "episode").map(({ scene }) => scene)),
  };
  const noise: number[][] = [];
  for (const one of told) {
    const still = await predictions(one, profile, meter);
    const squares = still.map(() => 0);
    for (let draw = 0; draw < UNROUNDED_DRAWS; draw++) {
      const moved = await predictions(
        one,
        profile,
        meter,
        ({ scene, origin }) => rounding[origin] === 0 ? scene : unrounded(scene, rounding[origin], draw),
      );
      moved.forEach((value, i) => squares[i] += (value - still[i]) ** 2 / UNROUNDED_DRAWS);
    }
    noise.push(squares.map(Math.sqrt));
  }
  return noise;
}

function counting(meter: Meter, status: (line: string) => void): Meter {
  const seen = new Set<string>();
  return {
    measure: (profile, job) => {
      seen.add(JSON.stringify(profile));
      status(`${seen.size} profiles tried`);
      return meter.measure(profile, job);
    },
  };
}
