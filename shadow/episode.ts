/** One ShadowBench episode: a pose of both hands, its tools and its hidden score. */
import type { EpisodeOptions } from "../env/environment.ts";
import type { Observation } from "../env/observation.ts";
import type { HiddenPart } from "../env/step_log.ts";
import { ToolEpisode } from "../env/tool_episode.ts";
import type { PoseRow } from "../tasks/shadow_rows.ts";
import { type Pose, poseToRow, START_POSE } from "./pose.ts";
import { promptsFor, toolSpecs } from "./prompts.ts";
import { metricsOf } from "./metrics.ts";
import type { ShadowScore } from "./score/shadow_score.ts";
import type { Studio } from "./studio.ts";
import type { ShadowTask } from "./task.ts";
import { CALL_RULES, TOOL_BY_NAME } from "./tools/table.ts";
import type { Change, ToolContext, ToolResult } from "./tools/tool.ts";

/** The state of an episode: the pose, and the peeks that its score pays for. */
export type EpisodeState = PoseRow & { readonly peeks: number };

/** A task in play. */
export class ShadowEpisode extends ToolEpisode<ToolContext, ToolResult> {
  readonly #task: ShadowTask;
  readonly #studio: Studio;
  #pose: Pose = START_POSE;
  #planned = false;
  readonly #changes: Change[] = [];

  constructor(task: ShadowTask, studio: Studio, options: EpisodeOptions) {
    super({
      task: task.info,
      options,
      specs: toolSpecs(task),
      prompts: promptsFor(task, studio.hands.right),
      tools: TOOL_BY_NAME,
      callRules: CALL_RULES,
      limits: { ...task.limits },
      nouns: { calls: "call", looks: "look", peeks: "peek" },
      answer: "pose",
    });
    this.#task = task;
    this.#studio = studio;
  }

  get pose(): Pose {
    return this.#pose;
  }

  override state(): EpisodeState {
    return { ...poseToRow(this.#pose), peeks: this.budgets.peeks.used };
  }

  protected override async opening(): Promise<Observation> {
    return { text: this.prompts.user, image: await this.#studio.look(this.#pose, "front") };
  }

  protected override context(): ToolContext {
    return {
      task: this.#task,
      pose: this.#pose,
      planned: this.#planned,
      lastChange: this.#changes.at(-1) ?? null,
      studio: this.#studio,
    };
  }

  protected override take({ moved, undone, planned, peeked }: ToolResult): boolean {
    this.#planned ||= planned ?? false;
    if (moved !== undefined) {
      this.#changes.push({ before: this.#pose, side: moved.side });
      this.#pose = moved.pose;
    }
    if (undone) this.#pose = this.#changes.pop()?.before ?? this.#pose;
    return moved !== undefined || undone === true || peeked === true;
  }

  protected override measure(): Promise<HiddenPart> {
    const peeks = this.budgets.peeks.used;
    return Promise.resolve(hiddenPart(this.#studio.score(this.#pose, peeks), peeks));
  }

  protected override details(): Record<string, unknown> {
    return { hands: this.#studio.handsOf(this.#pose) };
  }

  protected override rewardOf(score: number): number {
    return score / 100;
  }
}

/** A score as a step of the log has it. */
export function hiddenPart(scored: ShadowScore, peeks: number): HiddenPart {
  const { score, scoreBeforePeeks } = scored;
  return { hidden: metricsOf(scored, peeks), hidden_score: score, score_before_peeks: scoreBeforePeeks };
}
