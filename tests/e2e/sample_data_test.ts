/** The sample data, and copies of it with one thing altered: what `rescore` and `replay` say of them. */
import assert from "node:assert/strict";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { blankImage } from "../../env/image.ts";
import { compositeOnWhite, decodePng, encodePng } from "../../env/png.ts";
import { replayLineSchema, rescoreLineSchema, rescoreTotalLineSchema } from "../../eval/json_output.ts";
import type { EpisodeRow, StepRow, TranscriptRow } from "../../tasks/data_source.ts";
import { type Alterations, alteredCopy, rounded } from "../support/altered_data.ts";
import { captureCli } from "../support/capture_cli.ts";
import { hubStandIn, withVariables } from "../support/hub_stand_in.ts";
import { withFolder } from "../support/with_folder.ts";

const SAMPLE = fileURLToPath(new URL("../../data/sample", import.meta.url));
const SOAK = Deno.env.get("BENCH_SOAK") !== undefined;

/** What is altered in: small enough for a few seconds, with pictures, refusals and edits in it. */
const SPLAT = {
  where: join(SAMPLE, "splat"),
  settings: ["one_shot"],
  episode: "builtin:carve__table__sculpt__eval_r1",
};
const SHADOW = {
  where: join(SAMPLE, "shadow"),
  settings: ["high_effort"],
  episode: "builtin:walk@high/rabbit",
};

const bench = (...args: string[]) => captureCli([...args, "--device", "software"]);

const jsonOf = (stdout: string) =>
  stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

async function rescored(where: string, ...args: string[]) {
  const { code, stdout, stderr } = await bench("rescore", where, "--json", ...args);
  const lines = jsonOf(stdout);
  return {
    code,
    stderr,
    episodes: lines.filter(({ kind }) => kind === "rescore").map((line) => rescoreLineSchema.parse(line)),
    totals: lines.filter(({ kind }) => kind === "rescore_total").map((line) =>
      rescoreTotalLineSchema.parse(line)
    ),
  };
}

async function replayed(where: string, ...args: string[]) {
  const { code, stdout, stderr } = await bench("replay", where, "--json", ...args);
  const episodes = jsonOf(stdout).map((line) => replayLineSchema.parse(line));
  return { code, stderr, episodes, differing: episodes.filter(({ differences }) => differences.length > 0) };
}

/** A copy of part of the sample in which one thing of one episode is another. */
async function withCopy(
  { where, settings }: typeof SPLAT,
  alterations: Alterations,
  test: (copy: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const copy = join(folder, "copy");
    await alteredCopy(where, copy, { settings, ...alterations });
    await test(copy);
  });
}

const episodeOf = (id: string, change: (row: EpisodeRow) => Partial<EpisodeRow>) => ({
  episode: (row: EpisodeRow) => row.episode_id === id ? { ...row, ...change(row) } : row,
});

const stepOf = (id: string, step: number, change: (row: StepRow) => Partial<StepRow>) => ({
  step: (row: StepRow) => row.episode_id === id && row.step === step ? { ...row, ...change(row) } : row,
});

function changed<Value>(value: Value | undefined, change: (copy: Value) => void): Value {
  assert.ok(value !== undefined);
  const copy = structuredClone(value);
  change(copy);
  return copy;
}

Deno.test("deno task rescore finds no drift in the sample data of both benchmarks", async () => {
  // The task has no argument.
  const { code, stdout, stderr } = await bench("rescore", "--json");
  assert.equal(code, 0, stderr);
  const totals = jsonOf(stdout).filter(({ kind }) => kind === "rescore_total");
  assert.deepEqual(totals.map(({ bench }) => bench), ["shadow", "splat"]);
  const otherDevice = stderr.includes("another device");
  for (const { mean, largest, episodes, tolerance, beyond } of totals) {
    assert.ok(episodes >= 9);
    assert.deepEqual([tolerance, beyond], [0.001, 0]);
    if (!otherDevice) assert.deepEqual([mean, largest], [0, 0], "on the adapter that recorded it");
  }
});

