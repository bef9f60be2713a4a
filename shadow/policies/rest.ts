/** `builtin:rest`: a plan, and the hands as they start. */
import type { Policy } from "../../env/policy.ts";

export const restPolicy: Policy = ({ history }) =>
  Promise.resolve([
    history.length === 0
      ? { name: "plan", arguments: { subject: "two open hands", arrangement: "as they start" } }
      : { name: "submit", arguments: {} },
  ]);
