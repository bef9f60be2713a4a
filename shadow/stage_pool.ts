/** Hands, rules and the one device, shared by all episodes of an environment. */
import type { Image } from "../env/image.ts";
import { once } from "../env/once.ts";
import { SharedDevice } from "../env/shared_device.ts";
import { PoseChecker } from "./collision/pose_checker.ts";
import type { Hands } from "./hand/hand_model.ts";
import { modelError } from "./hand/model_error.ts";
import { bookPage } from "./pictures/book_page.ts";
import type { View } from "./pictures/views.ts";
import { type Pose, START_POSE } from "./pose.ts";
import { prepareTarget, scoreShadow, type Target } from "./score/shadow_score.ts";
import type { ScoreProfile } from "./score/score_profile.ts";
import { castShadow, castsShadow } from "./stage/cast_shadow.ts";
import type { Mask } from "./stage/mask.ts";
import type { Studio } from "./studio.ts";
import { drawnWitness, type ShadowTask } from "./task.ts";

/** What draws on an open device. */
export interface OpenPictures {
  /** The adapter in words. */
  readonly device: string;
  look(target: Mask, shadow: Mask, pose: Pose, view: View): Promise<Image>;
  close(): void;
}

export class StagePool {
  readonly #device: SharedDevice<OpenPictures>;
  /** Hands and what checks them; read at first use. */
  readonly hands: () => Promise<Hands>;
  readonly #checker: () => Promise<PoseChecker>;
  readonly #targets = new WeakMap<ShadowTask, Target>();
  readonly #pages = new WeakMap<ShadowTask, Image>();

  constructor(
    loadHands: () => Promise<Hands>,
    openPictures: (hands: Hands) => Promise<OpenPictures>,
    private readonly profile: ScoreProfile,
  ) {
    const usable = once(async () => usableHands(await loadHands()));
    this.hands = async () => (await usable()).hands;
    this.#device = new SharedDevice(async () => await openPictures(await this.hands()));
    this.#checker = async () => (await usable()).checker;
  }

  /** Opens the device on first use. Throws BenchError once closed. */
  pictures(): Promise<OpenPictures> {
    return this.#device.open();
  }

  /**
   * The stage of a task; opens no device before the first picture.
   *
   * @throws BenchError once closed
   */
  async studio(task: ShadowTask): Promise<Studio> {
    this.#device.assertOpen();
    const [hands, checker] = [await this.hands(), await this.#checker()];
    // Looks, scores and moves come back to the last pose again and again.
    let last: { pose: Pose; shadow: Mask } | null = null;
    const shadowOf = (pose: Pose) => {
      if (last?.pose !== pose) last = { pose, shadow: castShadow(hands, pose) };
      return last.shadow;
    };
    return {
      hands,
      move: (from, to) => checker.move(from, to),
      score: (pose, peeks) => scoreShadow(this.target(task), shadowOf(pose), pose, peeks),
      handsOf: (pose) => ({
        gap: checker.gap(pose),
        casting: [castsShadow(hands, pose, "right"), castsShadow(hands, pose, "left")],
      }),
      look: (pose, view) =>
        this.#device.whileOpen(async () => {
          const pictures = await this.pictures();
          return await pictures.look(task.target, shadowOf(pose), pose, view);
        }),
      bookPage: () => this.#bookPage(task, hands),
    };
  }

  /** What scoring needs of a task's target. */
  target(task: ShadowTask): Target {
    const target = this.#targets.get(task) ?? prepareTarget(task.target, this.profile);
    this.#targets.set(task, target);
    return target;
  }

  /** Frees the device for good; pictures under way and later ones fail. */
  close(): void {
    this.#device.close();
  }

  /** A page is drawn once, for all episodes of a task. */
  #bookPage(task: ShadowTask, hands: Hands): Image {
    const pose = drawnWitness(task, hands.right);
    const page = this.#pages.get(task) ?? task.bookPage ?? bookPage({
      title: task.info.title,
      shadow: task.target,
      drawing: pose === null ? null : { hands, pose },
    });
    this.#pages.set(task, page);
    return page;
  }
}

/** @throws BenchError for hands that no episode can start with */
function usableHands(hands: Hands): { hands: Hands; checker: PoseChecker } {
  const checker = new PoseChecker(hands);
  const fault = checker.pose(START_POSE);
  if (fault === null) return { hands, checker };
  throw modelError(
    hands.right.name,
    `as every episode starts, ${fault.text}`,
    "Give a hand of usual size and proportions, its fingers apart at rest",
  );
}
