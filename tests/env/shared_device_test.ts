import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { SharedDevice } from "../../env/shared_device.ts";

/** Devices that count how often they were opened and closed; the first `failures` openings fail. */
function counted(failures = 0) {
  const counts = { opened: 0, closed: 0 };
  const shared = new SharedDevice(() =>
    ++counts.opened <= failures
      ? Promise.reject(new Error(`no device ${counts.opened}`))
      : Promise.resolve({ close: () => counts.closed++ })
  );
  return { counts, shared };
}

Deno.test("SharedDevice opens at first use, once for all who ask at the same time", async () => {
  const { counts, shared } = counted();
  assert.equal(counts.opened, 0);
  const [a, b] = await Promise.all([shared.open(), shared.open()]);
  assert.equal(a, b);
  assert.equal(counts.opened, 1);
});

Deno.test("SharedDevice tries again after an opening that failed", async () => {
  const { counts, shared } = counted(1);
  await assert.rejects(shared.open(), /no device 1/);
  await shared.open();
  assert.equal(counts.opened, 2);
});

Deno.test("SharedDevice passes on what fails, but says that it was closed when it was closed meanwhile", async () => {
  const { counts, shared } = counted();
  await assert.rejects(
    shared.whileOpen(() => Promise.reject(new Error("buffer 7 is lost"))),
    /^Error: buffer 7 is lost$/,
  );
  const working = shared.whileOpen(async () => {
    await shared.open();
    shared.close();
    await Promise.resolve();
    throw new Error("buffer 7 is lost");
  });
  const error = await working.catch((caught: unknown) => caught);
  assert.ok(error instanceof BenchError && /the environment has been closed/.test(error.message));
  assert.match(String(error.cause), /buffer 7 is lost/);
  await assert.rejects(shared.whileOpen(() => Promise.resolve()), /the environment has been closed/);
  await assert.rejects(shared.open(), /the environment has been closed/);
  assert.throws(() => shared.assertOpen(), /the environment has been closed/);
  assert.deepEqual(counts, { opened: 1, closed: 1 });
});

Deno.test("SharedDevice closes a device that is still being opened, and nothing where none was", async () => {
  const { counts, shared } = counted();
  const opening = shared.open();
  shared.close();
  await opening;
  await Promise.resolve();
  assert.equal(counts.closed, 1);
  const never = counted();
  never.shared.close();
  assert.deepEqual(never.counts, { opened: 0, closed: 0 });
});
