/** One SplatBench episode: a scene, its tools and its hidden score. */
import type { Budget, EpisodeOptions } from "../env/environment.ts";
import { count } from "../env/numbers.ts";
import type { Observation } from "../env/observation.ts";
import { type Refusal, refuse } from "../env/refusal.ts";
import type { HiddenPart } from "../env/step_log.ts";
import { ToolEpisode } from "../env/tool_episode.ts";
import { openingSheet } from "./opening.ts";
import { promptsFor, toolSpecs } from "./prompts.ts";
import type { TaskVariant } from "./protocols.ts";
import { partErrors } from "./reassembly/part_errors.ts";
import { type Scene, sceneToRows } from "./scene.ts";
import { reward } from "./score/splat_score.ts";
import type { Studio } from "./studio.ts";
import { CALL_RULES, TOOL_BY_NAME } from "./tools/table.ts";
import type { SplatTool, ToolContext, ToolResult } from "./tools/tool.ts";

/** A task in play. */
export class SplatEpisode extends ToolEpisode<ToolContext, ToolResult> {
  readonly #variant: TaskVariant;
  readonly #studio: Studio;
  readonly #opening: Observation;
  #scene: Scene;
  #nextId: number;
  #refusedEarlySubmit = false;

  constructor(variant: TaskVariant, studio: Studio, options: EpisodeOptions) {
    const { calls, renders } = variant.limits;
    super({
      task: variant.info,
      options: { ...options, protocol: variant.protocol.id },
      specs: toolSpecs(variant),
      prompts: promptsFor(variant, studio.scoreKind),
      tools: TOOL_BY_NAME,
      callRules: CALL_RULES,
      limits: { calls, renders },
      nouns: { calls: "call", renders: "render", gaussians: "Gaussian" },
      answer: "scene",
    });
    this.#variant = variant;
    this.#studio = studio;
    this.#opening = { text: this.prompts.user, image: openingSheet(variant) };
    this.#scene = variant.start;
    this.#nextId = idAfter(variant.start, 1);
  }

  override get budgets(): Readonly<Record<string, Budget>> {
    const { gaussians } = this.#variant.limits;
    return { ...super.budgets, gaussians: { used: this.#scene.length, limit: gaussians } };
  }

  override state(): unknown {
    return sceneToRows(this.#scene);
  }

  protected override opening(): Promise<Observation> {
    return Promise.resolve(this.#opening);
  }

  protected override context(): ToolContext {
    return { task: this.#variant, scene: this.#scene, nextId: this.#nextId, painter: this.#studio };
  }

  protected override refusalBefore({ endsEpisode }: SplatTool): Refusal | null {
    const tooEarly = this.calls + 1 < this.#variant.protocol.refuseSubmitBefore;
    if (!endsEpisode || !tooEarly || this.#refusedEarlySubmit) return null;
    this.#refusedEarlySubmit = true;
    return refuse(
      "early_submit",
      "it is early to submit; the score comes from views you have not seen, so look at the scene from other " +
        "angles and improve it (a further submit will be taken)",
    );
  }

  protected override take({ scene }: ToolResult): boolean {
    if (scene === undefined) return false;
    this.#scene = scene;
    this.#nextId = idAfter(scene, this.#nextId);
    return true;
  }

  protected override async measure(): Promise<HiddenPart> {
    const { score, metrics } = await this.#studio.score(this.#scene);
    return { hidden: metrics, hidden_score: score, score_before_peeks: null };
  }

  protected override rewardOf(score: number): number {
    return reward(score);
  }

  protected override details(): Record<string, unknown> {
    const { parts } = this.#variant;
    return parts.length === 0 ? {} : { part_errors: partErrors(this.#variant, this.#scene) };
  }

  protected override automaticSubmit(how: string): string {
    return `${how}: ${count(this.#scene.length, "Gaussian")}`;
  }
}

function idAfter(scene: Scene, atLeast: number): number {
  return scene.reduce((next, { id }) => Math.max(next, id + 1), atLeast);
}
