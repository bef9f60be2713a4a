/** Scripted policies as players: `builtin:NAME` on the command line. */
import type { EnvironmentDefinition } from "../../env/environment.ts";
import { BenchError } from "../../env/errors.ts";
import type { PolicyCall } from "../../env/policy.ts";
import type { Usage } from "../../env/records.ts";
import type { ModelTurn } from "../model.ts";
import type { Player } from "../player.ts";

/** What the names of scripted policies begin with. */
export const BUILTIN = "builtin:";

/**
 * The policy of this name as a player.
 *
 * @throws BenchError for a name that the environment does not have
 */
export function policyPlayer(environment: EnvironmentDefinition, name: string): Player {
  const make = Object.hasOwn(environment.policies, name) ? environment.policies[name] : null;
  if (make === null) {
    throw new BenchError({
      what: `Cannot play ${BUILTIN}${name}`,
      why: `${environment.id} has no scripted policy of this name`,
      fix: `It has ${Object.keys(environment.policies).map((known) => BUILTIN + known).join(", ")}`,
    });
  }
  return {
    name: BUILTIN + name,
    settings: { policy: name },
    async seat(task, run) {
      const policy = await make(task, run);
      return async ({ opening, tools, history }) =>
        policyTurn(await policy({ opening, tools, history }), history.length);
    },
  };
}

const NOTHING: Usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

/** A policy's calls in the shape of a model's turn; `callsBefore` numbers them. */
function policyTurn(calls: readonly PolicyCall[], callsBefore: number): ModelTurn {
  return {
    message: {
      role: "assistant",
      text: null,
      calls: calls.map((call, at) => ({
        id: `call_${callsBefore + at + 1}`,
        name: call.name,
        arguments: JSON.stringify(call.arguments),
        cutOff: false,
      })),
      raw: null,
    },
    finishReason: calls.length > 0 ? "tool_calls" : "stop",
    usage: NOTHING,
    costUsd: 0,
  };
}
