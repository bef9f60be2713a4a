/** Players whose turns are written down in a test, and runs of the toy benchmark with them. */
import type { TaskInfo } from "../../env/environment.ts";
import type { EpisodeRecord } from "../../env/records.ts";
import type { ModelTurn } from "../../eval/model.ts";
import type { Conversation, Player } from "../../eval/player.ts";
import { type EvalRequest, type EvalResult, type Progress, runEval } from "../../eval/run_eval.ts";
import { policyPlayer } from "../../eval/models/policy_model.ts";
import { TOY_TASKS, toyEnvironment, type ToyOptions } from "./toy_environment.ts";

export interface ScriptedCall {
  name: string;
  /** Encoded as JSON, unless `raw` is given. */
  args?: unknown;
  raw?: string;
  id?: string;
  cutOff?: boolean;
}

export interface ScriptedTurn {
  calls?: readonly ScriptedCall[];
  text?: string;
  finish?: string;
  costUsd?: number | null;
}

/** What was asked of a scripted player. */
export interface Asked {
  task: string;
  run: number;
  conversation: Conversation;
}

/** Plays `script(turn)`, turn counted from 0; what the script throws, the model throws. */
export function scriptedPlayer(
  script: (turn: number, asked: Asked) => ScriptedTurn | Promise<ScriptedTurn>,
  options: { name?: string; settings?: Record<string, unknown> } = {},
): Player & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    name: options.name ?? "scripted",
    settings: options.settings ?? {},
    asked,
    seat: (task, run) =>
      Promise.resolve(async ({ opening, tools, messages, history }) => {
        const now = {
          task: task.id,
          run,
          conversation: { opening, tools, messages: [...messages], history: [...history] },
        };
        asked.push(now);
        const turn = messages.filter(({ role }) => role === "assistant").length;
        return modelTurn(turn, await script(turn, now));
      }),
  };
}

export const paint = (x: number, y: number): ScriptedCall => ({ name: "paint", args: { x, y } });
export const LOOK: ScriptedCall = { name: "look" };
export const SUBMIT: ScriptedCall = { name: "submit" };

/** A run of the toy benchmark, or of `environment`: the task `cross` once, unless told otherwise. */
export async function evalToy(
  out: string,
  request: Partial<EvalRequest> & { toy?: ToyOptions } = {},
): Promise<EvalResult & { notes: string[]; played: EpisodeRecord[] }> {
  const environment = request.environment ?? toyEnvironment(request.toy);
  const progress = new SilentProgress();
  const result = await runEval({
    environment,
    players: request.players ?? [policyPlayer(environment, "sweep")],
    tasks: tasks("cross"),
    protocol: "standard",
    effort: "medium",
    runs: 1,
    concurrency: 4,
    out,
    retryErrors: false,
    stop: new AbortController().signal,
    progress,
    ...request,
  });
  return { ...result, notes: progress.notes, played: progress.played };
}

export function tasks(...ids: string[]): TaskInfo[] {
  return TOY_TASKS.filter(({ id }) => ids.includes(id));
}

class SilentProgress implements Progress {
  readonly notes: string[] = [];
  readonly played: EpisodeRecord[] = [];
  note(line: string) {
    this.notes.push(line);
  }
  begin() {}
  finished(record: EpisodeRecord) {
    this.played.push(record);
  }
  end() {}
}

function modelTurn(turn: number, { calls = [], text, finish, costUsd = 0.01 }: ScriptedTurn): ModelTurn {
  return {
    message: {
      role: "assistant",
      text: text ?? null,
      calls: calls.map((call, at) => ({
        id: call.id ?? `t${turn}_${at}`,
        name: call.name,
        arguments: call.raw ?? JSON.stringify(call.args ?? {}),
        cutOff: call.cutOff ?? false,
      })),
      raw: { turn },
    },
    finishReason: finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 7, reasoning_tokens: 3 },
    costUsd,
  };
}
