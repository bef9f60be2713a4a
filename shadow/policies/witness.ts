/** `builtin:witness`: plays the stored path to a pose that casts the target. It sees what no model sees. */
import { BenchError } from "../../env/errors.ts";
import type { Policy, PolicyCall } from "../../env/policy.ts";
import type { HandIdentity, ShadowTask } from "../task.ts";

/** @throws BenchError for a task without a path, and for one whose path is another hand's */
export function witnessPolicy({ info, witness, hand }: ShadowTask, { hash }: HandIdentity): Policy {
  if (witness === null) throw noAnswer(info.id, "its file holds no witness", OTHERS);
  if (hand !== null && hand.hash !== hash) {
    const why = `its witness poses the hand ${hand.name}, another than is played with`;
    throw noAnswer(info.id, why, `${OTHERS}, or play with that hand`);
  }
  const calls: readonly PolicyCall[] = [
    { name: "plan", arguments: { subject: info.title, arrangement: "as in the book" } },
    ...witness.path,
    { name: "look", arguments: { view: "front" } },
    { name: "submit", arguments: {} },
  ];
  return ({ history }) => Promise.resolve(calls.slice(history.length, history.length + 1));
}

const OTHERS = "Choose other tasks or another policy";

function noAnswer(id: string, why: string, fix: string): BenchError {
  return new BenchError({ what: `Cannot play ${id} with the policy witness`, why, fix });
}
