/** Finding: moves are poorly aimed. What accepted moves do to the score, and what submitting gives away. */
import type { CurvePoint, PlayedEpisode } from "../played_episode.ts";
import { count, percent, resultTable, share, type TableOrOmission } from "../result_table.ts";
import { groupColumns } from "../tables/budget_use.ts";
import { completeOf, shareOf } from "../task_means.ts";
import { allAndEach, type ShadowContext } from "./context.ts";
import type { FindingDefinitions } from "./definitions.ts";
import type { StepFact } from "./step_facts.ts";

/** Points before peeks that each accepted move gained; the table of steps has the moves. */
export function moveTable(
  { bench, scoreKind, episodes, definitions, steps }: ShadowContext,
): TableOrOmission {
  const id = "moves";
  if (steps === null) return { id, why: "it needs the table of steps" };
  const within = definitions.unchangedWithin;
  const rows = allAndEach(episodes).map((group) => ({
    ...group,
    gains: completeOf(group.episodes).flatMap(({ id }) => moveGains(steps.get(id) ?? [], definitions)),
  }));
  const part = (holds: (gain: number) => boolean) => ({ gains }: { gains: readonly number[] }) => ({
    count: gains.filter(holds).length,
    of: gains.length,
  });
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: "What accepted hand moves do to the score",
      notes: [
        `Neither: within ${within} points, before peeks. Moves are ${definitions.moveTools.join(", ")}.`,
      ],
    },
    rows,
    [
      ...groupColumns,
      count("moves", "Moves", ({ gains }) => gains.length),
      percent("better_percent", "Better", part((gain) => gain > within)),
      percent("worse_percent", "Worse", part((gain) => gain < -within)),
      percent("neither_percent", "Neither", part((gain) => Math.abs(gain) <= within)),
    ],
  );
}

/** Episodes that submitted below their best, and those that never moved a hand. */
export function submissionTable(context: ShadowContext): TableOrOmission {
  const { bench, scoreKind, episodes, definitions } = context;
  return resultTable(
    {
      bench,
      scoreKind,
      id: "submissions",
      title: "Episodes that submitted below their best, or without moving a hand",
      notes: [`Below: by more than ${definitions.belowBestBy} points, before peeks.`],
    },
    allAndEach(episodes),
    [
      ...groupColumns,
      share(
        "below_best",
        "Below their best",
        ({ episodes: own }) =>
          shareOf(own, ({ curve }) => curve === null ? null : givenAway(curve) > definitions.belowBestBy),
      ),
      share(
        "never_moved",
        "Never moved a hand",
        ({ episodes: own }) => shareOf(own, (episode) => neverMoved(episode, context)),
      ),
    ],
  );
}

/** Points between the best shadow of an episode and the one submitted, before peeks. */
export function givenAway(curve: readonly CurvePoint[]): number {
  const scores = curve.flatMap((point) => beforePeeks(point) ?? []);
  return scores.length === 0 ? 0 : Math.max(...scores) - scores[scores.length - 1];
}

/**
 * The score without the factor of the peeks, by the published formula from the components; the hidden score itself
 * where the curve has none.
 */
function beforePeeks({ score, metrics }: CurvePoint): number | null {
  const { iou, outline_f, holes, wrists } = metrics;
  if ([iou, outline_f, holes, wrists].some((part) => part === undefined)) return score;
  return 100 * (0.55 * iou + 0.45 * outline_f) * (0.9 + 0.1 * holes) * (0.95 + 0.05 * wrists);
}

function moveGains(steps: readonly StepFact[], { moveTools }: FindingDefinitions): number[] {
  return steps.flatMap(({ tool, accepted, scoreBeforePeeks }, at) => {
    const before = steps[at - 1]?.scoreBeforePeeks ?? null;
    const isMove = accepted && tool !== null && moveTools.includes(tool);
    return isMove && before !== null && scoreBeforePeeks !== null ? [scoreBeforePeeks - before] : [];
  });
}

/** From the steps where they are there; else from the counts of calls and refusals. Null where neither says. */
function neverMoved(
  { id, toolCalls, refusals }: PlayedEpisode,
  { steps, definitions: { moveTools, moveRefusals } }: ShadowContext,
): boolean | null {
  const own = steps?.get(id);
  if (own !== undefined) {
    return !own.some(({ tool, accepted }) => accepted && tool !== null && moveTools.includes(tool));
  }
  if (toolCalls === null || refusals === null) return null;
  const calls = moveTools.reduce((sum, tool) => sum + (toolCalls[tool] ?? 0), 0);
  const refused = moveRefusals.reduce((sum, cause) => sum + (refusals[cause] ?? 0), 0);
  return calls <= refused;
}
