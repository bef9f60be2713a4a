/** A run folder with two episodes of a benchmark, small enough to know by heart. */
import { imageKey } from "../../env/hash.ts";
import { blankImage, type Image } from "../../env/image.ts";
import {
  type EpisodeRecord,
  episodeRecordSchema,
  type StepRecord,
  stepRecordSchema,
} from "../../env/records.ts";
import { RunFolder } from "../../tasks/run_folder.ts";
import { type RunRecord, runRecordSchema } from "../../tasks/run_schema.ts";

export const GAUSSIAN = {
  id: 3,
  // Not to be told from its neighbours in fewer digits than float64 has.
  pos: [0.1, -1 / 3, 0.30000000000000004],
  scale: [0.45, 0.35, 0.03],
  quat: [1, 0, 0, 0],
  color: [0.5, 0.37, 0.19],
  opacity: 0.9,
  group: null,
};
export const POSE = {
  q: Array.from({ length: 46 }, (_, i) => i / 7),
  positions: [[0.1, 0, 0.5], [-0.1, 0, 0.5]],
  quaternions: [[1, 0, 0, 0], [0, 1, 0, 0]],
};

const STATES = { splat: [[], [GAUSSIAN]], shadow: [POSE, { ...POSE, q: POSE.q.toReversed() }] } as const;
const TASK = { splat: "table__sculpt", shadow: "rabbit" } as const;
export const SETTING = "medium_effort";

/** Steps 0 (opening, with a picture), 1 (changes the state) and 2 (changes nothing) of models `a` and `b`. */
export async function writeSmallRun(out: string, bench: "splat" | "shadow"): Promise<void> {
  const folder = await RunFolder.open(out, bench, SETTING);
  await folder.writeRun(runRecord(bench));
  for (const [at, model] of ["a", "b"].entries()) {
    const record = episodeRecordOf(bench, model, at);
    const episode = folder.episode(record.episode_id);
    await episode.open();
    for (const [step, image] of [[0, picture(at)], [1, null], [2, picture(7)]] as const) {
      await episode.appendStep(stepRecord(bench, record.episode_id, step, image), image);
    }
    episode.appendMessage({
      schema_version: 1,
      turn: 0,
      message: {
        role: "user",
        parts: [{ type: "text", text: "Go." }, { type: "image", key: imageKey(picture(at)) }],
      },
      usage: null,
      cost_usd: null,
      finish_reason: null,
    });
    episode.appendMessage({
      schema_version: 1,
      turn: 1,
      message: {
        role: "assistant",
        text: null,
        calls: [{ id: "c1", name: "submit", arguments: "{", cut_off: true }],
        raw: { reasoning: "…" },
      },
      usage: { input_tokens: 5, cached_input_tokens: 1, output_tokens: 2, reasoning_tokens: 0 },
      cost_usd: 0.125,
      finish_reason: "length",
      seconds: 1.5,
    });
    episode.appendMessage({
      schema_version: 1,
      turn: 1,
      message: { role: "tool", call_id: "c1", text: "Not run.", step: null, not_run: "cut_off" },
      usage: null,
      cost_usd: null,
      finish_reason: null,
    });
    await episode.finish(record);
  }
  folder.close();
}

function picture(seed: number): Image {
  return blankImage(5, 3, [seed, 20, 200]);
}

function stepRecord(
  bench: "splat" | "shadow",
  episode_id: string,
  step: number,
  image: Image | null,
): StepRecord {
  return stepRecordSchema.parse({
    schema_version: 1,
    episode_id,
    step,
    tool: ["reset", "add_gaussians", "look"][step],
    arguments: step === 0 ? null : { n: step },
    accepted: step < 2,
    refusal: step < 2 ? null : "over_budget",
    response: `Step ${step}, “quoted”, with\ntwo lines`,
    image: image === null ? null : imageKey(image),
    state: step < 2 ? STATES[bench][step] : null,
    hidden_score: step === 0 ? null : 12.345678901234567,
    score_before_peeks: bench === "shadow" ? 13.5 : null,
    hidden: { psnr: 10.25 },
    budgets: { calls: 40 - step },
    done: step === 2,
  });
}

function episodeRecordOf(bench: "splat" | "shadow", model: string, at: number): EpisodeRecord {
  const task = TASK[bench];
  return episodeRecordSchema.parse({
    schema_version: 1,
    episode_id: bench === "splat" ? `${model}__${task}__eval_r1` : `${model}@medium/${task}`,
    bench,
    model_name: model,
    task_id: task,
    setting: SETTING,
    protocol: "standard",
    run: 1,
    effort_subset: true,
    status: "complete",
    ended_by: "submit",
    error: null,
    score: at === 0 ? 51.25 : null,
    score_kind: "partial",
    metrics: { psnr: 12.5 },
    reward: 0.5125,
    steps: 3,
    calls: 2,
    budget_used: { calls: 2 },
    tool_calls: { add_gaussians: 1, look: 1 },
    refusals: { over_budget: 1 },
    calls_not_run: { cut_off: 1 },
    curve: [{ step: 0, score: null, metrics: { psnr: 10.25 } }],
    plans: ["rabbit"],
    closing_message: null,
    details: { part_errors: null },
    final_state: STATES[bench][1],
    usage: { input_tokens: 5, cached_input_tokens: 1, output_tokens: 2, reasoning_tokens: 0 },
    cost_usd: null,
    seconds: 1.5,
    context_compacted: false,
    env_fingerprint: "e",
    profile_hash: "p",
    device: "llvmpipe",
  });
}

function runRecord(bench: string): RunRecord {
  return runRecordSchema.parse({
    schema_version: 1,
    bench,
    setting: SETTING,
    created: "2026-01-02T03:04:05Z",
    env_fingerprint: "e",
    profile: {},
    profile_hash: "p",
    prompt_hash: "q",
    data_revision: null,
    commit: null,
    device: "llvmpipe",
    models: { a: {}, b: {} },
    options: {
      tasks: [],
      runs: 1,
      protocol: "standard",
      effort: "medium",
      prompt_hashes: {},
      task_hashes: {},
      task_sources: {},
    },
  });
}
