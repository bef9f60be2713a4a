import assert from "node:assert/strict";
import { join } from "node:path";
import { BenchError, GpuError } from "../../../env/errors.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import type { Pose } from "../../../shadow/pose.ts";
import { DEFAULT_SCORE } from "../../../shadow/score/score_profile.ts";
import type { ScoreRequest } from "../../../shadow/score/shadow_renderer.ts";
import { prepareTarget, scoreShadow } from "../../../shadow/score/shadow_score.ts";
import { plateSearchSchema } from "../../../shadow/search/plate_search.ts";
import {
  openPoseScorer,
  PlateSearches,
  type PoseScorer,
  type SearchOptions,
} from "../../../shadow/search/plate_searches.ts";
import { castShadow } from "../../../shadow/stage/cast_shadow.ts";
import { maskWhere } from "../../../shadow/stage/mask.ts";

const hands = await loadHands();
const disc = prepareTarget(maskWhere((x, y) => Math.hypot(x - 250, y - 180) < 90));
const bar = prepareTarget(maskWhere((x, y) => Math.abs(x - 200) < 40 && y > 90));

/** Scores on the host, and remembers what it was asked. */
function hostScorer() {
  const requests: (readonly ScoreRequest[])[] = [];
  const scorer: PoseScorer = {
    scoresOfMany: (asked) => {
      requests.push(asked);
      return Promise.resolve(
        asked.map(({ target, poses }) =>
          poses.map((pose) => scoreShadow(target, castShadow(hands, pose), pose))
        ),
      );
    },
    close: () => closed++,
  };
  let [opened, closed] = [0, 0];
  return {
    requests,
    // As long as a device takes: all plates have been asked for by then.
    open: async () => {
      opened++;
      await new Promise((next) => setTimeout(next, 100));
      return scorer;
    },
    counts: () => ({ opened, closed }),
  };
}

