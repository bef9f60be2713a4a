/** The little that the findings need of a step, so that a table of steps can stream by. */
import { z } from "zod";
import type { StepRow } from "../../tasks/data_rows.ts";
import { byText } from "../played_episode.ts";

/** The columns read; no picture and no pose. */
export const STEP_FACT_COLUMNS = [
  "episode_id",
  "step",
  "tool",
  "arguments",
  "accepted",
  "score_before_peeks",
] as const;
type FactRow = Pick<StepRow, (typeof STEP_FACT_COLUMNS)[number]>;

export interface StepFact {
  readonly step: number;
  readonly tool: string | null;
  readonly accepted: boolean;
  readonly scoreBeforePeeks: number | null;
  /** Subject of a plan, null for every other call. */
  readonly subject: string | null;
}

/** By episode, in the order of the steps. */
export type StepFacts = ReadonlyMap<string, readonly StepFact[]>;

export async function stepFacts(rows: AsyncIterable<FactRow> | Iterable<FactRow>): Promise<StepFacts> {
  const facts = new Map<string, StepFact[]>();
  for await (const row of rows) {
    const own = facts.get(row.episode_id) ?? [];
    facts.set(row.episode_id, own);
    own.push({
      step: row.step,
      tool: row.tool,
      accepted: row.accepted ?? false,
      scoreBeforePeeks: row.score_before_peeks ?? null,
      subject: row.tool === "plan" ? subjectOf(row.arguments) : null,
    });
  }
  for (const own of facts.values()) own.sort((a, b) => a.step - b.step);
  return new Map([...facts].sort(([a], [b]) => byText(a, b)));
}

const planSchema = z.object({ subject: z.string() });

function subjectOf(text: string | null): string {
  try {
    const plan = planSchema.safeParse(JSON.parse(text ?? "null"));
    return plan.success ? plan.data.subject : "";
  } catch {
    return "";
  }
}
