/** `builtin:random`: seeded calls of every tool, a few of them deliberately wrong. It exercises; it does not build. */
import type { Policy, PolicyCall, PolicyView } from "../../env/policy.ts";
import { type Stream, stream } from "../../env/random.ts";

/** The policy of one task and run; its n-th call depends on them, on n, and on the ids it was given. */
export function randomPolicy(taskId: string, run: number): Policy {
  const calls = stream(0, "random-policy", taskId, run, "calls").integer(12, 17);
  return ({ history }) => {
    const draws = stream(0, "random-policy", taskId, run, history.length);
    const left = calls - history.length;
    const call = left <= 1
      ? { name: "submit", arguments: {} }
      : left === 2
      ? { name: "render_views", arguments: { views: [0, 1, 2, 3, 4, 5, 6, 7] } }
      : history.length === 0
      ? add(draws)
      : drawCall(draws, liveIds(history));
    return Promise.resolve([call]);
  };
}

type Draw = (draws: Stream, ids: readonly number[]) => PolicyCall;

/** One line each, drawn with equal chance; those that change the scene come more than once. */
const CALLS: readonly Draw[] = [
  add,
  add,
  add,
  edit,
  edit,
  remove,
  transformIds,
  transformLabel,
  (draws) => ({ name: "render_views", arguments: { views: someViews(draws) } }),
  (draws) => ({ name: "render_views", arguments: { views: someViews(draws) } }),
  (draws) => ({
    name: "render_angle",
    arguments: { azimuth: draws.integer(0, 360), elevation: draws.integer(-30, 90) },
  }),
  (draws) => ({ name: "view_references", arguments: { views: someViews(draws) } }),
  () => ({ name: "list_gaussians", arguments: {} }),
  () => ({ name: "describe_groups", arguments: {} }),
  wrong,
];

function drawCall(draws: Stream, ids: readonly number[]): PolicyCall {
  return CALLS[draws.integer(0, CALLS.length)](draws, ids);
}

function add(draws: Stream): PolicyCall {
  const gaussians = Array.from({ length: draws.integer(3, 9) }, () => gaussian(draws));
  return { name: "add_gaussians", arguments: { gaussians } };
}

function gaussian(draws: Stream): Record<string, unknown> {
  return {
    pos: [point(draws), point(draws), point(draws)],
    scale: [size(draws), size(draws), size(draws)],
    euler_deg: [draws.integer(0, 180), 0, draws.integer(0, 180)],
    color: [round(draws.next()), round(draws.next()), round(draws.next())],
    opacity: round(draws.range(0.5, 1)),
    group: label(draws),
  };
}

function edit(draws: Stream, ids: readonly number[]): PolicyCall {
  const edits = pick(draws, ids, 3).map((id) => ({ id, scale: size(draws), color: "#805e31" }));
  return { name: "edit_gaussians", arguments: { edits } };
}

function remove(draws: Stream, ids: readonly number[]): PolicyCall {
  return { name: "delete_gaussians", arguments: { ids: pick(draws, ids, 2) } };
}

function transformIds(draws: Stream, ids: readonly number[]): PolicyCall {
  return {
    name: "transform_group",
    arguments: { ids: pick(draws, ids, 4), translate: [0, 0, round(draws.range(-0.2, 0.2))] },
  };
}

function transformLabel(draws: Stream): PolicyCall {
  return {
    name: "transform_group",
    arguments: {
      group: label(draws),
      rotate: { axis: "z", degrees: draws.integer(-90, 90) },
      scale: round(draws.range(0.8, 1.2)),
    },
  };
}

/** Calls that are refused, and one that never runs. */
function wrong(draws: Stream): PolicyCall {
  const calls: PolicyCall[] = [
    { name: "add_gaussians", arguments: { gaussians: [{ pos: [0, 0, 0], scale: [0.1, -0.1, 0.1] }] } },
    { name: "add_gaussians", arguments: { gaussians: [{ pos: [0, 0, 0], scale: 0.1, colour: "#ff0000" }] } },
    { name: "edit_gaussians", arguments: { edits: [{ id: 9999, opacity: 0.5 }] } },
    { name: "transform_group", arguments: { group: "nothing has this label", scale: 2 } },
    { name: "render_views", arguments: { views: [] } },
    { name: "render_angle", arguments: { yaw: 30 } },
  ];
  return calls[draws.integer(0, calls.length)];
}

/** Ids that the answers gave and no accepted call took away. */
function liveIds(history: PolicyView["history"]): number[] {
  const ids = new Set<number>();
  for (const { call, outcome } of history) {
    if (!outcome.accepted) continue;
    const named = outcome.text.match(/: id ([\d, -]+)\./)?.[1] ?? "";
    if (call.name === "add_gaussians") expand(named).forEach((id) => ids.add(id));
    if (call.name === "delete_gaussians") expand(named).forEach((id) => ids.delete(id));
  }
  return [...ids];
}

/** `1-3, 7` → 1, 2, 3, 7. */
function expand(ranges: string): number[] {
  return ranges.split(", ").filter((range) => range !== "").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** Up to `most` different ids, at least one; id 1 when there is none. */
function pick(draws: Stream, ids: readonly number[], most: number): number[] {
  const left = ids.length > 0 ? [...ids] : [1];
  const wanted = Math.min(left.length, draws.integer(1, most + 1));
  return Array.from({ length: wanted }, () => left.splice(draws.integer(0, left.length), 1)[0]);
}

function someViews(draws: Stream): number[] {
  const first = draws.integer(0, 8);
  return [first, (first + 2) % 8, (first + 5) % 8].slice(0, draws.integer(1, 4));
}

const label = (draws: Stream): string => ["body", "top", "base"][draws.integer(0, 3)];
const point = (draws: Stream): number => round(draws.range(-0.7, 0.7));
const size = (draws: Stream): number => round(draws.range(0.03, 0.15));
const round = (value: number): number => Math.round(value * 1000) / 1000;
