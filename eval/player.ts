/** Who plays an episode: an endpoint's model or a scripted policy, behind one interface. */
import type { TaskInfo } from "../env/environment.ts";
import type { CallOutcome, Observation, ToolSpec } from "../env/observation.ts";
import type { PolicyCall } from "../env/policy.ts";
import type { ChatMessage, Model, ModelTurn, TurnSignals } from "./model.ts";

/** The episode so far, as a player may see it. */
export interface Conversation {
  readonly opening: Observation;
  readonly tools: readonly ToolSpec[];
  /** Every message so far, as an endpoint is sent them. */
  readonly messages: readonly ChatMessage[];
  /** Every call so far with its answer, as a policy is shown them; calls that could not be decoded are left out. */
  readonly history: readonly { call: PolicyCall; outcome: CallOutcome }[];
}

/** The player's next turn; throws as `Model.respond` does. */
export type NextTurn = (conversation: Conversation, signals: TurnSignals) => Promise<ModelTurn>;

export interface Player {
  /** `model_name` of the records. */
  readonly name: string;
  /** Everything that can change its answers, secrets excluded; compared on resume. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Takes its seat for one episode. Throws BenchError for a task that it cannot play. */
  seat(task: TaskInfo, run: number): Promise<NextTurn>;
}

/** A model plays every episode alike: all it knows is in the messages. */
export function modelPlayer(model: Model): Player {
  return {
    name: model.name,
    settings: model.settings,
    seat: () => Promise.resolve(({ messages, tools }, signals) => model.respond(messages, tools, signals)),
  };
}