Deno.test("bench replay finds no difference in the sample data", async () => {
  const chosen = SOAK ? ["--all"] : ["--all", "--settings", "one_shot,high_effort"];
  const { code, episodes, differing, stderr } = await replayed(SAMPLE, ...chosen);
  assert.deepEqual(differing, [], stderr);
  assert.equal(code, 0, stderr);
  assert.equal(episodes.length, SOAK ? 19 : 5);
  assert.ok(episodes.every(({ steps, not_comparable }) => steps > 1 && not_comparable === null));
});

Deno.test("bench replay plays the calls of the steps where there are no messages of ours", async () => {
  for (const part of [SPLAT, SHADOW]) {
    await withCopy(part, { without: ["transcripts"] }, async (copy) => {
      const { code, differing, episodes } = await replayed(copy, "--all");
      assert.deepEqual(differing, []);
      assert.deepEqual([code, episodes.length], [0, 2]);
    });
  }
});

Deno.test("bench replay says that a picture of the final shadow is not compared", async () => {
  const bytes = new Uint8Array(await encodePng(blankImage(4, 4)));
  const final_shadow = { bytes, path: null };
  await withCopy(SHADOW, episodeOf(SHADOW.episode, () => ({ final_shadow })), async (copy) => {
    const { code, stderr } = await replayed(copy, "--all");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^replay: final_shadow of 1 episode is not compared; the final pose is$/m);
  });
});

/** One thing altered, and what both commands have to say: the place that replay names first, the row that rescore names. */
const ALTERATIONS: {
  what: string;
  part: typeof SPLAT;
  alterations: Alterations;
  step: number | null;
  field: RegExp;
  rescore: 0 | 1;
}[] = [
  {
    what: "one Gaussian of the final scene",
    part: SPLAT,
    alterations: episodeOf(SPLAT.episode, ({ final_scene }) => ({
      final_scene: changed(final_scene, (scene) => scene[7].opacity = 0.01),
    })),
    step: null,
    field: /^final_state\[7\]\.opacity$/,
    rescore: 1,
  },
  {
    what: "one Gaussian of a step",
    part: SPLAT,
    alterations: stepOf(SPLAT.episode, 1, ({ scene }) => ({
      scene: changed(scene, (scene) => scene[7].pos[1] += 1e-4),
    })),
    step: 1,
    field: /^state\[7\]\.pos\[1\]$/,
    rescore: 0,
  },
  {
    what: "the recorded score",
    part: SPLAT,
    alterations: episodeOf(SPLAT.episode, ({ score }) => ({ score: (score ?? 0) + 0.002 })),
    step: null,
    field: /^score$/,
    rescore: 1,
  },
  {
    what: "one recorded metric",
    part: SPLAT,
    alterations: episodeOf(SPLAT.episode, ({ metrics }) => ({
      metrics: changed(metrics, (metrics) => metrics.psnr += 0.01),
    })),
    step: null,
    field: /^metric psnr$/,
    rescore: 1,
  },
  {
    what: "one accepted flag",
    part: SPLAT,
    alterations: stepOf(SPLAT.episode, 1, ({ accepted }) => ({ accepted: !accepted })),
    step: 1,
    field: /^accepted$/,
    rescore: 0,
  },
  {
    what: "one joint angle of the final pose",
    part: SHADOW,
    alterations: episodeOf(SHADOW.episode, ({ final_pose }) => ({
      final_pose: changed(final_pose, (pose) => pose.q[1] += 0.2),
    })),
    step: null,
    field: /^final_state\.q\[1\]$/,
    rescore: 1,
  },
  {
    what: "one joint angle of a step",
    part: SHADOW,
    alterations: stepOf(
      SHADOW.episode,
      6,
      ({ pose }) => ({ pose: changed(pose, (pose) => pose.q[9] += 1e-9) }),
    ),
    step: 6,
    field: /^state\.q\[9\]$/,
    rescore: 0,
  },
  {
    what: "one accepted flag of a hand move",
    part: SHADOW,
    alterations: stepOf(SHADOW.episode, 5, ({ accepted }) => ({ accepted: !accepted })),
    step: 5,
    field: /^accepted$/,
    rescore: 0,
  },
];

