/** Finding: the knowledge is there. Animals named before any look at the book, and who consults it. */
import type { PlayedEpisode } from "../played_episode.ts";
import { resultTable, type Share, share, type TableOrOmission } from "../result_table.ts";
import { groupColumns } from "../tables/budget_use.ts";
import { completeOf, shareOf } from "../task_means.ts";
import { namesAnimal, titleFromId } from "./animal_names.ts";
import { allAndEach, type ShadowContext } from "./context.ts";
import type { StepFact } from "./step_facts.ts";

const PEEK = "peek_book";

export function knowledgeTable(context: ShadowContext): TableOrOmission {
  const { bench, scoreKind, episodes } = context;
  return resultTable(
    {
      bench,
      scoreKind,
      id: "knowledge",
      title: "Animals named before any look at the book, and the book consulted",
      notes: context.steps === null
        ? ["Plans and the order of peeks and moves need the table of steps."]
        : ["A plan names the animal by a word of the plate's title or another name of the same animal."],
    },
    allAndEach(episodes),
    [
      ...groupColumns,
      share("named", "Plans that name it", ({ episodes: own }) => plansNaming(own, context)),
      share(
        "consulted",
        "Consulted the book",
        ({ episodes: own }) =>
          shareOf(own, ({ toolCalls }) => toolCalls === null ? null : (toolCalls[PEEK] ?? 0) > 0),
      ),
      share(
        "before_moving",
        "Of them before moving",
        ({ episodes: own }) => shareOf(own, (episode) => peekedBeforeMoving(episode, context)),
      ),
    ],
  );
}

/** Of the plans accepted before the first look at the book. */
function plansNaming(
  episodes: readonly PlayedEpisode[],
  { steps, titles, definitions }: ShadowContext,
): Share | null {
  if (steps === null) return null;
  const named = completeOf(episodes).flatMap(({ id, task }) => {
    const subjects = subjectsBeforePeeking(steps.get(id) ?? []);
    const counted = definitions.plans === "first" ? subjects.slice(0, 1) : subjects;
    return counted.map((subject) => namesAnimal(subject, titles.get(task) ?? titleFromId(task)));
  });
  return { count: named.filter(Boolean).length, of: named.length };
}

function subjectsBeforePeeking(steps: readonly StepFact[]): string[] {
  const peek = steps.findIndex(({ tool, accepted }) => tool === PEEK && accepted);
  const before = peek < 0 ? steps : steps.slice(0, peek);
  return before.flatMap(({ subject, accepted }) => accepted && subject !== null ? [subject] : []);
}

/** Null for an episode without a peek. */
function peekedBeforeMoving(
  { id }: PlayedEpisode,
  { steps, definitions: { moveTools } }: ShadowContext,
): boolean | null {
  const accepted = (steps?.get(id) ?? []).filter((fact) => fact.accepted);
  const peek = accepted.findIndex(({ tool }) => tool === PEEK);
  if (peek < 0) return null;
  return !accepted.slice(0, peek).some(({ tool }) => tool !== null && moveTools.includes(tool));
}
