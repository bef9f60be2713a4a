/** Plays a recorded episode's calls again in a fresh environment and names what comes out differently. */
import { decodeCall } from "../env/calls.ts";
import type {
  EnvironmentDefinition,
  EnvironmentIdentity,
  EpisodeResult,
  MetricColumn,
  TaskInfo,
} from "../env/environment.ts";
import { canonicalJson } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import type { EpisodeRecord, ScoreKind, StepRecord } from "../env/records.ts";
import type { RecordedEpisode } from "../tasks/run_reader.ts";
import type { TranscriptLine } from "../tasks/run_schema.ts";
import { jsonDifference, metricThatDisagrees, numbersAgree, valueAt } from "./agreement.ts";
import { budgetUsed, sumOfSteps } from "./episode_record.ts";
import { compareSteps, type Difference } from "./step_differences.ts";

export interface ReplayReport {
  episode: EpisodeRecord;
  /** Steps that were played again. */
  steps: number;
  /** Calls that never ran: there is nothing to play again. */
  callsNotRun: number;
  /** Whether everything had to be identical, pixels too: the device is the one that recorded it. */
  exact: boolean;
  /** In the order of steps; what belongs to the whole episode comes last. */
  differences: Difference[];
}

interface Call {
  tool: string;
  args: unknown;
}

/**
 * @param task the task under the recorded id
 * @throws BenchError naming file and line of what cannot be read
 */
export async function replayEpisode(
  environment: EnvironmentDefinition,
  identity: EnvironmentIdentity,
  task: TaskInfo,
  recorded: RecordedEpisode,
): Promise<ReplayReport> {
  const { record } = recorded;
  const exact = record.device === identity.device;
  const steps = await recorded.steps();
  const transcript = await recorded.transcript();
  const images = new Map<number, Image | null>();
  const replayed = await playAgain(environment, task, record, recordedCalls(transcript, steps), images);
  const differences = await compareSteps({
    recorded: steps,
    now: replayed.steps,
    recordedImage: (key) => recorded.image(key),
    imageNow: (step) => images.get(step) ?? null,
    columns: environment.columns,
    exact,
  });
  if (replayed.end !== null) {
    differences.push(...compareEnd(record, steps, replayed.end, environment.columns, exact));
  }
  const callsNotRun = transcript.filter(({ message }) => message.role === "tool" && message.step === null);
  return {
    episode: record,
    steps: replayed.steps.length,
    callsNotRun: callsNotRun.length,
    exact,
    differences,
  };
}

/**
 * The calls that ran, in the order of their steps: what the model sent where the transcript has it, else what the
 * step log says the environment received. Steps that no call made, as an automatic submit, are left out.
 */
function recordedCalls(transcript: readonly TranscriptLine[], steps: readonly StepRecord[]): Call[] {
  const issued = new Map(
    transcript.flatMap(({ message }) =>
      message.role === "assistant" ? message.calls.map((call) => [call.id, call] as const) : []
    ),
  );
  const results = transcript.flatMap(({ message }) =>
    message.role === "tool" && message.step !== null ? [{ id: message.call_id, step: message.step }] : []
  );
  return results.sort((a, b) => a.step - b.step).flatMap(({ id, step }): Call[] => {
    const call = issued.get(id);
    const decoded = call === undefined ? null : decodeCall({ ...call, cutOff: call.cut_off });
    if (call !== undefined && decoded !== null && "args" in decoded) {
      return [{ tool: call.name, args: decoded.args }];
    }
    const logged = steps.find((row) => row.step === step);
    return logged === undefined ? [] : [{ tool: logged.tool, args: logged.arguments }];
  });
}

/** How a replay ended. */
interface ReplayEnd {
  scoreKind: ScoreKind;
  result: EpisodeResult;
  budgetUsed: Record<string, number>;
}

async function playAgain(
  environment: EnvironmentDefinition,
  task: TaskInfo,
  { episode_id, protocol, status }: EpisodeRecord,
  calls: readonly Call[],
  images: Map<number, Image | null>,
): Promise<{ steps: readonly StepRecord[]; end: ReplayEnd | null }> {
  const episode = await environment.open(task, {
    id: episode_id,
    protocol,
    onStep: ({ step }, image) => void images.set(step, image),
  });
  await episode.observe();
  for (const { tool, args } of calls) await episode.call(tool, args);
  if (status === "error") return { steps: await episode.steps(), end: null };
  await episode.submit();
  const result = await episode.result();
  const { scoreKind } = environment;
  return {
    steps: await episode.steps(),
    end: { scoreKind, result, budgetUsed: budgetUsed(episode.budgets) },
  };
}

/** The episode's record against its own steps and against the end of the replay. */
function compareEnd(
  record: EpisodeRecord,
  steps: readonly StepRecord[],
  { scoreKind, result, budgetUsed }: ReplayEnd,
  columns: readonly MetricColumn[],
  exact: boolean,
): Difference[] {
  const differences: Difference[] = [];
  const differ = (field: string, was: unknown, is: unknown) =>
    differences.push({
      step: null,
      field,
      recorded: canonicalJson(was ?? null),
      now: canonicalJson(is ?? null),
    });
  const same = (field: string, was: unknown, is: unknown) => {
    const place = jsonDifference(was, is);
    if (place !== null) differ(field + place, valueAt(was, place), valueAt(is, place));
  };
  const sum = sumOfSteps(steps, record.ended_by);
  same("steps", record.steps, sum.steps);
  same("calls", record.calls, sum.calls);
  same("tool_calls", record.tool_calls, sum.tool_calls);
  same("refusals", record.refusals, sum.refusals);
  same("plans", record.plans, sum.plans);
  same("budget_used", record.budget_used, budgetUsed);
  same("score_kind", record.score_kind, scoreKind);
  const [{ digits }] = columns;
  if (!numbersAgree(record.score, result.score, digits, exact)) differ("score", record.score, result.score);
  if (!numbersAgree(record.reward, result.reward, digits, exact)) {
    differ("reward", record.reward, result.reward);
  }
  const metric = metricThatDisagrees(record.metrics, result.metrics, columns, exact);
  if (metric !== null) differ(`metric ${metric}`, record.metrics[metric], result.metrics[metric]);
  same("final_state", record.final_state, result.finalState);
  if (exact) same("details", record.details, result.details);
  same("curve", record.curve, sum.curve);
  return differences;
}
