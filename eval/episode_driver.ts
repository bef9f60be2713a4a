/** Plays one episode: turns, calls, answers, pictures, and how it ends. */
import { decodeCall, MAX_CALLS_NOT_RUN_IN_A_ROW, MAX_CONTINUE_REQUESTS } from "../env/calls.ts";
import { elapsedMs } from "../env/clock.ts";
import type { Episode } from "../env/environment.ts";
import { type CallOutcome, neverRan, type Observation } from "../env/observation.ts";
import { BenchError } from "../env/errors.ts";
import type { PolicyCall } from "../env/policy.ts";
import type { EndedBy, EpisodeRecord } from "../env/records.ts";
import type { RecordedPlay } from "../tasks/run_folder.ts";
import type { EpisodeJob } from "./episode_job.ts";
import { EpisodeLog, RecordingMismatch, type TimedTurn } from "./episode_log.ts";
import { episodeRecord, EpisodeTally } from "./episode_record.ts";
import {
  type ChatMessage,
  ContextOverflow,
  type ModelCall,
  type ModelTurn,
  type Part,
  Stopped,
  type TurnSignals,
} from "./model.ts";
import type { NextTurn } from "./player.ts";

/** `stop`: no new turn is asked for, and the episode is left to be continued; `abort`: requests are dropped, too. */
export interface Controls extends TurnSignals {
  /** One line for the person who watches. */
  note(line: string): void;
}

/** What a turn without a call is answered with. */
export const CONTINUE_REQUEST =
  "You made no tool call. Continue with a tool call; call submit when you are done.";

/**
 * Plays an episode to its end, from wherever its folder left it, and writes its record.
 *
 * @returns null when it was stopped before its end
 * @throws BenchError for what no other episode would survive either
 */
export async function playEpisode(job: EpisodeJob, controls: Controls): Promise<EpisodeRecord | null> {
  const recorded = await job.folder.open();
  for (const name of recorded.cut) controls.note(`${job.id}: cut off the torn last line of ${name}`);
  try {
    return await new Play(job, controls, recorded).run();
  } catch (error) {
    if (!(error instanceof RecordingMismatch)) throw error;
    const aside = await job.folder.setAside();
    controls.note(
      `${job.id}: cannot continue it (${error.message}); plays it anew, the old files are in ${aside}`,
    );
    return await new Play(job, controls, await job.folder.open()).run();
  } finally {
    job.folder.close();
  }
}

class Play {
  readonly #started = elapsedMs();
  readonly #log: EpisodeLog;
  readonly #tally = new EpisodeTally();
  readonly #messages: ChatMessage[] = [];
  readonly #history: { call: PolicyCall; outcome: CallOutcome }[] = [];
  readonly #callIds = new Set<string>();
  #continueRequests = 0;
  #notRunInARow = 0;
  #secondsBefore = 0;
  #resumed: boolean;

  constructor(
    private readonly job: EpisodeJob,
    private readonly controls: Controls,
    recorded: RecordedPlay,
  ) {
    this.#log = new EpisodeLog(job.folder, recorded);
    this.#resumed = recorded.transcript.length + recorded.steps.length > 0;
  }

  async run(): Promise<EpisodeRecord | null> {
    const { environment, task, id, protocol, folder } = this.job;
    let episode: Episode | null = null;
    let endedBy: EndedBy = "error";
    let failure: string | null = null;
    try {
      const onStep = this.#log.step.bind(this.#log);
      episode = await environment.open(task, { id, protocol, onStep });
      endedBy = await this.#play(episode);
      await episode.submit();
      await episode.result();
      this.#log.checkEnd();
    } catch (error) {
      // Steps whose hidden metrics are still under way reach the files before they are closed or moved.
      await episode?.steps().catch(() => {});
      if (error instanceof Stopped) return null;
      if (error instanceof BenchError || error instanceof RecordingMismatch) throw error;
      if (this.controls.abort.aborted) throw error;
      endedBy = "error";
      failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    const seconds = this.#secondsBefore + secondsSince(this.#started);
    const record = await episodeRecord(this.job, episode, this.#tally, { endedBy, error: failure, seconds });
    await folder.finish(record);
    return record;
  }

  async #play(episode: Episode): Promise<EndedBy> {
    const opening = await episode.observe();
    this.#say({ role: "system", text: episode.prompts.system });
    this.#say({ role: "user", parts: openingParts(opening) });
    const next = await this.job.player.seat(this.job.task, this.job.run);
    try {
      for (;;) {
        const { calls } = await this.#turn(episode, opening, next);
        const end = calls.length > 0 ? await this.#answer(episode, calls) : this.#askToContinue();
        if (end !== null) return end;
      }
    } catch (error) {
      if (error instanceof ContextOverflow) return "context_overflow";
      throw error;
    }
  }

  /** The next turn: recorded, or asked for now. */
  async #turn(episode: Episode, opening: Observation, next: NextTurn): Promise<ModelTurn["message"]> {
    const recorded = this.#log.recordedTurn();
    const turn = recorded ?? await this.#ask(episode, opening, next);
    // An earlier process spent this time.
    if (recorded !== null) this.#secondsBefore += recorded.seconds;
    for (const { id } of turn.message.calls) this.#callIds.add(id);
    this.#log.turn(turn);
    this.#tally.turn(turn);
    this.#messages.push(turn.message);
    return turn.message;
  }

