import assert from "node:assert/strict";
import { contentHash } from "../../env/hash.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { chosenProfile } from "../../splat/named_profile.ts";
import { RENDER_PROFILES } from "../../splat/render/profile.ts";
import { DEFAULT_METRICS } from "../../splat/score/metric_profile.ts";
import { StubRenderer } from "../support/splat_stub.ts";

const NAMES = ["torch", "inria", "gsplat-1.5", "gsplat-1.6", "brush"] as const;

function identityOf(chosen: unknown) {
  const { render, metrics } = chosenProfile(chosen);
  const openRenderer = new StubRenderer().open;
  return splatEnvironment({ openRenderer, renderProfile: render, metricProfile: metrics }).identity();
}

Deno.test("chosenProfile() knows the five names, and torch is the default", () => {
  for (const name of NAMES) {
    assert.deepEqual(chosenProfile(name).render, RENDER_PROFILES[name]);
    assert.deepEqual(chosenProfile(name).metrics, DEFAULT_METRICS);
  }
  assert.deepEqual(chosenProfile(null), chosenProfile("torch"));
});

Deno.test("chosenProfile() makes of the profile that identity() gave the same one again", async () => {
  const hashes = new Set<string>();
  for (const name of NAMES) {
    const identity = await identityOf(name);
    assert.equal(identity.profileHash, contentHash(identity.profile));
    assert.deepEqual(await identityOf(JSON.parse(JSON.stringify(identity.profile))), identity);
    hashes.add(identity.profileHash);
  }
  assert.equal(hashes.size, NAMES.length);
});

Deno.test("chosenProfile() names what it does not know in one line", () => {
  assert.throws(() => chosenProfile("webgl"), /render profile "webgl".*torch, inria, gsplat-1\.5/);
  const profile = { render: { ...RENDER_PROFILES.torch, dilation: -1 }, metrics: DEFAULT_METRICS };
  assert.throws(
    () => chosenProfile(profile),
    /^BenchError: Cannot use .* recorded: render\.dilation: .*--profile$/,
  );
  assert.throws(() => chosenProfile({ render: RENDER_PROFILES.torch }), /recorded: metrics: /);
});
