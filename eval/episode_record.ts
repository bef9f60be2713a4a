/** Makes the row of an episode from its steps and its conversation. */
import type { NotRunReason } from "../env/calls.ts";
import type { Episode } from "../env/environment.ts";
import { plainLine } from "../env/plain_text.ts";
import {
  type EndedBy,
  type EpisodeRecord,
  SCHEMA_VERSION,
  type StepRecord,
  type Usage,
} from "../env/records.ts";
import type { EpisodeJob } from "./episode_job.ts";
import type { ModelTurn } from "./model.ts";

/** What the conversation adds up to. */
export class EpisodeTally {
  turns = 0;
  usage: Usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };
  /** Null as soon as the cost of one turn is not known. */
  costUsd: number | null = 0;
  closingMessage: string | null = null;
  callsNotRun: Record<string, number> = {};

  turn({ message, usage, costUsd }: ModelTurn): void {
    this.turns += 1;
    this.closingMessage = message.text;
    this.costUsd = this.costUsd === null || costUsd === null ? null : this.costUsd + costUsd;
    this.usage = {
      input_tokens: this.usage.input_tokens + usage.input_tokens,
      cached_input_tokens: this.usage.cached_input_tokens + usage.cached_input_tokens,
      output_tokens: this.usage.output_tokens + usage.output_tokens,
      reasoning_tokens: this.usage.reasoning_tokens + usage.reasoning_tokens,
    };
  }

  notRun(reason: NotRunReason): void {
    this.callsNotRun[reason] = (this.callsNotRun[reason] ?? 0) + 1;
  }
}

/** How an episode ended; with an `error` it is not complete. */
export type Ending = Pick<EpisodeRecord, "ended_by" | "error" | "seconds">;

/** Whose row it is. */
export type EpisodeIdentity = Omit<EpisodeJob, "folder" | "player"> & { player: { name: string } };

/** @param episode null when it could not even be opened */
export async function episodeRecord(
  job: EpisodeIdentity,
  episode: Episode | null,
  tally: EpisodeTally,
  { ended_by, error, seconds }: Ending,
): Promise<EpisodeRecord> {
  const result = error === null && episode !== null ? await episode.result() : null;
  // The steps of a failed episode may be what failed.
  const steps = await episode?.steps().catch(() => []) ?? [];
  return {
    schema_version: SCHEMA_VERSION,
    episode_id: job.id,
    bench: job.environment.id,
    model_name: job.player.name,
    task_id: job.task.id,
    setting: job.setting,
    protocol: job.protocol,
    run: job.run,
    effort_subset: job.task.effortSubset,
    status: error === null ? "complete" : "error",
    ended_by,
    error: error === null ? null : plainLine(error),
    score: result?.score ?? null,
    score_kind: job.environment.scoreKind,
    metrics: result?.metrics ?? {},
    reward: result?.reward ?? null,
    ...sumOfSteps(steps, ended_by),
    budget_used: budgetUsed(episode?.budgets ?? {}),
    calls_not_run: tally.callsNotRun,
    closing_message: tally.closingMessage,
    details: result?.details ?? {},
    final_state: result?.finalState ?? episode?.state() ?? null,
    usage: tally.usage,
    cost_usd: tally.costUsd,
    seconds,
    context_compacted: false,
    env_fingerprint: job.identity.fingerprint,
    profile_hash: job.identity.profileHash,
    device: job.identity.device,
  };
}

/** The part of a record that follows from the step log alone. */
export function sumOfSteps(steps: readonly StepRecord[], endedBy: EndedBy) {
  const ran = steps.filter((step) => step.step > 0 && !isAutomatic(step, endedBy, steps));
  return {
    steps: steps.length,
    calls: ran.length,
    tool_calls: count(ran.map((step) => step.tool)),
    refusals: count(ran.flatMap((step) => step.refusal ?? [])),
    curve: steps.map(({ step, hidden_score, hidden }) => ({ step, score: hidden_score, metrics: hidden })),
    plans: ran.filter((step) => step.tool === "plan" && step.accepted).map(planText),
  } satisfies Partial<EpisodeRecord>;
}

/** Amount of each budget used, by name. */
function budgetUsed(budgets: Episode["budgets"]): Record<string, number> {
  return Object.fromEntries(Object.entries(budgets).map(([name, { used }]) => [name, used]));
}

/** The step that the environment adds when nobody called `submit`: it is no call. */
function isAutomatic(step: StepRecord, endedBy: EndedBy, steps: readonly StepRecord[]): boolean {
  return endedBy !== "submit" && endedBy !== "error" && step.tool === "submit" &&
    step.step === steps.length - 1 && step.done && step.accepted;
}

function planText(step: StepRecord): string {
  const { arguments: args } = step;
  if (typeof args !== "object" || args === null) return "";
  return Object.values(args).filter((value) => typeof value === "string").join(": ");
}

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
