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
  embedded("bull", () => import("./embedded_shadow/bull.json", { with: { type: "json" } })),
  embedded("butterfly", () => import("./embedded_shadow/butterfly.json", { with: { type: "json" } })),
  embedded("camel", () => import("./embedded_shadow/camel.json", { with: { type: "json" } })),
  embedded("cat", () => import("./embedded_shadow/cat.json", { with: { type: "json" } })),
  embedded("crab", () => import("./embedded_shadow/crab.json", { with: { type: "json" } })),
  embedded("dinosaur", () => import("./embedded_shadow/dinosaur.json", { with: { type: "json" } })),
  embedded("dog", () => import("./embedded_shadow/dog.json", { with: { type: "json" } })),
  embedded("duck", () => import("./embedded_shadow/duck.json", { with: { type: "json" } })),
  embedded("elephant", () => import("./embedded_shadow/elephant.json", { with: { type: "json" } })),
  embedded("giraffe", () => import("./embedded_shadow/giraffe.json", { with: { type: "json" } })),
  embedded("mouse", () => import("./embedded_shadow/mouse.json", { with: { type: "json" } })),
  embedded("octopus", () => import("./embedded_shadow/octopus.json", { with: { type: "json" } })),
  embedded("owl", () => import("./embedded_shadow/owl.json", { with: { type: "json" } })),
  embedded("rabbit", () => import("./embedded_shadow/rabbit.json", { with: { type: "json" } })),
  embedded("snail", () => import("./embedded_shadow/snail.json", { with: { type: "json" } })),
  embedded("snake", () => import("./embedded_shadow/snake.json", { with: { type: "json" } })),
  embedded("spider", () => import("./embedded_shadow/spider.json", { with: { type: "json" } })),
  embedded("stag", () => import("./embedded_shadow/stag.json", { with: { type: "json" } })),
  embedded("swan", () => import("./embedded_shadow/swan.json", { with: { type: "json" } })),
  embedded("tortoise", () => import("./embedded_shadow/tortoise.json", { with: { type: "json" } })),
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