for (const { what, part, alterations, step, field, rescore } of ALTERATIONS) {
  Deno.test(`rescore and replay name the row of ${what} that was altered`, async () => {
    await withCopy(part, alterations, async (copy) => {
      const scores = await rescored(copy);
      assert.equal(scores.code, rescore, scores.stderr);
      const beyond = scores.episodes.filter(({ beyond }) => beyond.length > 0);
      assert.deepEqual(beyond.map(({ episode_id }) => episode_id), rescore === 1 ? [part.episode] : []);
      const plays = await replayed(copy, "--episodes", part.episode);
      assert.equal(plays.code, 1);
      const [{ episode_id, differences: [first] }] = plays.differing;
      assert.deepEqual([episode_id, first.step], [part.episode, step]);
      assert.match(first.field, field);
    });
  });
}

for (const part of [SPLAT, SHADOW]) {
  Deno.test(`replay names one pixel of ${part.episode} that was altered, and writes the pictures`, async () => {
    const picture = part === SPLAT ? 0 : 4;
    const images = new Map<StepRow, Uint8Array<ArrayBuffer>>();
    const { openData } = await import("../../tasks/data_source.ts");
    const data = await openData(part.where);
    for await (const row of data.steps(part.settings[0], { images: true, episodeIds: [part.episode] })) {
      if (row.image === null || row.image === undefined || row.step < picture) continue;
      const image = compositeOnWhite(decodePng(row.image.bytes ?? new Uint8Array()));
      image.data[3 * (image.width * 100 + 77) + 1] ^= 1;
      images.set(row, new Uint8Array(await encodePng(image)));
      break;
    }
    const [[{ step, image }, bytes]] = images;
    const altered = stepOf(part.episode, step, () => ({ image: { bytes, path: image?.path ?? null } }));
    await withCopy(part, altered, async (copy) => {
      const out = join(copy, "../differing");
      const plays = await replayed(copy, "--episodes", part.episode, "--out", out);
      assert.equal(plays.code, 1);
      const [{ differences }] = plays.differing;
      assert.deepEqual(differences.map(({ step, field }) => [step, field]), [[step, "picture"]]);
      assert.match(differences[0].now, /^1 of \d+ pixels, the first at \(77, 100\): /);
      const folder = join(out, part === SPLAT ? "splat" : "shadow", part.settings[0]);
      const [episode] = await readdir(folder);
      const name = String(step).padStart(2, "0");
      assert.deepEqual(
        (await readdir(join(folder, episode))).sort(),
        ["difference", "now", "recorded"].map((kind) => `${name}_${kind}.png`),
      );
      const scores = await rescored(copy);
      assert.equal(scores.code, 0, "no score is made of what the model saw");
    });
  });
}

/** One call of the conversation with another argument. */
function otherCall(row: TranscriptRow, id: string, from: string, to: string): TranscriptRow {
  if (row.episode_id !== id) return row;
  const text = JSON.stringify(row.messages);
  assert.ok(text.includes(from), `the test changes nothing in ${text.slice(0, 300)}`);
  return { ...row, messages: JSON.parse(text.replace(from, to)) };
}

Deno.test("replay finds the right first difference where one call was changed", async () => {
  // The model's message says something else than the step that was logged.
  const messages = {
    transcript: (row: TranscriptRow) =>
      otherCall(row, SPLAT.episode, String.raw`\"opacity\":1}`, String.raw`\"opacity\":0.45}`),
  };
  await withCopy(SPLAT, messages, async (copy) => {
    const { code, differing: [{ differences: [first] }] } = await replayed(copy, "--all");
    assert.equal(code, 1);
    assert.equal(first.step, 1);
    assert.match(first.field, /^arguments\.gaussians\[\d+\]\.opacity$/);
    assert.deepEqual([first.recorded, first.now], ["1", "0.45"]);
  });
  // Without messages the step itself is what is played, and the scene is not what it makes.
  const steps = {
    ...stepOf(SPLAT.episode, 1, ({ arguments: text }) => ({
      arguments: (text ?? "").replace('"opacity":1}', '"opacity":0.45}'),
    })),
    without: ["transcripts"] as const,
  };
  await withCopy(SPLAT, steps, async (copy) => {
    const { code, differing: [{ differences: [first] }] } = await replayed(copy, "--all");
    assert.equal(code, 1);
    assert.equal(first.step, 1);
    assert.match(first.field, /^state\[\d+\]\.opacity$/);
    assert.deepEqual([first.recorded, first.now], ["1", "0.45"]);
  });
});

