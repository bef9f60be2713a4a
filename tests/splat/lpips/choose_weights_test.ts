import assert from "node:assert/strict";
import { join } from "node:path";
import { BenchError, EXIT } from "../../../env/errors.ts";
import { chooseWeights, type WeightChoice } from "../../../splat/score/lpips/choose_weights.ts";
import { cachePaths, storeLpipsWeights } from "../../../splat/score/lpips/weight_cache.ts";
import { withFolder } from "../../support/with_folder.ts";
import { drawnWeights } from "./drawn_weights.ts";

const alex = drawnWeights("alex");

async function withWeights(work: (cache: string) => Promise<void>): Promise<void> {
  await withFolder(async (cache) => {
    const record = { net: alex.net, source: "drawn", sha256: alex.sha256, pinned: false, fetched_at: "2026" };
    await storeLpipsWeights(alex, record, cache);
    await work(cache);
  });
}

const shaOf = async (choice: WeightChoice) => (await chooseWeights(choice))?.sha256 ?? null;

const needed = (pattern: RegExp) => (error: unknown) =>
  error instanceof BenchError && error.exitCode === EXIT.noDevice && pattern.test(error.message);

Deno.test("chooseWeights() takes fetched weights for full scores, and none for partial ones", () =>
  withWeights(async (cache) => {
    assert.equal(await shaOf({ metrics: "full", file: null, cache }), alex.sha256);
    assert.equal(await shaOf({ metrics: "if_there", file: null, cache }), alex.sha256);
    assert.equal(await shaOf({ metrics: "partial", file: null, cache }), null);
  }));

Deno.test("chooseWeights() without weights exits 3 for full scores, saying how to get them, and is partial else", () =>
  withFolder(async (cache) => {
    for (const where of [cache, null]) {
      await assert.rejects(
        chooseWeights({ metrics: "full", file: null, cache: where }),
        needed(/`bench fetch weights`, name a file with --lpips-weights, or .* --metrics partial$/),
      );
      assert.equal(await shaOf({ metrics: "if_there", file: null, cache: where }), null);
      assert.equal(await shaOf({ metrics: "partial", file: null, cache: where }), null);
    }
  }));

Deno.test("chooseWeights() takes a file that is named, whatever is in the cache", () =>
  withWeights(async (cache) => {
    const { file } = cachePaths("alex", cache);
    assert.equal(await shaOf({ metrics: "full", file, cache: null }), alex.sha256);
    const nowhere = join(cache, "nowhere.safetensors");
    await assert.rejects(
      chooseWeights({ metrics: "if_there", file: nowhere, cache }),
      /nowhere\.safetensors/,
    );
  }));

Deno.test("chooseWeights() repeats recorded scores with the recorded weights only", () =>
  withWeights(async (cache) => {
    const recorded = { net: "alex" as const, sha256: alex.sha256 };
    assert.equal(await shaOf({ metrics: "full", recorded, file: null, cache }), alex.sha256);
    await assert.rejects(
      chooseWeights({ metrics: "full", recorded: { ...recorded, sha256: "0ff" }, file: null, cache }),
      /recorded is 0ff\. Name the file that was used with --lpips-weights/,
    );
    await assert.rejects(
      chooseWeights({ metrics: "full", recorded: { net: "vgg", sha256: "1" }, file: null, cache }),
      needed(/LPIPS with vgg, .* Run `bench fetch weights --net vgg`/),
    );
  }));
