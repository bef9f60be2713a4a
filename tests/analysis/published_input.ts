/** The made-up episodes of published_episodes.json as rows of the tables: what the published data would look like. */
import { z } from "zod";
import type { EpisodeRow, StepRow, TaskRow } from "../../tasks/data_rows.ts";
import fixture from "../fixtures/published_episodes.json" with { type: "json" };
import { unpacked } from "../support/packed_rows.ts";

type SettingRow = EpisodeRow & { setting: string };

const slug = (model: string) => model.toLowerCase().replaceAll(" ", "-");

const splatEpisode = z.strictObject({
  ...{ model: z.string(), setting: z.string(), task: z.string(), run: z.number(), score: z.number() },
  ...{ cost: z.number(), seconds: z.number(), calls: z.number(), never_ran: z.number() },
  ended_by: z.enum(["budget", "submit"]),
  compacted: z.boolean().nullable(),
});

export function splatRows(): SettingRow[] {
  return unpacked(fixture.splat.episodes).map((cells): SettingRow => {
    const episode = splatEpisode.parse(cells);
    const { model, setting, task, run, calls } = episode;
    return {
      schema_version: 1,
      episode_id: `${slug(model)}__${task}__eval_r${run}`,
      model_name: model,
      setting,
      task_id: task,
      run,
      score: episode.score,
      score_kind: "full",
      status: "complete",
      cost_usd: episode.cost,
      seconds: episode.seconds,
      input_tokens: 1000,
      calls,
      steps: 1 + calls + (episode.ended_by === "budget" ? 1 : 0),
      ended_by: episode.ended_by,
      calls_not_run: episode.never_ran > 0 ? { cut_off: episode.never_ran } : {},
      refusals: setting === "early_submit_refused" ? { early_submit: 1 } : {},
      context_compacted: episode.compacted ?? false,
    };
  });
}

export function splatTaskRows(): TaskRow[] {
  return Object.entries(fixture.splat.references).map(([task_id, scores]) => ({
    schema_version: 1,
    task_id,
    baselines: recorded(scores, { lpips: 0.5 }),
  }));
}

const shadowEpisode = z.strictObject({
  ...{ model: z.string(), effort: z.string(), task: z.string(), score: z.number(), cost: z.number() },
  ...{ seconds: z.number(), better: z.number(), worse: z.number(), neither: z.number() },
  ...{ hand_collision: z.number(), self_collision: z.number(), call_limit: z.number() },
  ...{ joint_range: z.number(), spread: z.number(), never_ran: z.number(), peeks: z.number() },
  ...{ below_best: z.boolean(), plans_first: z.boolean(), named: z.boolean(), calls: z.number() },
  ended_by: z.enum(["budget", "submit"]),
  /** Where both hands cast a shadow, metres. */
  ...{ gap: z.number().nullable(), depth: z.number().nullable() },
});
type ShadowEpisode = z.infer<typeof shadowEpisode>;

function shadowEpisodes(): ShadowEpisode[] {
  return unpacked(fixture.shadow.episodes).map((cells) => shadowEpisode.parse(cells));
}

export function shadowRows(): SettingRow[] {
  return shadowEpisodes().map((episode): SettingRow => {
    const { model, effort, task, score, calls } = episode;
    const steps = stepsOf(episode);
    const before = score / 0.94 ** episode.peeks;
    return {
      schema_version: 1,
      episode_id: `${slug(model)}@${effort}/${task}`,
      model_name: model,
      setting: `${effort}_effort`,
      task_id: task,
      score,
      score_kind: "full",
      status: "complete",
      metrics: components(before),
      cost_usd: episode.cost,
      seconds: episode.seconds,
      input_tokens: 1000,
      calls,
      steps: 1 + calls,
      ended_by: episode.ended_by,
      calls_not_run: episode.never_ran > 0 ? { after_end: episode.never_ran } : {},
      tool_calls: { peek_book: episode.peeks, set_fingers: episode.better },
      refusals: refusalsOf(episode),
      curve: steps.map((row) => ({
        step: row.step,
        score: row.hidden_score,
        metrics: components(row.score_before_peeks ?? 0),
      })),
      details: { hands: { gap: episode.gap ?? 0.3, casting: [episode.gap !== null, true] } },
      final_pose: {
        q: Array.from({ length: 46 }, () => 0),
        positions: [[0.1, 0, 0.5 + (episode.depth ?? 0)], [-0.1, 0, 0.5]],
        quaternions: [[1, 0, 0, 0], [1, 0, 0, 0]],
      },
      env_fingerprint: "made up",
    };
  });
}

