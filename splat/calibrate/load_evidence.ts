/** Reads from a data set what it says about conventions. */
import { BenchError } from "../../env/errors.ts";
import type { Metrics } from "../../env/records.ts";
import { openData } from "../../tasks/data_source.ts";
import { splatTaskFile } from "../../tasks/splat_task_rows.ts";
import { taskFromFile } from "../load_task.ts";
import { sceneFromRows } from "../scene.ts";
import type { SplatTask } from "../task.ts";
import type { EvidenceScene, EvidenceTask } from "./evidence_task.ts";

/** Recorded baselines whose scenes a table of tasks has. */
const TASK_SCENES = ["fit_300", "fit_64", "scrambled"];
/** Final scenes of each task that are looked at. */
const EPISODES_A_TASK = 4;

/**
 * @param metricNames metrics that can be measured here; others are left out
 * @param onTask told of each task that has been read
 * @throws BenchError for a data set that cannot be read, is of the other benchmark or has no tasks
 */
export async function loadEvidence(
  where: string,
  metricNames: readonly string[],
  onTask: (id: string) => void = () => {},
): Promise<EvidenceTask[]> {
  const data = await openData(where, { bench: "splat" });
  if (data.bench !== "splat" || !await data.has("tasks")) {
    throw new BenchError({
      what: `Cannot calibrate with ${where}`,
      why: data.bench === "splat" ? "it has no table of tasks" : `it is of ${data.bench}`,
      fix: "Name a SplatBench data set with its tasks",
    });
  }
  const measurable = (metrics: Metrics): Metrics =>
    Object.fromEntries(Object.entries(metrics).filter(([name]) => metricNames.includes(name)));
  const finals = await data.has("episodes") ? await finalScenes(data, measurable) : new Map();
  const tasks: EvidenceTask[] = [];
  for await (const row of data.tasks()) {
    const task = taskFromFile(splatTaskFile(row, `${where}#${row.task_id}`), where);
    tasks.push(evidenceOf(task, measurable, finals.get(row.task_id) ?? []));
    onTask(row.task_id);
  }
  return tasks;
}

function evidenceOf(
  task: SplatTask,
  measurable: (metrics: Metrics) => Metrics,
  finals: readonly EvidenceScene[],
): EvidenceTask {
  const { info: { id, baselines }, reference, heldOut, start } = task;
  const fits = task.fits.toSorted((a, b) => b.gaussians - a.gaussians);
  const sceneOf = (name: string) =>
    name === "scrambled" ? start : fits.find(({ gaussians }) => name === `fit_${gaussians}`)?.scene ?? [];
  const scenes = TASK_SCENES.flatMap((name): EvidenceScene[] => {
    const recorded = baselines?.[name];
    const scene = sceneOf(name);
    if (recorded === undefined || scene.length === 0) return [];
    return [{ origin: "task", scene, metrics: measurable(recorded.metrics), score: null }];
  });
  const empty = baselines?.empty === undefined ? null : measurable(baselines.empty.metrics);
  return {
    id,
    reference,
    heldOut,
    empty,
    fits: fits.map(({ scene }) => scene),
    scenes: [...scenes, ...finals],
  };
}

/** By task. Only partial scores can be predicted from PSNR and SSIM. */
async function finalScenes(
  data: Awaited<ReturnType<typeof openData>>,
  measurable: (metrics: Metrics) => Metrics,
): Promise<Map<string, EvidenceScene[]>> {
  const columns = ["task_id", "final_scene", "metrics", "score", "score_kind"] as const;
  const found = new Map<string, EvidenceScene[]>();
  for await (
    const { task_id, final_scene, metrics, score, score_kind } of data.episodes(undefined, { columns })
  ) {
    const own = found.get(task_id) ?? [];
    found.set(task_id, own);
    if (final_scene === undefined || final_scene.length === 0 || own.length >= EPISODES_A_TASK) continue;
    const evidence: EvidenceScene = {
      origin: "episode",
      scene: sceneFromRows(final_scene),
      metrics: measurable(metrics ?? {}),
      score: score_kind === "partial" ? score : null,
    };
    if (Object.keys(evidence.metrics).length > 0 || evidence.score !== null) own.push(evidence);
  }
  return found;
}
