/**
 * Where the cameras of a task stand: 8 reference and 8 held-out orbits around the origin.
 *
 * The published rigs are not known here; these are an assumption, and any task file brings its own cameras. Azimuths
 * are 45° apart, the held-out ones half way between the reference ones; elevations run from a little below the object
 * to well above it, never to the pole. At this distance the whole cube [−0.9, 0.9]³ is in every picture.
 */
import { type Camera, orbitCamera } from "./camera.ts";

/** Width and height of every photo, pixels. */
export const PHOTO_SIZE = 256;

const DISTANCE = 4.6;
const FOV_DEG = 40;
const REFERENCE_ELEVATIONS_DEG = [15, 35, -15, 50, 15, 35, 0, 60];
const HELD_OUT_ELEVATIONS_DEG = [30, 5, 45, -10, 25, 10, 40, -5];

export interface Rig {
  readonly reference: readonly Camera[];
  readonly heldOut: readonly Camera[];
}

/** The rig of all tasks made here. */
export function standardRig(): Rig {
  return { reference: ring(REFERENCE_ELEVATIONS_DEG, 0), heldOut: ring(HELD_OUT_ELEVATIONS_DEG, 22.5) };
}

function ring(elevationsDeg: readonly number[], firstAzimuthDeg: number): Camera[] {
  return elevationsDeg.map((elevationDeg, i) => {
    const azimuthDeg = firstAzimuthDeg + i * 360 / elevationsDeg.length;
    return orbitCamera(
      { azimuthDeg, elevationDeg, distance: DISTANCE, fovDeg: FOV_DEG },
      PHOTO_SIZE,
      PHOTO_SIZE,
    );
  });
}
