/** `.ci/run` over a stand-in for `./bench`: what it makes of the closing lines that Deno prints. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { withFolder } from "../support/with_folder.ts";

const script = new URL("../../.ci/run", import.meta.url);

async function ci(closing: string, codes: { test?: number; style?: number } = {}) {
  let result = { code: -1, last: "" };
  await withFolder(async (folder) => {
    await Deno.mkdir(join(folder, ".ci"));
    await Deno.copyFile(script, join(folder, ".ci/run"));
    const { test = 0, style = 0 } = codes;
    await Deno.writeTextFile(
      join(folder, "bench"),
      `#!/bin/sh\n[ "$1" = style ] && exit ${style}\necho 'a() works ... ok (3ms)'\necho '${closing}'\nexit ${test}\n`,
      { mode: 0o755 },
    );
    const { code, stdout } = await new Deno.Command("bash", { args: [join(folder, ".ci/run")] }).output();
    result = { code, last: new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1) ?? "" };
  });
  return result;
}

for (
  const { what, closing, codes, last } of [
    {
      what: "passes when everything passed",
      closing: "ok | 12 passed (3 steps) | 0 failed (2s)",
      last: "12 passed, 0 failed",
    },
    {
      what: "fails on a failed test",
      closing: "FAILED | 11 passed | 1 failed (2s)",
      codes: { test: 1 },
      last: "11 passed, 1 failed",
    },
    {
      what: "fails on a skipped test",
      closing: "ok | 12 passed | 0 failed | 1 ignored (2s)",
      last: "12 passed, 1 failed",
    },
    {
      what: "fails when tests were filtered out",
      closing: "ok | 2 passed | 0 failed | 10 filtered out (2s)",
      last: "2 passed, 1 failed",
    },
    {
      what: "fails when no test ran",
      closing: "error: Type checking failed",
      codes: { test: 1 },
      last: "0 passed, 1 failed",
    },
    {
      what: "fails when the run ends badly after all tests passed",
      closing: "ok | 12 passed | 0 failed (2s)",
      codes: { test: 139 },
      last: "12 passed, 1 failed",
    },
    {
      what: "fails on format, lint or types",
      closing: "ok | 12 passed | 0 failed (2s)",
      codes: { style: 1 },
      last: "12 passed, 1 failed",
    },
  ]
) {
  Deno.test(`.ci/run ${what}`, async () => {
    const run = await ci(closing, codes);
    assert.equal(run.last, last);
    assert.equal(run.code, last.endsWith(" 0 failed") ? 0 : 1);
  });
}
