/** What the tables of ShadowBench are made from, beside what every benchmark has. */
import type { PlayedEpisode } from "../played_episode.ts";
import { bySettingAndModel, type ModelInSetting } from "../settings.ts";
import type { TableContext } from "../tables/context.ts";
import type { FindingDefinitions } from "./definitions.ts";
import type { StepFacts } from "./step_facts.ts";

export interface ShadowContext extends TableContext {
  readonly definitions: FindingDefinitions;
  /** Null without a table of steps. */
  readonly steps: StepFacts | null;
  /** Titles of plates by task, where a table of tasks names them. */
  readonly titles: ReadonlyMap<string, string>;
}

/** All episodes together, then every model in every setting. */
export function allAndEach(episodes: readonly PlayedEpisode[]): ModelInSetting[] {
  return [{ setting: "all", model: "all", episodes }, ...bySettingAndModel(episodes)];
}
