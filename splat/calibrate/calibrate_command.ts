/** `bench calibrate metrics` and `bench calibrate render`. */
import { z } from "zod";
import { BenchError, EXIT } from "../../env/errors.ts";
import { openGpu } from "../../gpu/device.ts";
import { cacheFolder } from "../../tasks/cache_folder.ts";
import { type ProfileSections, writeProfileFile } from "../../tasks/profile_file.ts";
import { loadProfile } from "../load_profile.ts";
import type { SplatProfile } from "../named_profile.ts";
import { chooseWeights } from "../score/lpips/choose_weights.ts";
import type { LpipsWeights } from "../score/lpips/lpips_weights.ts";
import { lpipsNetSchema } from "../score/lpips/networks.ts";
import { cachedLpipsWeights } from "../score/lpips/weight_cache.ts";
import { calibrateLpips } from "./calibrate_lpips.ts";
import { calibrateMetrics, isForeign } from "./calibrate_metrics.ts";
import { calibrateRender, type RenderCalibration } from "./calibrate_render.ts";
import type { EvidenceTask } from "./evidence_task.ts";
import type { Finding } from "./findings.ts";
import { loadEvidence } from "./load_evidence.ts";
import { ProfileMeter } from "./profile_meter.ts";
import { type ExtraColumn, findingJson, findingsText } from "./report.ts";

export const calibrateOptionsSchema = z.object({
  /** Name or file of the conventions to start from. */
  profile: z.string().nullable().default(null),
  /** File that what was found is written into. */
  out: z.string(),
  lpipsWeights: z.string().nullable().default(null),
  device: z.string(),
  json: z.boolean().default(false),
});
export type CalibrateOptions = z.infer<typeof calibrateOptionsSchema>;

export interface Said {
  print(text: string): void;
  notice(text: string): void;
  /** A line that keeps changing; an empty one ends it. */
  status(text: string): void;
}

/** @returns the exit code: 1 where no profile of ours explains what is recorded */
export async function calibrateMetricsCommand(
  where: string,
  options: CalibrateOptions,
  said: Said,
): Promise<number> {
  const base = await loadProfile(options.profile);
  const tasks = await evidence(where, ["psnr", "ssim", "lpips"], said);
  const found = await calibrateMetrics(tasks, base.metrics);
  if (found.numbers === 0) {
    throw new BenchError({
      what: `Cannot calibrate metrics with ${where}`,
      why: "its tasks record no metrics of the empty scene",
      fix: "Name a data set whose tasks have baselines",
    });
  }
  print(options, said, "metrics", found.findings, found.numbers, null);
  const lpips = await findLpips(tasks, base, options, said);
  const findings = [...found.findings, ...(lpips === null ? [] : [lpips.finding])];
  const used = lpips?.weights ?? null;
  return await keep(options, said, findings, {
    metrics: found.profile,
    ...(used === null ? {} : { lpips: { net: used.net, version: "0.1", sha256: used.sha256 } }),
  });
}

/** @returns the exit code, as `calibrateMetricsCommand` */
export async function calibrateRenderCommand(
  where: string,
  options: CalibrateOptions,
  said: Said,
): Promise<number> {
  const base = await loadProfile(options.profile);
  const weights = base.lpips === undefined && options.lpipsWeights === null ? null : await chooseWeights({
    metrics: "full",
    recorded: base.lpips,
    file: options.lpipsWeights,
    cache: cacheFolder(),
  });
  const tasks = await evidence(where, ["psnr", "ssim", ...(weights === null ? [] : ["lpips"])], said);
  const meter = new ProfileMeter(() => openGpu(options.device), base.metrics, weights);
  let found: RenderCalibration;
  try {
    found = await calibrateRender(tasks, base.render, meter, said.status);
  } finally {
    meter.close();
    said.status("");
  }
  const { findings, numbers, selfConsistency } = found;
  if (findings.length === 0 && selfConsistency === null) {
    throw new BenchError({
      what: `Cannot calibrate the renderer with ${where}`,
      why: "it has neither fits nor scenes with recorded metrics",
      fix: "Name a data set with its tasks or episodes",
    });
  }
  if (findings.length === 0) {
    said.notice("No metrics are recorded of any scene: what the fits prefer is a guess, not a finding");
    said.print(preferences(found));
  } else print(options, said, "render", findings, numbers.length, ownPhotos(found));
  return await keep(options, said, findings, { render: found.profile });
}

async function evidence(
  where: string,
  metrics: readonly string[],
  { status }: Said,
): Promise<EvidenceTask[]> {
  try {
    return await loadEvidence(where, metrics, (id) => status(`read ${id}`));
  } finally {
    status("");
  }
}

async function findLpips(
  tasks: readonly EvidenceTask[],
  base: SplatProfile,
  options: CalibrateOptions,
  said: Said,
) {
  if (tasks.every(({ empty }) => empty?.lpips === undefined)) return null;
  const weights = await weightsThere(options);
  const meterOf = (own: LpipsWeights) => new ProfileMeter(() => openGpu(options.device), base.metrics, own);
  const found = await calibrateLpips(tasks, weights, meterOf);
  if (found === null) {
    said.notice("LPIPS is recorded, and no weights are here to measure it: `bench fetch weights` gets them");
    return null;
  }
  print(options, said, "metrics", [found.finding], found.numbers, null);
  return found;
}

/** Of every network that has been fetched, or those of the file alone. */
async function weightsThere({ lpipsWeights: file }: CalibrateOptions): Promise<LpipsWeights[]> {
  const named = file === null ? null : await chooseWeights({ metrics: "full", file, cache: null });
  if (named !== null) return [named];
  const fetched = await Promise.all(
    lpipsNetSchema.options.map((net) => cachedLpipsWeights(net, cacheFolder())),
  );
  return fetched.filter((weights) => weights !== null);
}

function print(
  { json }: CalibrateOptions,
  said: Said,
  stage: string,
  findings: readonly Finding[],
  numbers: number,
  extra: ExtraColumn | null,
): void {
  if (json) { for (const finding of findings) said.print(JSON.stringify(findingJson(stage, finding))); }
  else said.print(`${findingsText(findings, numbers, extra)}\n`);
}

function ownPhotos({ selfConsistency, knobs }: RenderCalibration): ExtraColumn | null {
  if (selfConsistency === null) return null;
  const { best, lostDb } = selfConsistency;
  return {
    title: "fits lose, dB",
    cells: knobs.map((_, k) => lostDb[k].map((lost, value) => value === best[k] ? "best" : lost.toFixed(3))),
  };
}

function preferences({ knobs, selfConsistency }: RenderCalibration): string {
  return knobs.map(({ name, values }, k) => {
    const lost = values.map(({ label }, value) =>
      `${label}: ${selfConsistency?.lostDb[k][value].toFixed(3)} dB`
    );
    return `${name}: fits lose ${lost.join(", ")}`;
  }).join("\n");
}

/** Writes the sections unless they would not give the recorded numbers. */
async function keep(
  { out }: CalibrateOptions,
  { notice }: Said,
  findings: readonly Finding[],
  sections: ProfileSections,
): Promise<number> {
  const wrong = findings.filter((finding) => finding.verdict === "unexplained" || isForeign(finding));
  if (wrong.length > 0) {
    notice(`No profile is written: none of ours explains ${wrong.map(({ knob }) => knob).join(", ")}`);
    return EXIT.differences;
  }
  await writeProfileFile(out, sections);
  notice(`Wrote ${Object.keys(sections).join(" and ")} to ${out}; use it with --profile ${out}`);
  return EXIT.fine;
}
