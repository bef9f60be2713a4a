/** LPIPS against the lpips package; `tests/golden/lpips/generate.py` made the values. */
import assert from "node:assert/strict";
import { openGpu } from "../../../gpu/device.ts";
import { LpipsPass } from "../../../splat/score/lpips/lpips_pass.ts";
import { lpipsNetSchema } from "../../../splat/score/lpips/networks.ts";
import golden from "../../golden/lpips/golden.json" with { type: "json" };
import { asRendered, formulaPicture, type PictureKind } from "../score/formula_pictures.ts";
import { deviceLpips } from "./device_lpips.ts";
import { drawnWeights } from "./drawn_weights.ts";

for (const net of lpipsNetSchema.options) {
  Deno.test(`measure() gives the distances of the lpips package with ${net}`, async () => {
    const weights = drawnWeights(net);
    for (const { name, last } of golden.nets[net].parameters) {
      const [, convolution, kind] = /^(.*)\.(weight|bias)$/.exec(name) ?? [];
      const drawn = weights.convolutions.get(convolution);
      assert.equal(
        (kind === "bias" ? drawn?.bias : drawn?.weight)?.at(-1),
        last,
        `the draws of ${name} differ`,
      );
    }
    const gpu = await openGpu("software");
    try {
      const pass = await LpipsPass.create(gpu, weights);
      const cases = golden.cases.filter((entry) => entry.net === net);
      for (const [size, same] of Map.groupBy(cases, ({ width, height }) => `${width}×${height}`)) {
        const { width, height } = same[0];
        const views = same.map(({ rendered }) =>
          asRendered(formulaPicture(kindOf(rendered), width, height, 1))
        );
        const photos = same.map(({ photo }) => formulaPicture(kindOf(photo), width, height, 2));
        for (const [at, distance] of (await deviceLpips(gpu, pass, views, photos)).entries()) {
          const { rendered, photo, float64 } = same[at];
          // The worst seen is 3e-8; pictures that are near each other differ in the last digits of the features.
          const allowed = 2e-7 + 1e-6 * float64;
          const what = `${net} ${size} ${rendered}, ${photo}: ${distance}, not ${float64}`;
          assert.ok(Math.abs(distance - float64) < allowed, what);
        }
      }
    } finally {
      gpu.close();
    }
  });
}

function kindOf(name: string): PictureKind {
  const kind = KINDS.find((kind) => kind === name);
  return kind ?? assert.fail(`no picture ${name}`);
}

const KINDS: PictureKind[] = ["smooth", "noisy", "rough", "near", "white", "object"];
