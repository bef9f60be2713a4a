/** A person at a terminal, as a player. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writing } from "../../tasks/file_errors.ts";
import type { TaskInfo } from "../../env/environment.ts";
import type { CallOutcome } from "../../env/observation.ts";
import type { Image } from "../../env/image.ts";
import { encodePng } from "../../env/png.ts";
import type { PolicyCall } from "../../env/policy.ts";
import { type ModelTurn, Stopped, type TurnSignals } from "../model.ts";
import type { Conversation, NextTurn, Player } from "../player.ts";
import { help, helpOn } from "./tool_help.ts";
import { readTyped } from "./typed_call.ts";

/** Where a person's words come from and go to. */
export interface Console {
  /** The next line typed; null at the end of them, or when `stop` was aborted first. */
  readLine(prompt: string, stop: AbortSignal): Promise<string | null>;
  print(text: string): void;
}

/** `model_name` of a person. */
export const HUMAN = "human";

/** As Ctrl-D does. */
const LEAVE: readonly string[] = ["quit", "exit"];

/** @param folderOf where the pictures of an episode go; made when there is one */
export function humanPlayer(console: Console, folderOf: (task: TaskInfo, run: number) => string): Player {
  return {
    name: HUMAN,
    settings: {},
    seat: (task, run) => Promise.resolve(new Seat(console, folderOf(task, run)).next),
  };
}

class Seat {
  #told = -1;

  constructor(private readonly console: Console, private readonly folder: string) {}

  readonly next: NextTurn = async (conversation, signals) => {
    await this.#tell(conversation);
    for (;;) {
      const typed = await this.#read(conversation, signals);
      if (typed !== null) return turn(typed.call, typed.line);
    }
  };

  /** The opening, and what has happened since the last turn. */
  async #tell({ opening, messages, tools, history }: Conversation): Promise<void> {
    if (this.#told < 0) {
      for (const message of messages.slice(0, 1)) {
        if (message.role === "system") this.console.print(`${message.text}\n`);
      }
      this.console.print(opening.text);
      await this.#show(opening.image, "00_opening");
      this.console.print(`Tools: ${tools.map(({ name }) => name).join(", ")}. Type help for more.`);
      if (history.length > 0) {
        this.console.print(`Goes on after ${history.length} calls; history lists them.`);
      }
      this.#told = Math.max(0, history.length - 1);
    }
    for (const [at, { call, outcome }] of history.entries()) {
      if (at < this.#told) continue;
      this.console.print(outcome.text);
      await this.#show(outcome.image, `${String(at + 1).padStart(2, "0")}_${call.name}`);
    }
    this.#told = history.length;
  }

  async #show(image: Image | null, name: string): Promise<void> {
    if (image === null) return;
    const path = join(this.folder, `${name}.png`);
    const png = await encodePng(image);
    await writing(path, async () => {
      await mkdir(this.folder, { recursive: true });
      await writeFile(path, png);
    });
    this.console.print(`Picture: ${path}`);
  }

  /** The next call typed; null when it was something else, which has been answered. */
  async #read({ tools, history }: Conversation, { stop }: TurnSignals) {
    let line = await this.#line("> ", stop);
    for (;;) {
      const text = line.trim();
      if (text === "" || text.startsWith("#")) return null;
      const [word, ...about] = text.split(/\s+/);
      if (LEAVE.includes(word)) throw new Stopped();
      if (word === "help") return this.#answer(about.length > 0 ? helpOn(about[0], tools) : help(tools));
      if (word === "history") return this.#answer(historyText(history));
      const typed = readTyped(text, tools);
      if ("call" in typed) return { call: typed.call, line };
      if ("problem" in typed) return this.#answer(`Not sent: ${typed.problem}.`);
      line += `\n${await this.#line("… ", stop)}`;
    }
  }

  #answer(text: string): null {
    this.console.print(text);
    return null;
  }

  async #line(prompt: string, stop: AbortSignal): Promise<string> {
    const line = await this.console.readLine(prompt, stop);
    if (line === null) throw new Stopped();
    return line;
  }
}

function turn(call: PolicyCall, line: string): ModelTurn {
  return {
    message: {
      role: "assistant",
      text: null,
      calls: [{ id: "", name: call.name, arguments: JSON.stringify(call.arguments), cutOff: false }],
      raw: { typed: line },
    },
    finishReason: "tool_calls",
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
    costUsd: 0,
  };
}

function historyText(history: readonly { call: PolicyCall; outcome: CallOutcome }[]): string {
  if (history.length === 0) return "No calls so far.";
  return history.map(({ call, outcome }, at) => {
    const args = JSON.stringify(call.arguments);
    const shown = args.length > 80 ? `${args.slice(0, 79)}…` : args;
    const verdict = outcome.accepted ? "" : ` (${outcome.refusal ?? outcome.notRun})`;
    const left = outcome.text.match(/Left: .*$/m)?.[0] ?? "";
    return `${at + 1}. ${call.name} ${shown}${verdict} ${left}`.trimEnd();
  }).join("\n");
}
