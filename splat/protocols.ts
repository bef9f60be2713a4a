/** The rules under which a task is played. */
import type { ProtocolInfo } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { type Limits, requireTask, type SplatTask, STANDARD_LIMITS, type TaskKind } from "./task.ts";

export type ProtocolId = "standard" | "early_submit_refused" | "one_shot";

export interface Protocol extends ProtocolInfo {
  readonly id: ProtocolId;
  /** Kinds of task it makes sense for. */
  readonly kinds: readonly TaskKind[];
  /** The first submit before this call is refused, once; 0 refuses none. */
  readonly refuseSubmitBefore: number;
  /** What replaces the task's limits. */
  readonly limits: Partial<Limits>;
  /** Tools that the model is told of; the others run all the same. */
  readonly offers: (tool: string) => boolean;
}

export const PROTOCOLS: readonly Protocol[] = [
  {
    id: "standard",
    description: `The full episode: ${STANDARD_LIMITS.calls} calls, ${STANDARD_LIMITS.renders} renders, ` +
      "submit at any time.",
    kinds: ["build", "reassembly"],
    refuseSubmitBefore: 0,
    limits: {},
    offers: () => true,
  },
  {
    id: "early_submit_refused",
    description: "As standard, but the first submit before call 20 is refused once, with a reminder.",
    kinds: ["build", "reassembly"],
    refuseSubmitBefore: 20,
    limits: {},
    offers: () => true,
  },
  {
    id: "one_shot",
    description: "One call and no renders; build tasks only.",
    kinds: ["build"],
    refuseSubmitBefore: 0,
    limits: { calls: 1, renders: 0 },
    offers: (tool) => tool === "add_gaussians",
  },
];

/** A task under a protocol: its limits are already those of the protocol. */
export interface TaskVariant extends SplatTask {
  readonly protocol: Protocol;
}

/**
 * The task as a protocol plays it.
 *
 * @throws BenchError for what is no task, for a protocol that does not exist or does not fit the task, and for a variant of another one
 */
export function taskVariant(task: SplatTask, protocol: string): TaskVariant {
  requireTask(task);
  const what = `Cannot play ${task.info.id} with the protocol ${JSON.stringify(protocol)}`;
  const rules = PROTOCOLS.find(({ id }) => id === protocol);
  if (rules === undefined) {
    const known = PROTOCOLS.map(({ id }) => id).join(", ");
    throw new BenchError({ what, why: "there is no such protocol", fix: `The protocols are ${known}` });
  }
  if (!rules.kinds.includes(task.kind)) {
    const kinds = rules.kinds.join(" and ");
    throw new BenchError({
      what,
      why: `it is for ${kinds} tasks and this is a ${task.kind} task`,
      fix: `Choose a ${kinds} task or another protocol`,
    });
  }
  if (isVariant(task) && task.protocol !== rules) {
    throw new BenchError({
      what,
      why: `it already is a variant for ${task.protocol.id}, with that protocol's limits`,
      fix: "Make the variant from the task itself",
    });
  }
  return { ...task, limits: { ...task.limits, ...rules.limits }, protocol: rules };
}

/** Whether a task already is a variant. */
export function isVariant(task: SplatTask): task is TaskVariant {
  return "protocol" in task;
}
