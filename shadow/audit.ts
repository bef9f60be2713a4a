/**
 * Episodes of a hand that is not here. Every rule that needs no skin holds in them: budgets, plans, ranges, limits of
 * a call, what a tool changes, what a state scores for its parts. The rest is as the log has it: where skins meet,
 * pictures, how well shadows match, and words that tell of the hand.
 */
import type { EpisodeLog, EpisodeOptions } from "../env/environment.ts";
import { blankImage, type Image } from "../env/image.ts";
import type { CallOutcome, Observation } from "../env/observation.ts";
import type { StepRecord } from "../env/records.ts";
import type { HiddenPart } from "../env/step_log.ts";
import { hiddenPart, ShadowEpisode } from "./episode.ts";
import type { Fault } from "./fault.ts";
import type { ShadowProfile } from "./named_profile.ts";
import type { Pose } from "./pose.ts";
import { callLimitFault, rangeFault } from "./rules.ts";
import { scoreOf } from "./score/shadow_score.ts";
import { wristShare } from "./score/wrists.ts";
import type { Studio } from "./studio.ts";
import type { ShadowTask } from "./task.ts";
import type { ToolContext } from "./tools/tool.ts";

/** Calls run one after another, each awaited. */
export class LoggedEpisode extends ShadowEpisode {
  readonly #log: EpisodeLog;
  readonly #profile: ShadowProfile | null;
  /** The picture that the call under way has in the log. */
  #image: Image = NO_IMAGE;

  /**
   * @param studio of any hand
   * @param profile as recorded; null where nobody kept it: scores and the opening message are as the log has them
   */
  constructor(
    task: ShadowTask,
    studio: Studio,
    options: EpisodeOptions,
    log: EpisodeLog,
    profile: ShadowProfile | null,
  ) {
    super(task, profile === null ? studio : withNameOf(profile.hand, studio), options);
    this.#log = log;
    this.#profile = profile;
  }

  override async call(tool: string, args: unknown): Promise<CallOutcome> {
    this.#image = await this.#log.image(this.calls + 1) ?? NO_IMAGE;
    const outcome = await super.call(tool, args);
    const { step, text: response, refusal } = outcome;
    return step === null ? outcome : { ...outcome, text: this.#words({ step, tool, response, refusal }) };
  }

  override async steps(): Promise<readonly StepRecord[]> {
    return (await super.steps()).map((step) => ({ ...step, response: this.#words(step) }));
  }

  protected override async opening(): Promise<Observation> {
    const { user } = this.prompts;
    const text = this.#profile === null ? this.#log.step(0)?.response ?? user : user;
    return { text, image: await this.#log.image(0) };
  }

  protected override context(): ToolContext {
    const context = super.context();
    const logged = this.#log.step(this.calls + 1);
    const studio: Studio = {
      ...context.studio,
      move: (from, to) => ruleFault(from, to) ?? skinFault(logged),
      look: () => Promise.resolve(this.#image),
      bookPage: () => this.#image,
    };
    return { ...context, studio };
  }

  protected override measure(): Promise<HiddenPart> {
    const { hidden = {}, hidden_score = null, score_before_peeks = null } = this.#log.step(this.calls) ?? {};
    if (this.#profile === null) return Promise.resolve({ hidden, hidden_score, score_before_peeks });
    const { iou = 0, outline_f: outlineF = 0, holes = 0 } = hidden;
    const { score } = this.#profile;
    const wrists = wristShare(this.pose, score.wrists);
    const peeks = this.budgets.peeks.used;
    return Promise.resolve(hiddenPart(scoreOf({ iou, outlineF, holes, wrists }, score, peeks), peeks));
  }

  /** Where the hands are to each other, needs their skin. */
  protected override details(): Record<string, unknown> {
    return {};
  }

  /** The answer to a call; of recorded words that cannot be known here only what they say is left is compared. */
  #words({ step, tool, response, refusal }: Answer): string {
    const recorded = this.#log.step(step)?.response;
    if (recorded === undefined || !this.#log.ownWords) return recorded ?? response;
    if (refusal === null ? !TELL_OF_HAND.has(tool) : skinKind(refusal) === undefined) return response;
    return recorded.endsWith(response.slice(response.lastIndexOf("Left: "))) ? recorded : response;
  }
}

type Answer = Pick<StepRecord, "step" | "tool" | "response" | "refusal">;

const NO_IMAGE = blankImage(1, 1);

/** Tools whose answers depend on the hand. */
const TELL_OF_HAND: ReadonlySet<string> = new Set(["describe", "turn_hand"]);

/** Faults that only the skin shows; the stage has walls for wrists, too. */
const SKIN_KINDS = ["self_collision", "hand_collision", "stage"] as const;

function skinKind(refusal: string | null | undefined) {
  return SKIN_KINDS.find((kind) => kind === refusal);
}

/** The prompts depend on which hand it is. */
function withNameOf({ name, hash }: ShadowProfile["hand"], studio: Studio): Studio {
  const { hands } = studio;
  return { ...studio, hands: { ...hands, right: { ...hands.right, name, hash } } };
}

function ruleFault(from: Pose, to: Pose): Fault | null {
  return callLimitFault(from, to) ?? rangeFault(to);
}

function skinFault(logged: Partial<StepRecord> | null): Fault | null {
  const kind = skinKind(logged?.refusal);
  return kind === undefined ? null : { kind, text: "" };
}
