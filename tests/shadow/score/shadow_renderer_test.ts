import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { stream } from "../../../env/random.ts";
import { type Gpu, openGpu } from "../../../gpu/device.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { START_POSE } from "../../../shadow/pose.ts";
import { CountPass } from "../../../shadow/score/count_pass.ts";
import { DEFAULT_SCORE, type ScoreProfile } from "../../../shadow/score/score_profile.ts";
import { countShadow } from "../../../shadow/score/shadow_counts.ts";
import { ShadowRenderer } from "../../../shadow/score/shadow_renderer.ts";
import { prepareTarget, scoreShadow } from "../../../shadow/score/shadow_score.ts";
import { castShadow } from "../../../shadow/stage/cast_shadow.ts";
import { maskArea, maskWhere } from "../../../shadow/stage/mask.ts";
import { rasterize } from "../../../shadow/stage/rasterize.ts";
import { SilhouettePass } from "../../../shadow/stage/silhouette_pass.ts";
import { GUARD } from "../../../shadow/stage/sub_pixels.ts";
import { randomPoses } from "../random_poses.ts";
import { assertSameMask } from "../same_mask.ts";
import { drawMask } from "./closed_form_masks.ts";

const hands = await loadHands();
const COUNT = Deno.env.get("BENCH_SOAK") === undefined ? 100 : 1000;

/** One with two holes, one that the border crops, one without outline, a hand's own shadow. */
const TARGETS = [
  drawMask([["ring", 200, 150, 20, 90], ["ring", 400, 200, 3, 40]]),
  drawMask([["rectangle", 0, 100, 300, 180], ["disc", 300, 140, 60], ["disc", 511, 383, 30]]),
  maskWhere(() => true),
  castShadow(hands, START_POSE),
];

Deno.test("ShadowRenderer draws every pose's shadow as castShadow() does, bit for bit", async () => {
  await withRenderer(DEFAULT_SCORE, async (renderer) => {
    const poses = randomPoses(COUNT, "agreement");
    const masks = await renderer.masks(poses);
    assert.equal(masks.length, poses.length);
    for (const [i, pose] of poses.entries()) assertSameMask(masks[i], castShadow(hands, pose), `pose ${i}`);
    // Otherwise this would say nothing.
    assert.ok(masks.filter((mask) => maskArea(mask) > 1000).length > 0.7 * COUNT);
  });
});

Deno.test("SilhouettePass draws triangles of every size and shape as rasterize() does, none for none", async () => {
  const draws = stream(0, "device triangles");
  const inGuard = (value: number) => Math.max(-GUARD, Math.min(GUARD, value));
  const corner = (reach: number) => inGuard(draws.integer(-4096, 4097) + draws.integer(-reach, reach + 1));
  const poses = [0, 4, 40, 400, 5000, GUARD].map((reach) =>
    Int16Array.from(
      Array.from({ length: 40 }, () => {
        // All corners about one place, some upright, level or on one spot.
        const place = [draws.integer(-4200, 4200), draws.integer(-3200, 3200)];
        const near = (axis: number) =>
          reach > 400 ? corner(reach) : place[axis] + draws.integer(-reach, reach + 1);
        const corners = [near(0), near(1), near(0), near(1), near(0), near(1)];
        if (draws.next() < 0.2) corners[2] = corners[0];
        if (draws.next() < 0.2) corners[5] = corners[1];
        return corners;
      }).flat(),
    )
  );
  // Edges that cross rows in whole numbers of sub-pixels, where a float's quotient lies on either side of the true one.
  const whole = Int16Array.from(
    Array.from({ length: 400 }, () => {
      const [rise, run, times] = [draws.integer(1, 60), draws.integer(-200, 201), draws.integer(1, 80)];
      const [x, y] = [draws.integer(-4000, 4000), draws.integer(-3000, 0)];
      return [x, y, x + run * times, y + rise * times, x + (run - 7) * times, y + rise * times].map(inGuard);
    }).flat(),
  );
  const all = [
    new Int16Array(0),
    ...poses,
    whole,
    Int16Array.from([-GUARD, -GUARD, GUARD, -GUARD, 0, GUARD]),
  ];
  const gpu = await openGpu("software");
  const drawn = (await SilhouettePass.create(gpu)).draw(all);
  const [bytes] = await gpu.submit("triangles", drawn.commands, [drawn.masks]);
  const words = new Uint32Array(bytes);
  for (const [i, triangles] of all.entries()) {
    const mask = rasterize(triangles);
    assertSameMask(words.subarray(i * mask.length, (i + 1) * mask.length), mask, `list ${i}`);
  }
  gpu.close();
});

