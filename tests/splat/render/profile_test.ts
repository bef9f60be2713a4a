import assert from "node:assert/strict";
import { contentHash } from "../../../env/hash.ts";
import {
  DEFAULT_RENDER_PROFILE,
  RENDER_PROFILES,
  renderProfile,
  renderProfileSchema,
} from "../../../splat/render/profile.ts";

// Constants of the sources: INRIA diff-gaussian-rasterization 59f5f77 (forward.cu, auxiliary.h), gsplat v1.5.3 and
// 90d7b4b (Common.h, rendering.py), Brush 8b7f5c6 (helpers.rs), torch-splatting (gauss_render.py).
const PUBLISHED = [
  ["torch", 0.99, 0, 0, "none", "sym1.3"],
  ["inria", 0.99, 1 / 255, 1e-4, "sigma3-circle", "sym1.3"],
  ["gsplat-1.5", 0.999, 1 / 255, 1e-4, "sigma3.33-rect-opacity", "asym0.3"],
  ["gsplat-1.6", 0.99, 1 / 255, 1e-4, "sigma3.33-rect-opacity", "asym0.3"],
  ["brush", 0.999, 1 / 255, 1e-4, "opacity-ellipse", "asym0.3"],
] as const;

Deno.test("renderProfile() has the published constants of each renderer", () => {
  assert.deepEqual(PUBLISHED.map(([name]) => name), Object.keys(RENDER_PROFILES));
  for (const [name, alphaMax, alphaMin, tStop, extent, jacobianClamp] of PUBLISHED) {
    const profile = renderProfile(name);
    assert.deepEqual(
      [profile.alphaMax, profile.alphaMin, profile.tStop, profile.extent, profile.jacobianClamp],
      [alphaMax, alphaMin, tStop, extent, jacobianClamp],
      name,
    );
    assert.equal(profile.dilation, 0.3, name);
    assert.deepEqual(renderProfileSchema.parse(JSON.parse(JSON.stringify(profile))), profile, name);
  }
  assert.equal(DEFAULT_RENDER_PROFILE, renderProfile("torch"));
});

Deno.test("renderProfile() names the profiles there are when asked for another", () => {
  assert.throws(() => renderProfile("toString"), /profile "toString": .*Use one of torch, inria, gsplat-1.5/);
});

Deno.test("contentHash() of a profile tells every profile and every knob apart, and no order of keys", () => {
  const hashes = Object.values(RENDER_PROFILES).map(contentHash);
  assert.equal(new Set(hashes).size, hashes.length);
  const reversed = renderProfileSchema.parse(
    Object.fromEntries(Object.entries(DEFAULT_RENDER_PROFILE).reverse()),
  );
  assert.equal(contentHash(reversed), contentHash(DEFAULT_RENDER_PROFILE));
  assert.notEqual(contentHash({ ...DEFAULT_RENDER_PROFILE, far: 100 }), contentHash(DEFAULT_RENDER_PROFILE));
});

Deno.test("renderProfileSchema refuses unknown knobs and impossible values", () => {
  for (
    const wrong of [{ gamma: 2.2 }, { alphaMax: 0 }, { dilation: -1 }, { kernel: "box" }, { far: Infinity }]
  ) {
    assert.equal(renderProfileSchema.safeParse({ ...DEFAULT_RENDER_PROFILE, ...wrong }).success, false);
  }
});
