/** Writes the plots of an analysis as SVG and PNG. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writing } from "../../tasks/file_errors.ts";
import { writeWhole } from "../../tasks/json_lines.ts";
import type { Analysis } from "../analyze.ts";
import { plotSvg, svgPng } from "./draw_plot.ts";
import { plotName, plots } from "./plot_specs.ts";

/** @returns paths of the files */
export async function writePlots(analysis: Analysis, folder: string): Promise<string[]> {
  await writing(folder, () => mkdir(folder, { recursive: true }));
  const files: string[] = [];
  for (const plot of plots(analysis)) {
    const svg = await plotSvg(plot.spec);
    const path = join(folder, plotName(plot, analysis));
    await writeWhole(`${path}.svg`, svg);
    await writeWhole(`${path}.png`, await svgPng(svg));
    files.push(`${path}.svg`, `${path}.png`);
  }
  return files;
}