export function* shadowStepRows(): Generator<StepRow> {
  for (const episode of shadowEpisodes()) yield* stepsOf(episode);
}

export function shadowTaskRows(): TaskRow[] {
  return Object.entries(fixture.shadow.references).map(([task_id, scores]) => ({
    schema_version: 1,
    task_id,
    baselines: recorded(scores, {}),
  }));
}

function recorded(scores: Readonly<Record<string, number>>, metrics: Record<string, number>) {
  return Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, { score, metrics }]));
}

/** The formula gives back the score: 0.55 + 0.45 of it. */
function components(score: number) {
  return { iou: score / 100, outline_f: score / 100, holes: 1, wrists: 1 };
}

function refusalsOf({ hand_collision, self_collision, call_limit, joint_range, spread }: ShadowEpisode) {
  return { hand_collision, self_collision, call_limit, joint_range, spread };
}

/**
 * Plan, peek, moves, refused moves, looks and a submit that add up to the episode's counts. One that is to submit below
 * its best moves up first and down by more than two points at the end, any other down first and up to its best.
 */
function stepsOf(episode: ShadowEpisode): StepRow[] {
  const { model, effort, task, better, worse, neither, peeks, calls } = episode;
  const final = episode.score / 0.94 ** peeks;
  const [up, down] = episode.below_best
    ? [0.6, worse === 0 ? 0 : Math.max(0.6, 2.5 / worse)]
    : [better === 0 ? 0 : Math.max(0.6, (0.6 * worse + 0.5) / better), 0.6];
  const ups: [string, number][] = Array.from({ length: better }, () => ["set_fingers", up]);
  const downs: [string, number][] = Array.from({ length: worse }, () => ["turn_hand", -down]);
  const still: [string, number][] = Array.from({ length: neither }, () => ["move_hand", 0]);
  const moves = episode.below_best ? [...still, ...ups, ...downs] : [...still, ...downs, ...ups];
  const animal = task.split("_")[1];
  const subject = episode.named ? `A ${animal}, facing left` : "A teapot";
  const plan: Call = {
    tool: "plan",
    accepted: true,
    by: 0,
    arguments: { subject, arrangement: "both hands" },
  };
  const look: Call = { tool: "peek_book", accepted: true, by: 0, arguments: {} };
  const peek = peeks > 0 ? [look] : [];
  const refused = Object.values(refusalsOf(episode)).reduce((sum, count) => sum + count, 0);
  const body: Call[] = [
    ...(episode.plans_first ? [plan, ...peek] : [...peek, plan]),
    ...moves.map(([tool, by]): Call => ({ tool, accepted: true, by, arguments: {} })),
    ...Array.from(
      { length: refused },
      (): Call => ({ tool: "move_hand", accepted: false, by: 0, arguments: {} }),
    ),
  ];
  const submit: Call[] = episode.ended_by === "budget"
    ? []
    : [{ tool: "submit", accepted: true, by: 0, arguments: {} }];
  const looks = Array.from(
    { length: calls - body.length - submit.length },
    (): Call => ({ tool: "look", accepted: true, by: 0, arguments: { view: "front" } }),
  );
  const sum = moves.reduce((all, [, by]) => all + by, 0);
  let score = final - sum;
  let peeked = 0;
  return [{ tool: "reset", accepted: true, by: 0, arguments: {} }, ...body, ...looks, ...submit].map(
    (call, step): StepRow => {
      score += call.by;
      if (call.tool === "peek_book") peeked++;
      return {
        schema_version: 1,
        episode_id: `${slug(model)}@${effort}/${task}`,
        step,
        tool: call.tool,
        arguments: JSON.stringify(call.arguments),
        accepted: call.accepted,
        response: "",
        hidden_score: score * 0.94 ** peeked,
        score_before_peeks: score,
      };
    },
  );
}

interface Call {
  tool: string;
  accepted: boolean;
  /** Points before peeks. */
  by: number;
  arguments: Record<string, string>;
}
