/** The two hands of a stage, from the default model or a user's GLB file. */
import { basename } from "node:path";
// The import also makes sure that the package, and so the model in it, is there.
import assets from "@webxr-input-profiles/assets/package.json" with { type: "json" };
import type { Hands } from "./hand_model.ts";
import { makeRightHand } from "./make_right_hand.ts";
import { mirrorHand } from "./mirror.ts";
import { modelError } from "./model_error.ts";
import { readSkin } from "./read_skin.ts";

/**
 * Both hands of a model: WebXR's generic hand with a forearm of ours, or the right hand in a GLB file whose joints are
 * named as WebXR's or Ultraleap's. A file without an elbow gets our forearm too.
 *
 * @throws BenchError that says what is wrong with the file: no GLB, no skin, a missing joint, an open or torn mesh,
 *   weights that cannot be used, a left hand, another unit than metres, a skin of another size than its joints
 */
export async function loadHands(file?: string): Promise<Hands> {
  const name = file === undefined ? DEFAULT_NAME : basename(file);
  const bytes = await Deno.readFile(file ?? defaultModel()).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw modelError(name, `the file cannot be read: ${why}`, "Name a GLB file of a right hand");
  });
  const right = makeRightHand(await readSkin(bytes, name), name);
  return { right, left: mirrorHand(right) };
}

const DEFAULT_NAME = "generic-hand";

/** In the cache of npm packages, wherever this program itself was loaded from. */
function defaultModel(): URL {
  const path = "dist/profiles/generic-hand/right.glb";
  return new URL(import.meta.resolve(`npm:${assets.name}@${assets.version}/${path}`));
}
