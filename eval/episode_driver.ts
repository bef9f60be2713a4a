/** Plays one episode to its end, from wherever its folder left it, and writes its record. */
import { elapsedMs } from "../env/clock.ts";
import type { Episode } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import type { EpisodeRecord } from "../env/records.ts";
import type { RecordedPlay } from "../tasks/run_folder.ts";
import { Dialogue } from "./dialogue.ts";
import type { EpisodeJob } from "./episode_job.ts";
import { EpisodeLog, RecordingMismatch } from "./episode_log.ts";
import { episodeRecord, EpisodeTally } from "./episode_record.ts";
import { type ChatMessage, type ModelTurn, Stopped, type TurnSignals } from "./model.ts";
import type { Conversation, NextTurn } from "./player.ts";
import type { TimedTurn } from "./transcriber.ts";

/** `stop`: no new turn is asked for, and the episode is left to be continued; `abort`: requests are dropped, too. */
export interface Controls extends TurnSignals {
  /** One line for the person who watches. */
  note(line: string): void;
}

/**
 * @returns null when it was stopped before its end
 * @throws UnreadableFile when what is recorded of it cannot be read
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
    const { environment, task, id, run, protocol, player, folder } = this.job;
    let episode: Episode | null = null;
    let dialogue: Dialogue | null = null;
    let ending: Pick<EpisodeRecord, "ended_by" | "error">;
    try {
      const onStep = this.#log.step.bind(this.#log);
      const opened = episode = await environment.open(task, { id, protocol, onStep });
      const next = await player.seat(task, run);
      dialogue = new Dialogue(opened, this.#log, (conversation) => this.#turn(opened, conversation, next));
      ending = { ended_by: await dialogue.play(), error: null };
      await opened.submit();
      await opened.result();
      this.#log.checkEnd();
    } catch (error) {
      // Steps whose hidden metrics are still under way reach the files before they are closed or moved.
      await episode?.steps().catch(() => {});
      if (error instanceof Stopped) return null;
      if (error instanceof BenchError || error instanceof RecordingMismatch) throw error;
      if (this.controls.abort.aborted) throw error;
      const failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      ending = { ended_by: "error", error: failure };
    }
    const seconds = this.#secondsBefore + secondsSince(this.#started);
    const tally = dialogue?.tally ?? new EpisodeTally();
    const record = await episodeRecord(this.job, episode, tally, { ...ending, seconds });
    await folder.finish(record);
    return record;
  }

  /** The next turn: recorded, or asked for now. */
  async #turn(episode: Episode, conversation: Conversation, next: NextTurn): Promise<TimedTurn> {
    const recorded = this.#log.recordedTurn();
    if (recorded === null) return await this.#ask(episode, conversation, next);
    // An earlier process spent this time.
    this.#secondsBefore += recorded.seconds;
    return recorded;
  }

  async #ask(episode: Episode, conversation: Conversation, next: NextTurn): Promise<TimedTurn> {
    if (this.#resumed) {
      // Every recorded step is checked before a request is paid for.
      await episode.steps();
      this.#resumed = false;
    }
    this.#log.check();
    this.controls.abort.throwIfAborted();
    if (this.controls.stop.aborted) throw new Stopped();
    const asked = elapsedMs();
    const turn = uniqueIds(await next(conversation, this.controls), conversation.messages);
    return { ...turn, seconds: secondsSince(asked) };
  }
}

/** Some servers send no ids, or the same one twice; each answer must name its call. */
function uniqueIds(turn: ModelTurn, before: readonly ChatMessage[]): ModelTurn {
  const turns = before.filter((message) => message.role === "assistant");
  const taken = new Set(turns.flatMap(({ calls }) => calls.map(({ id }) => id)));
  const calls = turn.message.calls.map((call, at) => {
    let id = call.id;
    for (let n = 1; id === "" || taken.has(id); n++) id = `call_${turns.length + 1}_${at + n}`;
    taken.add(id);
    return { ...call, id };
  });
  return { ...turn, message: { ...turn.message, calls } };
}

/** To the millisecond. */
function secondsSince(moment: number): number {
  return Math.round(elapsedMs() - moment) / 1000;
}
