/** What `replay` and `rescore` say and leave out where rows are bad. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EpisodeRow, StepRow } from "../../tasks/data_source.ts";
import { type Alterations, alteredCopy } from "../support/altered_data.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";

const SAMPLE = fileURLToPath(new URL("../../data/sample", import.meta.url));
const BAD = "builtin:carve__table__sculpt__eval_r1";

const bench = (...args: string[]) => captureCli([...args, "--device", "software"]);

/** A copy of two episodes in which something of one is another. */
async function withCopy(alterations: Alterations, test: (copy: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const copy = join(folder, "copy");
    await alteredCopy(join(SAMPLE, "splat"), copy, { settings: ["one_shot"], ...alterations });
    await test(copy);
  });
}

const episode = (change: Partial<EpisodeRow>) => ({
  episode: (row: EpisodeRow) => row.episode_id === BAD ? { ...row, ...change } : row,
});
const noPng = {
  step: (row: StepRow) =>
    row.episode_id === BAD && row.step === 1
      ? { ...row, image: { bytes: new Uint8Array([1, 2, 3]), path: null } }
      : row,
};

const linesOf = (text: string, start: string) => text.split("\n").filter((line) => line.startsWith(start));

Deno.test("bench replay and rescore --skip-bad leave out an episode whose row is bad, tell it once and exit 0", async () => {
  await withCopy(episode({ score: NaN }), async (copy) => {
    for (const command of [["replay", "--all"], ["rescore"]]) {
      const strict = await bench(...command, copy);
      assert.equal(strict.code, 2);
      assert.match(
        strict.stderr,
        /column score: it is NaN\. Correct the value, or leave out such rows with --skip-bad/,
      );
      const { code, stdout, stderr } = await bench(...command, copy, "--skip-bad");
      assert.equal(code, 0, stderr);
      const told = linesOf(stderr, "Left out: ");
      assert.equal(told.length, 1);
      assert.match(told[0], /^Left out: Cannot read row \d+ of .*one_shot.*: column score: it is NaN$/);
      assert.deepEqual(linesOf(stderr, command[0]), [`${command[0]}: 1 bad row left out`]);
      assert.match(stdout, /\b1 episode\b/);
    }
  });
});

Deno.test("bench replay --skip-bad leaves out an episode one of whose steps is bad, and invents no differences", async () => {
  await withCopy(noPng, async (copy) => {
    const { code, stdout, stderr } = await bench("replay", copy, "--all", "--skip-bad");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^1 episode, \d+ steps replayed: no differences\n$/);
    assert.match(stderr, /^Left out: Cannot read row \d+ of .*: column image: its bytes are no PNG file$/m);
    assert.match(stderr, /^replay: 1 bad row left out$/m);
    const alone = await bench("replay", copy, "--episodes", BAD, "--skip-bad");
    assert.equal(alone.code, 2, "nothing is left that could be compared");
  });
  // A score of the last step's scene needs the steps.
  await withCopy({ ...episode({ final_scene: undefined }), ...noPng }, async (copy) => {
    const { code, stdout, stderr } = await bench("rescore", copy, "--skip-bad");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^splat: 1 episode of /m);
    assert.match(stderr, /^rescore: 1 bad row left out$/m);
    assert.equal((await bench("rescore", copy)).code, 2);
  });
});

Deno.test("bench replay and rescore name an episode whose setting is not its split, unless a file has another name", async () => {
  await withCopy(episode({ setting: "max_effort" }), async (copy) => {
    for (const command of [["replay", "--all"], ["rescore"]]) {
      const { code, stderr } = await bench(...command, copy);
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^bench: Cannot read row \d+ of .*: column setting: it is max_effort, and the row is in the split one_shot\./m,
      );
    }
    const alone = join(copy, "../mine.parquet");
    await Deno.copyFile(join(copy, "episodes/one_shot-00000-of-00001.parquet"), alone);
    const { code, stderr } = await bench("rescore", alone);
    assert.equal(code, 0, stderr);
  });
});
