import assert from "node:assert/strict";
import { join } from "node:path";
import { hubSettings } from "../../tasks/hub_settings.ts";

const settings = (values: Record<string, string>) => hubSettings((name) => values[name]);

Deno.test("hubSettings() reads the variables of the hub's Python packages", () => {
  const plain = settings({ HOME: "/home/me" });
  assert.deepEqual(plain, {
    endpoint: "https://huggingface.co",
    token: null,
    offline: false,
    cache: join("/home/me", ".cache", "huggingface", "hub"),
  });
  const own = settings({ HF_ENDPOINT: "http://localhost:8000/", HF_TOKEN: "hf_x", HF_HUB_OFFLINE: "True" });
  assert.deepEqual([own.endpoint, own.token, own.offline], ["http://localhost:8000", "hf_x", true]);
  assert.deepEqual(["0", "", "no"].map((value) => settings({ HF_HUB_OFFLINE: value }).offline), [
    false,
    false,
    false,
  ]);
});

for (
  const [values, cache] of [
    [{ HF_HUB_CACHE: "/a", HF_HOME: "/b" }, "/a"],
    [{ HUGGINGFACE_HUB_CACHE: "/a", HF_HOME: "/b" }, "/a"],
    [{ HF_HOME: "/b", XDG_CACHE_HOME: "/c" }, join("/b", "hub")],
    [{ XDG_CACHE_HOME: "/c", HOME: "/d" }, join("/c", "huggingface", "hub")],
  ] as const
) {
  Deno.test(`hubSettings() takes ${cache} for the cache of ${Object.keys(values).join(" and ")}`, () => {
    assert.equal(settings(values).cache, cache);
  });
}

Deno.test("hubSettings() refuses an endpoint that is no address", () => {
  assert.throws(
    () => settings({ HF_ENDPOINT: "huggingface.co" }),
    /HF_ENDPOINT is "huggingface\.co", which is no address/,
  );
});
