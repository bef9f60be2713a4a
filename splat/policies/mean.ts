/** `builtin:mean`: one Gaussian in the object's average colour, from the opening message alone. */
import type { Policy } from "../../env/policy.ts";
import { meanGaussian } from "../mean_gaussian.ts";
import { clearingCall } from "./clear_scene.ts";
import { readOpening } from "./read_opening.ts";

export const meanPolicy: Policy = ({ opening, history }) => {
  const clearing = clearingCall(opening, history);
  if (clearing !== null) return Promise.resolve([clearing]);
  if (history.some(({ call }) => call.name === "add_gaussians")) {
    return Promise.resolve([{ name: "submit", arguments: {} }]);
  }
  const { mean, scale, color, opacity } = meanGaussian(readOpening(opening));
  const gaussian = { pos: [...mean], scale: [...scale], color: [...color], opacity };
  return Promise.resolve([{ name: "add_gaussians", arguments: { gaussians: [gaussian] } }]);
};
