/** How a policy that builds from nothing begins on a scene that holds something. */
import type { Observation } from "../../env/observation.ts";
import type { PolicyCall, PolicyView } from "../../env/policy.ts";

/** The next call that clears the start scene; null once it is empty, or was from the beginning. */
export function clearingCall({ text }: Observation, history: PolicyView["history"]): PolicyCall | null {
  if (!/^The scene holds \d+ Gaussian/m.test(text)) return null;
  const [listed, deleted] = history;
  if (listed === undefined) return { name: "list_gaussians", arguments: {} };
  if (deleted !== undefined) return null;
  const ids = [...listed.outcome.text.matchAll(/^(\d+) \|/gm)].map(([, id]) => Number(id));
  return { name: "delete_gaussians", arguments: { ids } };
}