  async #ask(episode: Episode, opening: Observation, next: NextTurn): Promise<TimedTurn> {
    if (this.#resumed) {
      // Every recorded step is checked before a request is paid for.
      await episode.steps();
      this.#resumed = false;
    }
    this.#log.check();
    this.controls.abort.throwIfAborted();
    if (this.controls.stop.aborted) throw new Stopped();
    const conversation = {
      opening,
      tools: episode.tools,
      messages: this.#messages,
      history: this.#history,
    };
    const asked = elapsedMs();
    const turn = this.#uniqueIds(await next(conversation, this.controls));
    return { ...turn, seconds: secondsSince(asked) };
  }

  /** Runs the calls of a turn in the order issued; their answers follow one another, the pictures come after. */
  async #answer(episode: Episode, calls: readonly ModelCall[]): Promise<EndedBy | null> {
    let end: EndedBy | null = null;
    const pictures: Part[] = [];
    for (const call of calls) {
      const outcome = await this.#call(episode, call);
      this.#log.result(call.id, outcome.text, { step: outcome.step, not_run: outcome.notRun });
      this.#messages.push({ role: "tool", callId: call.id, text: outcome.text });
      if (outcome.image !== null) {
        pictures.push({ type: "text", text: `Picture from ${call.name} (call ${outcome.step}):` });
        pictures.push({ type: "image", image: outcome.image });
      }
      if (end !== null) continue;
      if (outcome.done) {
        end = call.name === "submit" && outcome.accepted ? "submit" : "budget";
      } else if (this.#notRunInARow > MAX_CALLS_NOT_RUN_IN_A_ROW) {
        return "calls_not_run";
      }
    }
    if (end === null && pictures.length > 0) this.#say({ role: "user", parts: pictures });
    return end;
  }

  async #call(episode: Episode, call: ModelCall): Promise<CallOutcome> {
    const decoded = decodeCall(call);
    if ("reason" in decoded) {
      this.#notRunInARow += 1;
      this.#tally.notRun(decoded.reason);
      return neverRan(decoded, episode.done);
    }
    const outcome = await episode.call(call.name, decoded.args);
    this.#history.push({ call: { name: call.name, arguments: argumentsOf(decoded.args) }, outcome });
    if (outcome.notRun === null) this.#notRunInARow = 0;
    else {
      this.#notRunInARow += 1;
      this.#tally.notRun(outcome.notRun);
    }
    return outcome;
  }

  #askToContinue(): EndedBy | null {
    if (this.#continueRequests >= MAX_CONTINUE_REQUESTS) return "no_calls";
    this.#continueRequests += 1;
    this.#say({ role: "user", parts: [{ type: "text", text: CONTINUE_REQUEST }] });
    return null;
  }

  #say(message: Extract<ChatMessage, { role: "system" | "user" }>): void {
    this.#log.message(message);
    this.#messages.push(message);
  }

  /** Some servers send no ids, or the same one twice; each answer must name its call. */
  #uniqueIds(turn: ModelTurn): ModelTurn {
    const taken = new Set(this.#callIds);
    const calls = turn.message.calls.map((call, at) => {
      let id = call.id;
      for (let n = 1; id === "" || taken.has(id); n++) id = `call_${this.#tally.turns + 1}_${at + n}`;
      taken.add(id);
      return { ...call, id };
    });
    return { ...turn, message: { ...turn.message, calls } };
  }
}

/** To the millisecond. */
function secondsSince(moment: number): number {
  return Math.round(elapsedMs() - moment) / 1000;
}

function openingParts({ text, image }: Observation): Part[] {
  const parts: Part[] = [{ type: "text", text }];
  if (image !== null) parts.push({ type: "image", image });
  return parts;
}

/** Arguments as a policy sees them: always an object, as it sent one. */
function argumentsOf(args: unknown): Record<string, unknown> {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? { ...args } : {};
}