async function inFolder(
  use: (
    options: (changes?: Partial<SearchOptions>) => SearchOptions,
    folder: string,
    notes: string[],
  ) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const notes: string[] = [];
  const options = (changes: Partial<SearchOptions> = {}) => ({
    evaluations: 160,
    seed: 0,
    folder: join(folder, "searches"),
    rules: "",
    notice: (line: string) => notes.push(line),
    ...changes,
  });
  try {
    await use(options, folder, notes);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function stateIn(folder: string, name: string) {
  const { name: file } = [...Deno.readDirSync(folder)].find((entry) => entry.name.startsWith(`${name}__`)) ??
    {};
  return plateSearchSchema.parse(JSON.parse(await Deno.readTextFile(join(folder, file ?? ""))));
}

Deno.test("PlateSearches scores several plates in one submit, legal poses alone", () =>
  inFolder(async (options) => {
    const host = hostScorer();
    const searches = new PlateSearches(hands, DEFAULT_SCORE, options(), host.open);
    const names = ["a", "b", "c", "d"];
    const found = await Promise.all(names.map((name, i) => searches.search(name, [disc, bar][i % 2])));
    // Ten generations of each plate, in two lanes of two plates.
    assert.equal(host.requests.reduce((sum, asked) => sum + asked.length, 0), 40);
    assert.ok(host.requests.some((asked) => asked.length > 1));
    const checker = new PoseChecker(hands);
    const poses = host.requests.flatMap((asked) => asked.flatMap((request) => request.poses));
    assert.ok(poses.every((pose) => checker.pose(pose) === null));
    assert.ok(poses.length < 4 * 160, "some were not legal");
    await new Promise((next) => setTimeout(next));
    assert.deepEqual(host.counts(), { opened: 1, closed: 1 });
    for (const [i, pose] of found.entries()) {
      assert.ok(pose !== null);
      const own = host.requests.flatMap((asked) =>
        asked.filter(({ target }) => target === [disc, bar][i % 2]).flatMap((request) => request.poses)
      );
      const best = Math.max(...own.map((one) => scoreOn(i, one)));
      assert.equal(scoreOn(i, pose), best);
    }
    function scoreOn(i: number, pose: Pose): number {
      return scoreShadow([disc, bar][i % 2], castShadow(hands, pose), pose).score;
    }
  }));

Deno.test("PlateSearches stops soon and goes on later, with the result of a search that never stopped", () =>
  inFolder(async (options, _, notes) => {
    const host = hostScorer();
    const whole = options({ folder: `${options().folder}_whole` });
    const undisturbed = await new PlateSearches(hands, DEFAULT_SCORE, whole, host.open).search("plate", disc);
    const stop = new AbortController();
    const stopping = hostScorer();
    const first = new PlateSearches(hands, DEFAULT_SCORE, options(), async () => {
      const scorer = await stopping.open();
      return {
        ...scorer,
        scoresOfMany: (asked) => {
          if (stopping.requests.length === 3) stop.abort();
          return scorer.scoresOfMany(asked);
        },
      };
    });
    assert.equal(await first.search("plate", disc, stop.signal), null);
    assert.equal((await stateIn(options().folder, "plate")).evaluations, 64);
    const resumed = hostScorer();
    const found = await new PlateSearches(hands, DEFAULT_SCORE, options(), resumed.open).search(
      "plate",
      disc,
    );
    assert.equal(resumed.requests.length, 6, "of ten generations, four were there");
    assert.deepEqual(found, undisturbed);
    assert.deepEqual(await stateIn(options().folder, "plate"), await stateIn(whole.folder, "plate"));
    assert.match(notes.join("\n"), /^plate: 64 of 160 poses tried, best [\d.]+$/m);
    // Once complete it is read, and nothing is opened.
    const never = () => Promise.reject(new Error("opened"));
    assert.deepEqual(
      await new PlateSearches(hands, DEFAULT_SCORE, options(), never).search("plate", disc),
      undisturbed,
    );
  }));

Deno.test("PlateSearches keeps searches of other seeds, targets and numbers of poses apart", () =>
  inFolder(async (options) => {
    const host = hostScorer();
    const run = async (changes: Partial<SearchOptions>, target = disc) =>
      await new PlateSearches(hands, DEFAULT_SCORE, options({ evaluations: 32, ...changes }), host.open)
        .search("plate", target);
    await run({});
    await run({ seed: 1 });
    await run({ evaluations: 48 });
    await run({}, bar);
    await run({ rules: "others" });
    assert.equal([...Deno.readDirSync(options().folder)].length, 5);
    assert.equal(host.requests.length, 2 + 2 + 3 + 2 + 2);
  }));

Deno.test("PlateSearches begins anew where a file is damaged, and says so", () =>
  inFolder(async (options, _, notes) => {
    const host = hostScorer();
    const run = () =>
      new PlateSearches(hands, DEFAULT_SCORE, options({ evaluations: 32 }), host.open).search("plate", disc);
    const found = await run();
    const [{ name }] = [...Deno.readDirSync(options().folder)];
    await Deno.writeTextFile(join(options().folder, name), `{"seed": 0}`);
    assert.deepEqual(await run(), found);
    assert.equal(host.requests.length, 4);
    assert.ok(
      notes.some((line) => line.includes(name) && line.endsWith(". It is searched anew")),
      notes.join("\n"),
    );
  }));

Deno.test("PlateSearches believes no file whose best pose is illegal or has not the score it says", () =>
  inFolder(async (options, _, notes) => {
    const host = hostScorer();
    const run = () =>
      new PlateSearches(hands, DEFAULT_SCORE, options({ evaluations: 32 }), host.open).search("plate", disc);
    const found = await run();
    const [{ name }] = [...Deno.readDirSync(options().folder)];
    const path = join(options().folder, name);
    const kept = plateSearchSchema.parse(JSON.parse(await Deno.readTextFile(path)));
    const best = kept.best;
    assert.ok(best !== null);
    const bent = best.pose.q.with(7, 3);
    for (
      const [changed, why] of [
        [{ ...best, score: 100 }, /its best pose scores [\d.]+, and not 100\. It is searched anew$/],
        [{ ...best, pose: { ...best.pose, q: bent } }, /its best pose is not legal \(right .*\)\. It is/],
      ] as const
    ) {
      await Deno.writeTextFile(path, JSON.stringify({ ...kept, best: changed }));
      assert.deepEqual(await run(), found);
      assert.match(notes.join("\n"), new RegExp(why, "m"));
    }
    assert.equal(host.requests.length, 6);
  }));

Deno.test("PlateSearches finds what it finds where nothing can be kept, and says once what helps", () =>
  inFolder(async (options, folder, notes) => {
    const kept = await new PlateSearches(
      hands,
      DEFAULT_SCORE,
      options({ evaluations: 32 }),
      hostScorer().open,
    )
      .search("plate", disc);
    await Deno.writeTextFile(join(folder, "file"), "");
    const lost = options({ evaluations: 32, folder: join(folder, "file", "searches") });
    const searches = new PlateSearches(hands, DEFAULT_SCORE, lost, hostScorer().open);
    const found = await Promise.all(["plate", "other"].map((name) => searches.search(name, disc)));
    assert.deepEqual(found, [kept, kept]);
    const said = notes.filter((line) => line.startsWith("Searches are not kept. Cannot write "));
    assert.equal(said.length, 1, notes.join("\n"));
    assert.match(said[0], /Set BENCH_CACHE to a folder that can be written$/);
  }));

Deno.test("PlateSearches fails every plate under way when the device fails, and can be asked again", () =>
  inFolder(async (options) => {
    const host = hostScorer();
    let broken = true;
    const searches = new PlateSearches(hands, DEFAULT_SCORE, options(), async () => {
      const scorer = await host.open();
      return {
        ...scorer,
        scoresOfMany: (asked) => {
          if (broken && host.requests.length === 3) {
            throw new GpuError({ what: "Cannot run", why: "the device is lost" });
          }
          return scorer.scoresOfMany(asked);
        },
      };
    });
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => searches.search(name, disc)));
    for (const result of results) {
      assert.ok(result.status === "rejected" && result.reason instanceof BenchError, result.status);
    }
    assert.deepEqual(host.counts(), { opened: 1, closed: 1 });
    broken = false;
    assert.ok(await searches.search("a", disc) !== null);
  }));

Deno.test("a device and the host lead a search the same way, bit for bit", () =>
  inFolder(async (options) => {
    const host = hostScorer();
    const onHost = options({ folder: `${options().folder}_host` });
    await new PlateSearches(hands, DEFAULT_SCORE, onHost, host.open).search("plate", disc);
    const open = () => openPoseScorer("auto", hands, DEFAULT_SCORE);
    await new PlateSearches(hands, DEFAULT_SCORE, options(), open).search("plate", disc);
    assert.deepEqual(await stateIn(options().folder, "plate"), await stateIn(onHost.folder, "plate"));
  }));
