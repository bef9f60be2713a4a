/** The ShadowBench task files that come with the program. */
import { once } from "../env/once.ts";
import { parseShadowTaskFile, readShadowTaskFile, type ShadowTaskFile } from "./shadow_task_file.ts";
import type { TaskSet, TaskSource } from "./task_source.ts";

/**
 * Every embedded task, in table order, nothing read yet.
 *
 * The imports are literal on purpose: only these are found when the program runs from an https address, and only
 * these are cached for a later run without a network.
 */
const EMBEDDED: readonly TaskSource<ShadowTaskFile>[] = [
  embedded("dog", () => import("./embedded_shadow/dog.json", { with: { type: "json" } })),
  embedded("rabbit", () => import("./embedded_shadow/rabbit.json", { with: { type: "json" } })),
];

/** Every task of ShadowBench that a selector may name. */
export const SHADOW_TASKS: TaskSet<ShadowTaskFile> = { embedded: EMBEDDED, read: readShadowTaskFile };

function embedded(id: string, read: () => Promise<{ default: unknown }>): TaskSource<ShadowTaskFile> {
  return {
    id,
    source: "embedded",
    load: once(async () => parseShadowTaskFile((await read()).default, id)),
  };
}