Deno.test("a copy rounded to three decimals stays within 0.25 points and shows its drift", async () => {
  for (const part of [SPLAT, SHADOW]) {
    const alterations = {
      episode: (row: EpisodeRow) => ({
        ...row,
        ...rounded({ score: row.score, metrics: row.metrics, reward: row.reward, curve: row.curve }),
        final_scene: rounded(row.final_scene ?? null) ?? undefined,
        final_pose: rounded(row.final_pose ?? null) ?? undefined,
      }),
      step: (row: StepRow) => ({
        ...row,
        ...rounded({ hidden: row.hidden, hidden_score: row.hidden_score }),
        ...(row.score_before_peeks === undefined
          ? {}
          : rounded({ score_before_peeks: row.score_before_peeks })),
        ...(row.scene === undefined ? {} : { scene: rounded(row.scene) }),
        ...(row.pose === undefined ? {} : { pose: rounded(row.pose) }),
      }),
    };
    await withCopy(part, alterations, async (copy) => {
      const { code, totals: [total] } = await rescored(copy);
      assert.equal(code, 0);
      assert.deepEqual([total.rounded, total.tolerance], [true, 0.25]);
      assert.ok(total.largest !== null && total.largest > 0 && total.largest < 0.25, String(total.largest));
      const strict = await bench("rescore", copy, "--tolerance", "0.000001");
      assert.equal(strict.code, 1);
      assert.match(
        strict.stdout,
        /drift in points: mean \S+, largest \S+ \(tolerance 0\.000001, for states rounded/,
      );
      assert.match(strict.stdout, /beyond the tolerance: \w+ builtin:/);
      const plays = await replayed(copy, "--all");
      assert.deepEqual(plays.differing, [], "within the rounding");
    });
  }
});

Deno.test("rescore and replay work on hf:// as on a folder", async () => {
  await withCopy(SPLAT, {}, async (copy) => {
    const files: Record<string, Uint8Array> = {};
    for (const path of await readdir(copy, { recursive: true })) {
      const file = join(copy, path);
      if ((await Deno.stat(file)).isFile) files[path] = await Deno.readFile(file);
    }
    await using hub = hubStandIn({ id: "somebody/splatbench", files });
    await withVariables({ HF_ENDPOINT: hub.url, HF_TOKEN: null, HF_HUB_OFFLINE: null }, async () => {
      const scores = await rescored("hf://somebody/splatbench");
      assert.equal(scores.code, 0, scores.stderr);
      assert.equal(scores.episodes.length, 2);
      assert.ok(!hub.asked().some((path) => path.includes("steps/")), "final scenes are enough");
      const plays = await replayed("hf://somebody/splatbench", "--all");
      assert.equal(plays.code, 0, plays.stderr);
      assert.deepEqual([plays.episodes.length, plays.differing], [2, []]);
    });
  });
});

Deno.test("rescore and replay say what is missing or bad, by its row", async () => {
  await withCopy(SPLAT, {}, async (copy) => {
    await rm(join(copy, "steps"), { recursive: true });
    assert.equal((await rescored(copy)).code, 0, "needs no steps");
    const { code, stderr } = await bench("replay", copy);
    assert.equal(code, 2);
    assert.match(stderr, /^bench: Cannot read steps of .*: it holds no table steps/m);
    // One file of one table, and the embedded tasks.
    const file = join(copy, "episodes/one_shot-00000-of-00001.parquet");
    const alone = await rescored(file, "--episodes", "*carve*");
    assert.deepEqual([alone.code, alone.episodes.length], [0, 1]);
    assert.match(alone.stderr, /there is no table of tasks; takes the embedded ones/);
  });
  await withCopy(SPLAT, { episode: () => null }, async (copy) => {
    const { code, stderr } = await bench("rescore", copy);
    assert.equal(code, 2);
    assert.match(stderr, /^bench: Cannot rescore: there is no episode in it\./m);
    const replay = await bench("replay", copy);
    assert.equal(replay.code, 2);
    assert.match(replay.stderr, /^bench: Cannot replay: there is no episode in it\./m);
    await rm(join(copy, "episodes"), { recursive: true });
    for (const command of ["replay", "rescore"]) {
      const gone = await bench(command, copy);
      assert.equal(gone.code, 2);
      assert.match(gone.stderr, /^bench: Cannot read the episodes of \S+: it has no table of episodes/m);
    }
  });
  const unknown = episodeOf(SPLAT.episode, () => ({ task_id: "cathedral" }));
  await withCopy(SPLAT, unknown, async (copy) => {
    const { code, stderr } = await bench("rescore", copy);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^bench: Cannot read row \d+ of .*one_shot.*: column task_id: cathedral is not in the table tasks/m,
    );
    const skipped = await rescored(copy, "--skip-bad");
    assert.deepEqual([skipped.code, skipped.episodes.length], [0, 1]);
    assert.match(skipped.stderr, /^Left out: .*cathedral/m);
  });
  const gone = episodeOf(SPLAT.episode, () => ({ final_scene: undefined }));
  await withCopy(SPLAT, gone, async (copy) => {
    const { code, stderr } = await rescored(copy);
    assert.equal(code, 0, "the last step has the scene, too");
    assert.match(stderr, /^1 episode without a final state: the state of the last step was scored$/m);
  });
  await withCopy(SPLAT, { ...gone, without: ["steps"] }, async (copy) => {
    const { code, stderr, episodes } = await rescored(copy);
    assert.deepEqual([code, episodes.length], [2, 1]);
    assert.match(stderr, /Cannot rescore one_shot builtin:carve\S+: it has a score, and no final state/);
  });
});

