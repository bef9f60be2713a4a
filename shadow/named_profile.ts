/** The conventions behind an environment's numbers: the benchmark's own, or as a run recorded them. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import type { HandModel } from "./hand/hand_model.ts";
import { DEFAULT_SCORE, ScoreProfile } from "./score/score_profile.ts";
import {
  LAMP_Z,
  MASK_HEIGHT,
  MASK_WIDTH,
  SCREEN_HEIGHT,
  SCREEN_WIDTH,
  SKIN_MAX_Z,
  SKIN_MIN_Z,
  WRIST_BOX,
} from "./stage/stage.ts";

/** `profile` of `run.json`: everything that decides an answer or a score besides program and device. */
const recordedSchema = z.strictObject({
  score: ScoreProfile,
  /** The model whose poses these are. */
  hand: z.strictObject({ name: z.string(), hash: z.string() }),
  /** Lengths in metres, for readers of other programs. */
  stage: z.record(z.string(), z.unknown()),
});
export type ShadowProfile = z.infer<typeof recordedSchema>;

const STAGE = {
  lamp_z: LAMP_Z,
  screen: [SCREEN_WIDTH, SCREEN_HEIGHT],
  mask: [MASK_WIDTH, MASK_HEIGHT],
  skin_z: [SKIN_MIN_Z, SKIN_MAX_Z],
  wrist_box: WRIST_BOX,
};

/** The profile that a run records. */
export function shadowProfile(score: ScoreProfile, { name, hash }: HandModel): ShadowProfile {
  return { score, hand: { name, hash }, stage: STAGE };
}

/**
 * The score profile to open an environment with.
 *
 * @param chosen the `profile` of a `run.json`, or null for the default
 * @throws BenchError for a name, and naming the knob of a recorded profile that is not known
 */
export function chosenScore(chosen: unknown): ScoreProfile {
  if (chosen === null) return DEFAULT_SCORE;
  if (typeof chosen === "string") {
    throw new BenchError({
      what: `Cannot play ShadowBench with the profile ${JSON.stringify(chosen)}`,
      why: "it has no profiles with names",
      fix: "Leave --profile out, or name the benchmark that it is meant for",
    });
  }
  return readProfile(chosen).score;
}

/** @throws BenchError that names the knob which is missing or wrong */
export function readProfile(recorded: unknown): ShadowProfile {
  const parsed = recordedSchema.safeParse(recorded);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new BenchError({
    what: "Cannot use the profile that the run recorded",
    why: `${path.join(".") || "it"}: ${message}`,
    fix: "Replay with the release that recorded it",
  });
}
