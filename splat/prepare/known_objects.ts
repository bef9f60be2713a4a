/** Titles and licences of the objects in the public data sets that tasks are prepared from. */

export interface KnownObject {
  /** How the data set lays its photos out. */
  readonly layout: "nerf-synthetic" | "nsvf";
  /** What stands after "Build the". */
  readonly title: string;
  readonly licence: string;
}

/** NeRF-Synthetic's own README names the author and licence of each model. */
const nerf = (title: string, author: string, licence: string, also = ""): KnownObject => ({
  layout: "nerf-synthetic",
  title,
  licence: `${licence}, model by ${author}, photos of NeRF-Synthetic${also}`,
});
const nsvf = (title: string, licence: string): KnownObject => ({ layout: "nsvf", title, licence });
const TANKS = "Tanks and Temples, for non-commercial research only";

/** By the name of its folder in lower case. */
export const KNOWN_OBJECTS: Readonly<Record<string, KnownObject>> = {
  lego: nerf("LEGO bulldozer", "Heinzelnisse", "CC BY-NC", "; not for commercial use"),
  chair: nerf("chair", "1DInc", "CC0"),
  hotdog: nerf("hot dog", "erickfree", "CC0"),
  ficus: nerf("ficus", "Herberhold", "CC0"),
  mic: nerf("microphone", "up3d.de", "CC0"),
  drums: nerf("drum kit", "bryanajones", "CC BY"),
  ignatius: nsvf("Ignatius statue", TANKS),
  caterpillar: nsvf("Caterpillar excavator", TANKS),
  jade: nsvf("jade carving", "CC BY 4.0, photos of BlendedMVS"),
};

/** What is known about the object of this name in a data set of this layout, or null: anybody may have a chair. */
export function knownObject(object: string, layout: string): KnownObject | null {
  const known = Object.hasOwn(KNOWN_OBJECTS, object) ? KNOWN_OBJECTS[object] : null;
  return known?.layout === layout ? known : null;
}
