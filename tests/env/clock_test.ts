import assert from "node:assert/strict";
import { sleep } from "../../env/clock.ts";

Deno.test("sleep() does not wake at once from a wait that no timer holds", async () => {
  const stop = new AbortController();
  let woken = false;
  const waits = [1e12, 2 ** 31, Infinity].map((ms) =>
    sleep(ms, stop.signal).then(() => woken = true, () => {})
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(woken, false);
  stop.abort();
  await Promise.all(waits);
});
