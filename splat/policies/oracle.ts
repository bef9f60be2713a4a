/** `builtin:oracle`: puts what earns 100 points into the scene, through the tools. It sees what no model sees. */
import { BenchError } from "../../env/errors.ts";
import type { Policy, PolicyCall } from "../../env/policy.ts";
import { wayBack } from "../reassembly/part_move.ts";
import { sceneToRows } from "../scene.ts";
import { fitOf, FULL_FIT, type SplatTask } from "../task.ts";

/** Gaussians in one call: a few calls, as a model would make them. */
const GAUSSIANS_A_CALL = 100;

/**
 * The stored fit of a build task, the true poses of a reassembly; then it submits.
 *
 * @throws BenchError for a task that holds neither
 */
export function oraclePolicy(task: SplatTask): Policy {
  const all = task.kind === "build" ? fitCalls(task, GAUSSIANS_A_CALL) : wayBackCalls(task);
  return ({ history, tools }) => {
    const canSubmit = tools.some(({ name }) => name === "submit");
    // With one call for everything there is none to submit.
    if (!canSubmit) return Promise.resolve(fitCalls(task, FULL_FIT));
    const next = all.at(history.length) ?? { name: "submit", arguments: {} };
    return Promise.resolve([next]);
  };
}

function fitCalls(task: SplatTask, aCall: number): PolicyCall[] {
  const fit = fitOf(task, FULL_FIT);
  if (fit === null) throw noAnswer(task, `no fit of ${FULL_FIT} Gaussians`);
  const gaussians = sceneToRows(fit.scene).map(({ id: _, group: __, ...given }) => given);
  return Array.from({ length: Math.ceil(gaussians.length / aCall) }, (_, call) => ({
    name: "add_gaussians",
    arguments: { gaussians: gaussians.slice(call * aCall, (call + 1) * aCall) },
  }));
}

function wayBackCalls(task: SplatTask): PolicyCall[] {
  if (task.parts.length === 0) throw noAnswer(task, "no true poses of its parts");
  return task.parts.map((part) => {
    const { pivot, translate, degrees } = wayBack(part);
    const rotate = { axis: "z", degrees };
    return { name: "transform_group", arguments: { group: part.group, rotate, pivot, translate } };
  });
}

function noAnswer({ info }: SplatTask, holds: string): BenchError {
  return new BenchError({
    what: `Cannot play ${info.id} with the policy oracle`,
    why: `its file holds ${holds}`,
    fix: "Choose other tasks, or another policy",
  });
}
