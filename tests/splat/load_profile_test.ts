import assert from "node:assert/strict";
import { join } from "node:path";
import { chosenProfile } from "../../splat/named_profile.ts";
import { loadProfile } from "../../splat/load_profile.ts";
import { openSplatEnvironment } from "../../splat/open_environment.ts";
import { RENDER_PROFILES } from "../../splat/render/profile.ts";
import { DEFAULT_METRICS } from "../../splat/score/metric_profile.ts";
import { readProfileFile, writeProfileFile } from "../../tasks/profile_file.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("loadProfile() takes names, recorded profiles and files, whose missing sections are the defaults", () =>
  inFolder(async (folder) => {
    assert.deepEqual(await loadProfile("inria"), chosenProfile("inria"));
    assert.deepEqual(await loadProfile(null), chosenProfile(null));
    const path = join(folder, "p.json");
    const render = { ...RENDER_PROFILES.brush, dilation: 0.1 };
    await writeProfileFile(path, { render });
    assert.deepEqual(await loadProfile(path), { render, metrics: DEFAULT_METRICS });
    const psnr = { ...DEFAULT_METRICS.psnr, mode: "pooled" as const };
    await writeProfileFile(path, { metrics: { ...DEFAULT_METRICS, psnr } });
    assert.deepEqual(await loadProfile(path), { render, metrics: { ...DEFAULT_METRICS, psnr } });
    assert.deepEqual(Object.keys(await readProfileFile(path)), ["render", "metrics"]);
  }));

Deno.test("openSplatEnvironment() plays by the profile of a file", () =>
  inFolder(async (folder) => {
    const profile = join(folder, "p.json");
    const render = { ...RENDER_PROFILES.torch, pixelCenter: 0 };
    await writeProfileFile(profile, { render, intervals: { seed: "1" } });
    const options = { device: "software", metrics: "partial", lpipsWeights: null, notice: () => {} } as const;
    const environment = await openSplatEnvironment({ ...options, profile });
    try {
      assert.deepEqual((await environment.identity()).profile, { render, metrics: DEFAULT_METRICS });
    } finally {
      environment.close();
    }
  }));

Deno.test("loadProfile() names the file and the knob of what it cannot use", () =>
  inFolder(async (folder) => {
    const path = join(folder, "p.json");
    await assert.rejects(loadProfile(path), /Cannot use the profile .*p\.json: there is no such file/);
    await Deno.writeTextFile(path, "{");
    await assert.rejects(loadProfile(path), /p\.json: it: .*Name a file that `bench calibrate` wrote/);
    await Deno.writeTextFile(path, JSON.stringify({ schema_version: 1, colours: 1 }));
    await assert.rejects(loadProfile(path), /p\.json: it: .*colours/);
    await Deno.writeTextFile(path, JSON.stringify({ schema_version: 1, render: { dilation: -1 } }));
    await assert.rejects(loadProfile(path), /p\.json: render\.dilation: /);
    await assert.rejects(
      writeProfileFile(join(folder, "other.txt"), {}).then(() =>
        Deno.writeTextFile(join(folder, "other.txt"), "no profile")
      ).then(() => writeProfileFile(join(folder, "other.txt"), {})),
      /Cannot use the profile .*other\.txt/,
    );
    assert.equal(await Deno.readTextFile(join(folder, "other.txt")), "no profile");
  }));
