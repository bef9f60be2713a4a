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
export const CAPTURE_LAYOUTS: Readonly<Record<string, (folder: string) => Promise<Capture>>> = {
  "nerf-synthetic": readNerfSynthetic,
  "nsvf": readNsvf,
  "blendedmvs": readBlendedMvs,
  "colmap": readColmap,
};

/** @throws BenchError when there is no such layout, or what the layout's reader throws */
export async function readCapture(layout: string, folder: string): Promise<Capture> {
  if (Object.hasOwn(CAPTURE_LAYOUTS, layout)) return await CAPTURE_LAYOUTS[layout](folder);
  throw new BenchError({
    what: `Cannot read ${folder}`,
    why: `${layout} is no layout`,
    fix: `Layouts are ${Object.keys(CAPTURE_LAYOUTS).join(", ")}`,
  });
}

/** Details of the task of a folder: its name is the object's, in lower case, and tells title and licence where known. */
export function folderDetails(folder: string): TaskDetails {
  const name = basename(resolve(folder)).toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-");
  const known = knownObject(name);
  return { object: name, title: known?.title ?? name, licence: known?.licence ?? "not stated by the source" };
}
