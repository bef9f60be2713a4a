/** Titles and licences of the objects in the public data sets that tasks are prepared from. */

export interface KnownObject {
  /** What stands after "Build the". */
  readonly title: string;
  readonly licence: string;
}

/** What is known about an object of this name, or null. */
export function knownObject(object: string): KnownObject | null {
  return Object.hasOwn(KNOWN, object) ? KNOWN[object] : null;
}

/** NeRF-Synthetic's own README names the author and licence of each model. */
const nerf = (author: string, licence: string) => `${licence}, model by ${author}, photos of NeRF-Synthetic`;
const TANKS = "Tanks and Temples, for non-commercial research only";

const KNOWN: Readonly<Record<string, KnownObject>> = {
  lego: { title: "LEGO bulldozer", licence: `${nerf("Heinzelnisse", "CC BY-NC")}; not for commercial use` },
  chair: { title: "chair", licence: nerf("1DInc", "CC0") },
  hotdog: { title: "hot dog", licence: nerf("erickfree", "CC0") },
  ficus: { title: "ficus", licence: nerf("Herberhold", "CC0") },
  mic: { title: "microphone", licence: nerf("up3d.de", "CC0") },
  drums: { title: "drum kit", licence: nerf("bryanajones", "CC BY") },
  ignatius: { title: "Ignatius statue", licence: TANKS },
  caterpillar: { title: "Caterpillar excavator", licence: TANKS },
  jade: { title: "jade carving", licence: "CC BY 4.0, photos of BlendedMVS" },
};
