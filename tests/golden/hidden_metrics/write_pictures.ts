/**
 * Writes what `metrics.py` measures: for each case the held-out photos and the float64 reference's pictures, as raw
 * little-endian float64 [views, height, width, 3] in [0, 1].
 *
 *   deno run -A tests/golden/hidden_metrics/write_pictures.ts FOLDER
 *   python tests/golden/hidden_metrics/metrics.py FOLDER > tests/golden/hidden_metrics/fixture.json
 */
import { join } from "node:path";
import { loadTask } from "../../../splat/load_task.ts";
import { RENDER_PROFILES } from "../../../splat/render/profile.ts";
import { referenceRender } from "../../reference/render.ts";
import { CASES } from "./scenes.ts";

const [folder] = Deno.args;
await Deno.mkdir(folder, { recursive: true });
for (const [index, { task, scene }] of CASES.entries()) {
  const name = String(index).padStart(2, "0");
  const loaded = await loadTask(task);
  const { heldOut } = loaded;
  const photos = heldOut.flatMap(({ photo }) => [...photo.data].map((value) => value / 255));
  const renders = heldOut.flatMap(({ camera }) => {
    const { rgbt } = referenceRender(scene(loaded), camera, RENDER_PROFILES.torch);
    return [...rgbt].filter((_, at) => at % 4 !== 3);
  });
  await Deno.writeFile(join(folder, `${name}.photos`), new Uint8Array(Float64Array.from(photos).buffer));
  await Deno.writeFile(join(folder, `${name}.renders`), new Uint8Array(Float64Array.from(renders).buffer));
  const { width, height } = heldOut[0].camera;
  await Deno.writeTextFile(
    join(folder, `${name}.json`),
    JSON.stringify({ task, shape: [heldOut.length, height, width, 3] }),
  );
}
