import assert from "node:assert/strict";
import { fromEuler } from "../../../env/quaternion.ts";
import { dot } from "../../../env/vector3.ts";
import { stream } from "../../../env/random.ts";
import { CONTROLS } from "../../../shadow/hand/controls.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { ART, drawnSkin, engraveHands, type Sitter } from "../../../shadow/pictures/engraving.ts";
import { FINENESS } from "../../../shadow/pictures/plate.ts";
import { viewCamera } from "../../../shadow/pictures/views.ts";
import { visibleSurface } from "../../../shadow/pictures/visible_surface.ts";
import { type Pose, SIDES, START_POSE } from "../../../shadow/pose.ts";
import { firstHand, firstHit } from "./rays.ts";
import { skins } from "./stage_poses.ts";

const hands = await loadHands();
const pose: Pose = {
  right: { ...START_POSE.right, position: [0.04, 0, 1.1], orientation: fromEuler([0, 20, 50]) },
  left: { ...START_POSE.left, position: [-0.03, 0, 0.9], orientation: fromEuler([10, 0, -40]) },
};
const sitters: Sitter[] = skins(hands, pose).map((skin, i) => ({ model: hands[SIDES[i]], skin }));
const camera = viewCamera({ azimuth: -24, elevation: 10 }, skins(hands, pose), 301, 233);
const art = engraveHands(sitters, camera);
const width = camera.width * FINENESS;

Deno.test("engraveHands() draws where rays meet a hand, and nowhere else", () => {
  // Where sleeves end, arms go on.
  const arms = engraveHands(sitters.map((sitter) => withoutSleeve(sitter)), camera);
  const draws = stream(0, "engraved rays");
  let met = 0;
  for (let trial = 0; trial < 400; trial++) {
    const [column, row] = [draws.integer(4, width - 4), draws.integer(4, 233 * FINENESS - 4)];
    // Outlines lie on both sides of the edge.
    const seen = [[0, 0], [-4, -4], [4, -4], [-4, 4], [4, 4]].map(([dx, dy]) =>
      firstHand(hands, camera, pose, (column + dx + 0.5) / FINENESS, (row + dy + 0.5) / FINENESS)
    );
    if (new Set(seen).size > 1) continue;
    assert.equal(arms[row * width + column] === ART.clear, seen[0] === "none", `${column}, ${row}`);
    met += Number(seen[0] !== "none");
  }
  assert.ok(met >= 20, `${met} rays met a hand`);
});

Deno.test("visibleSurface() sees what rays meet first, as far away", () => {
  // Fingers over the palm, the left hand far behind.
  const angles = CONTROLS.map(({ name, max }) => /[mp][ci]p$/.test(name) ? max * Math.PI / 200 : 0);
  const alone: Pose = {
    right: { ...pose.right, angles },
    left: { ...pose.left, position: [-9, 0, 1] },
  };
  const [skin] = skins(hands, alone);
  const camera = viewCamera("side", [skin], 301, 233);
  const surface = visibleSurface(skin, hands.right.triangles, camera, FINENESS);
  const draws = stream(0, "surface rays");
  let folded = 0;
  for (let met = 0; met < 100;) {
    const [column, row] = [draws.integer(0, width), draws.integer(0, 233 * FINENESS)];
    const [x, y] = [(column + 0.5) / FINENESS, (row + 0.5) / FINENESS];
    const { hand, point } = firstHit(hands, camera, alone, x, y);
    const at = row * width + column;
    assert.equal(surface.triangles[at] >= 0, hand === "right", `${x}, ${y}`);
    if (hand !== "right") continue;
    if (!(Math.abs(surface.depths[at] - dot(point, camera.toward)) < 1e-6)) folded++;
    met++;
  }
  // Skin turned inside out in the fold of a joint shows its back.
  assert.ok(folded <= 3, `${folded}`);
});

Deno.test("engraveHands() rings an edge between hand and nothing, and between the hands, with ink", () => {
  const alone = sitters.map((sitter) => engraveHands([sitter], camera));
  let edges = 0;
  for (let row = 3; row < 233 * FINENESS - 3; row++) {
    for (let column = 3; column < width - 3; column++) {
      const at = row * width + column;
      for (const layer of [art, ...alone]) {
        if (layer[at] === ART.paper) {
          assert.notEqual(layer[at + 1], ART.clear);
          assert.notEqual(layer[at + width], ART.clear);
          edges++;
        }
      }
    }
  }
  assert.ok(edges > 10_000);
});

Deno.test("engraveHands() is darker on the side away from the light", () => {
  // The light comes from the upper left.
  const upright: Sitter = { model: hands.right, skin: skins(hands, START_POSE)[0] };
  const view = viewCamera({ azimuth: -24, elevation: 10 }, [upright.skin], 301, 233);
  const drawn = engraveHands([withoutSleeve(upright)], view);
  const wristRow = view.row.reduce((sum, value, k) => sum + value * [0.13, -0.05, 1, 1][k], 0);
  const shares = [0, 0].map((_, half) => {
    let [ink, all] = [0, 0];
    // Below the wrist, which is at the pose's position.
    for (let row = Math.round(wristRow * FINENESS); row < 233 * FINENESS; row++) {
      const limb = spanOf(drawn.subarray(row * width, (row + 1) * width));
      if (limb === null || limb[1] - limb[0] < 30) continue;
      const third = Math.floor((limb[1] - limb[0]) / 3);
      const from = row * width + (half === 0 ? limb[0] + 6 : limb[1] - third);
      for (let at = from; at < from + third - 6; at++) {
        ink += Number(drawn[at] === ART.ink);
        all += Number(drawn[at] !== ART.clear);
      }
    }
    return ink / all;
  });
  assert.ok(shares[1] > 0.1 && shares[1] > 4 * shares[0], `${shares}`);
});

Deno.test("drawnSkin() bounds what is drawn", () => {
  const [box, drawn] = [{ left: Infinity, right: -Infinity }, { left: width, right: 0 }];
  for (const sitter of sitters) {
    const points = drawnSkin(sitter);
    assert.ok(points.length < sitter.skin.length);
    for (let i = 0; i < points.length; i += 3) {
      const x = [0, 1, 2].reduce((sum, k) => sum + camera.column[k] * points[i + k], camera.column[3]);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
    }
  }
  art.forEach((sample, at) => {
    if (sample === ART.clear) return;
    drawn.left = Math.min(drawn.left, at % width / FINENESS);
    drawn.right = Math.max(drawn.right, at % width / FINENESS);
  });
  // Outlines reach a pixel further.
  assert.ok(drawn.left > box.left - 1.5 && drawn.right < box.right + 1.5, JSON.stringify({ box, drawn }));
});

/** The same hand with an elbow so far away that no part of it is sleeve. */
function withoutSleeve({ model, skin }: Sitter): Sitter {
  return { model: { ...model, joints: { ...model.joints, elbow: [0, -10, 0] } }, skin };
}

function spanOf(row: Uint8Array): [number, number] | null {
  const first = row.findIndex((sample) => sample !== ART.clear);
  return first === -1 ? null : [first, row.findLastIndex((sample) => sample !== ART.clear)];
}
