import type { Analysis } from "../analyze.ts";
export function writePlots(_: Analysis, __: string): Promise<string[]> {
  return Promise.resolve([]);
}
