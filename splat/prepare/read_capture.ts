/** Folders of photos by the name of their layout. */
import { basename, resolve } from "node:path";
import { BenchError } from "../../env/errors.ts";
import type { TaskDetails } from "./build_task.ts";
import { readBlendedMvs } from "./blended_mvs.ts";
import type { Capture } from "./capture.ts";
import { readColmap } from "./colmap.ts";
import { knownObject } from "./known_objects.ts";
import { readNerfSynthetic } from "./nerf_synthetic.ts";
import { readNsvf } from "./nsvf.ts";

/** Layouts by the word on the command line. */
export const CAPTURE_LAYOUTS: Readonly<Record<string, (folder: string, masks?: string) => Promise<Capture>>> =
  {
    "nerf-synthetic": readNerfSynthetic,
    "nsvf": readNsvf,
    "blendedmvs": readBlendedMvs,
    "colmap": readColmap,
  };

/**
 * @param masks folder of masks, for a layout that has them apart; the layout's own when absent
 * @throws BenchError when there is no such layout, or what the layout's reader throws
 */
export async function readCapture(layout: string, folder: string, masks?: string): Promise<Capture> {
  if (Object.hasOwn(CAPTURE_LAYOUTS, layout)) return await CAPTURE_LAYOUTS[layout](folder, masks);
  throw new BenchError({
    what: `Cannot read ${folder}`,
    why: `${layout} is no layout`,
    fix: `Layouts are ${Object.keys(CAPTURE_LAYOUTS).join(", ")}`,
  });
}

/**
 * Details of the task of a folder or file: its name is the object's, in lower case, and tells title and licence where a
 * public data set of this layout has it.
 */
export function sourceDetails(layout: string, path: string): TaskDetails {
  const name = basename(resolve(path), ".ply").toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-");
  const known = knownObject(name, layout);
  return { object: name, title: known?.title ?? name, licence: known?.licence ?? UNKNOWN_LICENCE };
}

/** What a task says whose source says nothing. */
export const UNKNOWN_LICENCE = "not stated by the source";
