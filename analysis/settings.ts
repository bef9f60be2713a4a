/** Settings in the order that tables show them, and episodes by model and setting. */
import { byText, type PlayedEpisode } from "./played_episode.ts";

/** What the others are compared with. */
export const REFERENCE_SETTING = "medium_effort";

const ORDER: readonly string[] = [
  ...["minimal", "low", "medium", "high", "xhigh", "max"].map((effort) => `${effort}_effort`),
  ...["early_submit_refused", "one_shot"],
];

export function settingsOf(episodes: readonly PlayedEpisode[]): string[] {
  return [...new Set(episodes.map(({ setting }) => setting))].sort(bySetting);
}

/** Settings that differ in effort alone. */
export function effortsOf(episodes: readonly PlayedEpisode[]): string[] {
  return settingsOf(episodes).filter((setting) => setting.endsWith("_effort"));
}

/** `high_effort` → `High`. */
export function settingTitle(setting: string): string {
  const words = setting.replace(/_effort$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function inSetting(episodes: readonly PlayedEpisode[], setting: string): PlayedEpisode[] {
  return episodes.filter((episode) => episode.setting === setting);
}

/** In code-unit order of the names. */
export function byModel(episodes: readonly PlayedEpisode[]): [model: string, own: PlayedEpisode[]][] {
  return [...Map.groupBy(episodes, ({ model }) => model)].sort(([a], [b]) => byText(a, b));
}

export interface ModelInSetting {
  readonly setting: string;
  readonly model: string;
  readonly episodes: readonly PlayedEpisode[];
}

/** By setting, then by name of the model. */
export function bySettingAndModel(episodes: readonly PlayedEpisode[]): ModelInSetting[] {
  return settingsOf(episodes).flatMap((setting) =>
    byModel(inSetting(episodes, setting)).map(([model, own]) => ({ setting, model, episodes: own }))
  );
}

function bySetting(a: string, b: string): number {
  const [first, second] = [ORDER.indexOf(a), ORDER.indexOf(b)];
  if (first < 0 || second < 0) return Number(first < 0) - Number(second < 0) || byText(a, b);
  return first - second;
}