Deno.test("ShadowRenderer scores poses against several targets at once as scoreShadow() does, to the last digit", async () => {
  await withRenderer(DEFAULT_SCORE, async (renderer) => {
    const requests = TARGETS.map((mask, i) => ({
      target: prepareTarget(mask),
      poses: [START_POSE, ...randomPoses(COUNT / 4, "scores", i)],
    }));
    const scores = await renderer.scoresOfMany(requests);
    for (const [i, { target, poses }] of requests.entries()) {
      assert.deepEqual(scores[i], poses.map((pose) => scoreShadow(target, castShadow(hands, pose), pose)));
    }
    assert.deepEqual(await renderer.scores(requests[1].target, requests[1].poses), scores[1]);
    assert.equal(scores[3][0].score, 100);
    assert.deepEqual(await renderer.scoresOfMany([{ target: requests[0].target, poses: [] }]), [[]]);
  });
});

Deno.test("CountPass counts as countShadow() does under every outline rule", async () => {
  const gpu = await openGpu("software");
  const masks = [
    ...randomPoses(6, "rules").map((pose) => castShadow(hands, pose)),
    ...TARGETS,
    maskWhere(() => false),
  ];
  const uploaded = gpu.upload("masks", Uint32Array.from(masks.flatMap((mask) => [...mask])));
  for (
    const outline of [
      DEFAULT_SCORE.outline,
      { radii: [5, 1, 3], neighbours: 8, border: "same" },
      { radii: [16, 16, 2], neighbours: 8, border: "light" },
      { radii: [1, 2, 4], neighbours: 4, border: "light" },
    ] as const
  ) {
    const profile: ScoreProfile = { ...DEFAULT_SCORE, outline: { ...outline, radii: [...outline.radii] } };
    const targets = TARGETS.map((mask) => prepareTarget(mask, profile));
    const counted = (await CountPass.create(gpu, profile)).count(
      uploaded,
      masks.map((_, i) => targets[i % 4]),
    );
    const [bytes] = await gpu.submit("counts", counted.commands, [counted.sums]);
    assert.deepEqual(counted.decode(bytes), masks.map((mask, i) => countShadow(targets[i % 4], mask)));
  }
  gpu.close();
});

Deno.test("ShadowRenderer splits what is more than a submit or a buffer takes, and keeps the order", async () => {
  const poses = randomPoses(70, "order").toSorted((a, b) => a.right.position[0] - b.right.position[0]);
  const expected = poses.map((pose) => castShadow(hands, pose));
  const gpu = await openGpu("software");
  // Room for the triangles of two or three poses.
  for (const limited of [gpu, withBinding(gpu, 65536)]) {
    const masks = await (await ShadowRenderer.open(limited, hands)).masks(poses);
    assert.equal(masks.length, expected.length);
    for (const [i, mask] of masks.entries()) assertSameMask(mask, expected[i], `pose ${i}`);
  }
  gpu.close();
});

Deno.test("ShadowRenderer refuses a target that was prepared under another profile", async () => {
  await withRenderer(DEFAULT_SCORE, async (renderer) => {
    const other = prepareTarget(TARGETS[0], { ...DEFAULT_SCORE, peekFactor: 0.9 });
    await assert.rejects(renderer.scores(other, [START_POSE]), BenchError);
    // The same profile by value is no other.
    await renderer.scores(prepareTarget(TARGETS[0], structuredClone(DEFAULT_SCORE)), [START_POSE]);
  });
});

async function withRenderer(
  profile: ScoreProfile,
  use: (renderer: ShadowRenderer) => Promise<void>,
): Promise<void> {
  const gpu = await openGpu("software");
  try {
    await use(await ShadowRenderer.open(gpu, hands, profile));
  } finally {
    gpu.close();
  }
}

/** The same device, which says that it binds less. */
function withBinding(gpu: Gpu, maxStorageBufferBindingSize: number): Gpu {
  return new Proxy(gpu, {
    get(target, key) {
      if (key === "limits") return { maxStorageBufferBindingSize };
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
