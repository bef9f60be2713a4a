/** Where a camera stands, in words and in the numbers that models think in. */
import { z } from "zod";
import { type Camera, cameraOrbit, type Orbit } from "../camera.ts";
import { decimal } from "../../env/numbers.ts";
import { type Refusal, refuse, refuseAll } from "../../env/refusal.ts";
import { wholeNumber } from "../../env/whole_number.ts";

/** Numbers of reference views. */
export const viewList = z.array(wholeNumber(z.int().min(0))).min(1).max(8);

/** `azimuth 45°, elevation 20°, distance 4.6, field of view 40°`. */
export function orbitWords({ azimuthDeg, elevationDeg, distance, fovDeg }: Orbit): string {
  return `azimuth ${decimal(azimuthDeg, 1)}°, elevation ${decimal(elevationDeg, 1)}°, ` +
    `distance ${decimal(distance, 2)}, field of view ${decimal(fovDeg, 1)}°`;
}

/** `view 0 · azimuth 45° · elevation 20°`, for a picture. */
export function viewCaption(view: number, camera: Camera): string {
  const { azimuthDeg, elevationDeg } = cameraOrbit(camera);
  return `view ${view} · azimuth ${decimal(azimuthDeg, 1)}° · elevation ${decimal(elevationDeg, 1)}°`;
}

/** Why a list of view numbers does not do; null when it does. */
export function refuseViews(views: readonly number[], available: number, perPicture: number): Refusal | null {
  if (views.length > perPicture) {
    return refuse("bad_value", `views: must have at most ${perPicture} entries, got ${views.length}`);
  }
  const problems = views.flatMap((view, index) => {
    const place = `views[${index}]`;
    if (view >= available) return refuse("bad_value", `${place}: must be 0 to ${available - 1}, got ${view}`);
    return views.indexOf(view) < index ? refuse("bad_value", `${place}: ${view} comes twice`) : [];
  });
  return problems.length === 0 ? null : refuseAll(problems);
}
