/** One episode to play: who, what, under which rules, into which folder. */
import type { EnvironmentDefinition, EnvironmentIdentity, TaskInfo } from "../env/environment.ts";
import type { EpisodeFolder } from "../tasks/run_folder.ts";
import type { Player } from "./player.ts";

export interface EpisodeJob {
  environment: EnvironmentDefinition;
  identity: EnvironmentIdentity;
  player: Player;
  task: TaskInfo;
  run: number;
  protocol: string;
  setting: string;
  id: string;
  folder: EpisodeFolder;
}