Deno.test("poses of an unknown hand are not compared, and their log is checked", async () => {
  const foreign = (row: EpisodeRow): EpisodeRow => ({
    ...row,
    profile_hash: undefined,
    env_fingerprint: "other",
  });
  await withCopy(SHADOW, { episode: foreign }, async (copy) => {
    const scores = await rescored(copy);
    assert.deepEqual([scores.code, scores.episodes], [0, []]);
    assert.match(scores.stderr, /^2 episodes: other hand: not comparable \(bench replay checks the log\)$/m);
    const { code, episodes } = await replayed(copy, "--all");
    assert.equal(code, 0, JSON.stringify(episodes));
    for (const { not_comparable, differences } of episodes) {
      assert.deepEqual([not_comparable, differences], ["other hand: not comparable", []]);
    }
  });
  const budget = stepOf(SHADOW.episode, 9, ({ budgets }) => ({ budgets: { ...budgets, calls: 3 } }));
  await withCopy(SHADOW, { episode: foreign, ...budget }, async (copy) => {
    const { code, differing } = await replayed(copy, "--all");
    assert.equal(code, 1);
    const [{ episode_id, differences: [{ step, field }] }] = differing;
    assert.deepEqual([episode_id, step, field], [SHADOW.episode, 9, "budgets.calls"]);
  });
});

Deno.test("rescore --shape writes the columns that analyze tabulates", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "shaped");
    const { code, stderr } = await bench(
      "rescore",
      join(SAMPLE, "splat"),
      ...["--settings", "one_shot"],
      "--shape",
      "--out",
      out,
    );
    assert.equal(code, 0, stderr);
    const { stdout } = await captureCli(["analyze", out, "--format", "md"]);
    assert.match(stdout, /Mirror test and build size/);
    // Both are said before any score, which is what takes long.
    const full = await bench("rescore", join(SAMPLE, "splat"), "--shape", "--out", out);
    assert.deepEqual([full.code, full.stdout], [2, ""]);
    assert.match(full.stderr, /^bench: Cannot export into \S+: it is not empty, /m);
    const shadow = await bench("rescore", join(SAMPLE, "shadow"), "--shape", "--out", join(folder, "new"));
    assert.deepEqual([shadow.code, shadow.stdout], [2, ""]);
    assert.match(shadow.stderr, /^bench: Cannot measure shapes: only final scenes of SplatBench have them/m);
  });
});
