/**
 * The log of an episode under way. What an earlier process recorded is checked, what is new is appended: a killed
 * episode goes on by playing its recorded turns again, with the very code that plays new ones.
 */
import { canonicalJson } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import type { StepRecord } from "../env/records.ts";
import type { EpisodeFolder, RecordedPlay } from "../tasks/run_folder.ts";
import type { TranscriptLine } from "../tasks/run_schema.ts";
import type { DialogueLog } from "./dialogue.ts";
import {
  type PromptMessage,
  type TimedTurn,
  type ToolResult,
  Transcriber,
  turnOfLine,
} from "./transcriber.ts";

/** The recorded part of an episode does not repeat: it cannot be continued. */
export class RecordingMismatch extends Error {
  override readonly name = "RecordingMismatch";
}

export class EpisodeLog implements DialogueLog {
  readonly #transcriber = new Transcriber((line) => this.#line(line));
  #messages = 0;
  #steps = 0;
  /** What keeps the episode from going on: the first step or message that differs or cannot be written. */
  #failure: unknown = null;

  constructor(private readonly folder: EpisodeFolder, private readonly recorded: RecordedPlay) {}

  /** Whether recorded messages are still to be played again. */
  get replaying(): boolean {
    return this.#messages < this.recorded.transcript.length;
  }

  /** The next turn if it is recorded. */
  recordedTurn(): TimedTurn | null {
    if (!this.replaying) return null;
    const turn = turnOfLine(this.recorded.transcript[this.#messages]);
    if (turn === null) throw new RecordingMismatch(`message ${this.#messages} is not the model's turn`);
    return turn;
  }

  /** The model's turn, written before its calls run. */
  turn(turn: TimedTurn): void {
    this.#transcriber.turn(turn);
  }

  message(message: PromptMessage): void {
    this.#transcriber.message(message);
  }

  /** The answer to a call, written after it ran. */
  result(callId: string, text: string, result: ToolResult): void {
    this.#transcriber.result(callId, text, result);
  }

  /** A step with its hidden metrics and the picture that the model received. */
  async step(step: StepRecord, image: Image | null): Promise<void> {
    try {
      await this.#step(step, image);
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  /**
   * @throws RecordingMismatch if anything checked so far differs from what is recorded
   * @throws BenchError if a step could not be written
   */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** @throws RecordingMismatch if more is recorded than was played, too */
  checkEnd(): void {
    this.check();
    if (this.replaying) throw new RecordingMismatch(`it ends before message ${this.#messages}`);
    if (this.#steps < this.recorded.steps.length) {
      throw new RecordingMismatch(`it ends before step ${this.#steps}`);
    }
  }

  async #step(step: StepRecord, image: Image | null): Promise<void> {
    this.#steps += 1;
    if (step.step >= this.recorded.steps.length) return await this.folder.appendStep(step, image);
    if (canonicalJson(this.recorded.steps[step.step]) !== canonicalJson(step)) {
      this.#failure ??= new RecordingMismatch(`step ${step.step} (${step.tool}) comes out differently`);
    }
    await this.folder.storeImage(step.image, image);
  }

  #line(line: TranscriptLine): void {
    if (!this.replaying) return this.folder.appendMessage(line);
    const recorded = this.recorded.transcript[this.#messages];
    if (canonicalJson(recorded) !== canonicalJson(line)) {
      const { role } = line.message;
      this.#failure ??= new RecordingMismatch(`message ${this.#messages} (${role}) comes out differently`);
    }
    this.#messages += 1;
  }
}
