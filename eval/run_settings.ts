/** What the episodes of a run folder share, and the refusal to mix in what was made otherwise. */
import { z } from "zod";
import { nowIso } from "../env/clock.ts";
import type { EnvironmentDefinition, EnvironmentIdentity, TaskInfo } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { canonicalJson, contentHash, imageKey } from "../env/hash.ts";
import { SCHEMA_VERSION } from "../env/records.ts";
import { dataAddress, isDataAddress } from "../tasks/data_address.ts";
import type { RunRecord } from "../tasks/run_schema.ts";
import { jsonDifference, valueAt } from "./agreement.ts";
import { projectCommit } from "./project_commit.ts";
import type { Player } from "./player.ts";

export interface WantedRun {
  environment: EnvironmentDefinition;
  identity: EnvironmentIdentity;
  players: readonly Player[];
  tasks: readonly TaskInfo[];
  protocol: string;
  effort: string;
  runs: number;
  setting: string;
  /** `promptHash` by task id: only of tasks that are opened. */
  promptHashes: Readonly<Record<string, string>>;
}

/**
 * The hash behind `prompt_hashes`: all that the model is told and shown before its first turn.
 *
 * The opening counts, since its text states cameras and limits, and its picture shows the task's photos.
 */
export async function promptHash(
  environment: EnvironmentDefinition,
  task: TaskInfo,
  protocol: string,
): Promise<string> {
  const episode = await environment.open(task, { id: "prompts", protocol });
  const { text, image } = await episode.observe();
  // Hidden metrics of the opening are under way: the device must not be closed before they are there.
  await episode.steps();
  const opening = { text, image: image === null ? null : imageKey(image) };
  return contentHash({ prompts: episode.prompts, tools: episode.tools, opening });
}

/**
 * `run.json` for a folder that now also holds the wanted episodes.
 *
 * @param recorded what the folder holds already
 * @throws BenchError naming the first setting that differs
 */
export function mergeRun(recorded: RunRecord | null, wanted: WantedRun, folder: string): RunRecord {
  const { identity, protocol, effort, setting, players, tasks } = wanted;
  const before = recorded?.options;
  const models = Object.fromEntries(players.map((player) => [player.name, jsonOf(player.settings)]));
  if (recorded !== null) refuseOtherSettings(recorded, wanted, models, folder);
  const hashes = { ...before?.prompt_hashes, ...wanted.promptHashes };
  const taskHashes = tasks.map((task) => [task.id, task.contentHash]);
  const sources = tasks.filter(({ source }) => source !== "embedded").map(({ id, source }) => [id, source]);
  return {
    schema_version: SCHEMA_VERSION,
    bench: wanted.environment.id,
    setting,
    created: recorded?.created ?? nowIso(),
    env_fingerprint: identity.fingerprint,
    profile: identity.profile,
    profile_hash: identity.profileHash,
    prompt_hash: contentHash(hashes),
    data_revision: recorded?.data_revision ?? dataRevision(tasks),
    commit: recorded?.commit ?? projectCommit(new URL("../", import.meta.url)),
    device: recorded?.device ?? identity.device,
    models: { ...recorded?.models, ...models },
    options: {
      ...before,
      tasks: [...new Set([...before?.tasks ?? [], ...tasks.map(({ id }) => id)])].sort(),
      runs: Math.max(before?.runs ?? 0, wanted.runs),
      protocol,
      effort,
      prompt_hashes: hashes,
      task_hashes: { ...before?.task_hashes, ...Object.fromEntries(taskHashes) },
      task_sources: { ...before?.task_sources, ...Object.fromEntries(sources) },
    },
  };
}

/** The commit of the data set that tasks are rows of; null for tasks of another kind. */
function dataRevision(tasks: readonly TaskInfo[]): string | null {
  const rows = tasks.map(({ source }) => source).filter(isDataAddress);
  return rows.map((source) => dataAddress(source).revision).find((revision) => revision !== null) ?? null;
}

/** What a run does not have yet (a model, a task) may be anything; all else must be as it was. */
function refuseOtherSettings(
  recorded: RunRecord,
  wanted: WantedRun,
  models: RunRecord["models"],
  folder: string,
): void {
  const same = (what: string, was: unknown, is: unknown) => refuseChange(folder, what, was, is);
  same("bench", recorded.bench, wanted.environment.id);
  same("setting", recorded.setting, wanted.setting);
  same("protocol", recorded.options.protocol, wanted.protocol);
  same("effort", recorded.options.effort, wanted.effort);
  same("env_fingerprint", recorded.env_fingerprint, wanted.identity.fingerprint);
  same("the profile", recorded.profile, wanted.identity.profile);
  // Of all tasks, finished ones too: their episodes are about to be averaged under the id.
  for (const { id, contentHash: hash } of wanted.tasks) {
    same(`the content of ${id}`, recorded.options.task_hashes[id] ?? hash, hash);
  }
  for (const [task, hash] of Object.entries(wanted.promptHashes)) {
    same(`prompt_hash of ${task}`, recorded.options.prompt_hashes[task] ?? hash, hash);
  }
  for (const [name, settings] of Object.entries(models)) {
    same(`the model ${name}`, recorded.models[name] ?? settings, settings);
  }
}

/** @throws BenchError that names the place, e.g. `extra_body.temperature of the model m` */
function refuseChange(folder: string, what: string, was: unknown, is: unknown): void {
  const place = jsonDifference(was, is);
  if (place === null) return;
  const field = place === "" ? what : `${place.replace(/^\./, "")} of ${what}`;
  const [before, now] = [brief(valueAt(was, place)), brief(valueAt(is, place))];
  throw new BenchError({
    what: `Cannot continue ${folder}`,
    why: `${field} is now ${now}, and its episodes were played with ${before}`,
    fix: "Choose another folder with --out, or go back to the old setting",
  });
}

function brief(value: unknown): string {
  const text = canonicalJson(value ?? null);
  return text.length > 60 ? `${text.slice(0, 40)}…` : text;
}

/** A value as its JSON reads: what `run.json` will hold. */
function jsonOf(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(canonicalJson(settings)));
}
