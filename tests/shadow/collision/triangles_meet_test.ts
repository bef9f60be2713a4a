import assert from "node:assert/strict";
import { ExtendedTriangle } from "three-mesh-bvh";
import { Vector3 as ThreeVector } from "three";
import { normalize, type Quaternion, rotate } from "../../../env/quaternion.ts";
import { type Stream, stream } from "../../../env/random.ts";
import { add, type Vector3 } from "../../../env/vector3.ts";
import { trianglesMeet } from "../../../shadow/collision/triangles_meet.ts";

type Triangle = readonly [Vector3, Vector3, Vector3];

function meet(a: Triangle, b: Triangle): boolean {
  return trianglesMeet(Float64Array.from(a.flat()), 0, 3, 6, Float64Array.from(b.flat()), 0, 3, 6);
}

/** The same triangles in every order of corners and either way round. */
function everyOrder(a: Triangle, b: Triangle): boolean[] {
  const orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
  const all = ([...t]: Triangle) => orders.map(([i, j, k]): Triangle => [t[i], t[j], t[k]]);
  return all(a).flatMap((p) => all(b).flatMap((q) => [meet(p, q), meet(q, p)]));
}

Deno.test("trianglesMeet() is true where an edge passes through a side or an edge, false where it passes by", () => {
  const floor: Triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
  const upright = (x: number): Triangle => [[x, 0.25, -1], [x, 0.25, 1], [x + 3, 0.25, 1]];
  for (const [x, want] of [[0.25, true], [0.5, true], [0.75, true], [0.76, false], [1.5, false]] as const) {
    assert.deepEqual(new Set(everyOrder(floor, upright(x))), new Set([want]), `x = ${x}`);
  }
  const corner: Triangle = [[0.2, 0.2, 0], [0.2, 0.2, 1], [0.4, 0.2, 1]];
  assert.ok(everyOrder(floor, corner).every((met) => met), "a corner on the other triangle");
  const above: Triangle = [[0.2, 0.2, 1e-15], [0.2, 0.2, 1], [0.4, 0.2, 1]];
  assert.ok(everyOrder(floor, above).every((met) => !met), "a corner just above it");
  const coplanar: Triangle = [[0.1, 0.1, 0], [0.9, 0.1, 0], [0.1, 0.9, 0]];
  assert.ok(everyOrder(floor, coplanar).every((met) => !met), "one in the other's plane");
});

Deno.test("trianglesMeet() is false for the disjoint, nearly coplanar pairs reported against libigl", () => {
  // github.com/libigl/libigl issue 2381: a triangle subdivided twice, of which pairs without a common corner are apart.
  const corners: Vector3[] = [
    [0.280039012432098, 0.82766300439834595, 0.46377500891685502],
    [0.33890101313590998, 0.78804200887680098, 0.48812699317932101],
    [0.31805300712585399, 0.76836401224136397, 0.49308800697326699],
    [0.30947001278400399, 0.80785250663757346, 0.47595100104808802],
    [0.299046009778976, 0.79801350831985496, 0.47843150794506101],
    [0.32847701013088199, 0.77820301055908248, 0.490607500076294],
    [0.29475451260805097, 0.81775775551795971, 0.46986300498247152],
    [0.28954251110553697, 0.81283825635910045, 0.47110325843095802],
    [0.32418551295995701, 0.79794725775718722, 0.48203899711370451],
    [0.33368901163339598, 0.78312250971794173, 0.48936724662780751],
    [0.30854950845241502, 0.78318876028060946, 0.485759757459164],
    [0.32326500862836799, 0.77328351140022322, 0.4918477535247805],
    [0.30425801128148999, 0.80293300747871421, 0.47719125449657451],
    [0.31897351145744302, 0.79302775859832797, 0.48327925056219101],
    [0.31376150995492902, 0.78810825943946872, 0.4845195040106775],
  ];
  const faces = [
    ...[[2, 11, 10], [1, 8, 9], [0, 7, 6], [3, 12, 13], [5, 14, 11], [3, 13, 8], [4, 12, 7], [4, 14, 12]],
    ...[[4, 10, 14], [5, 9, 13], [3, 6, 12], [5, 13, 14], [14, 10, 11], [13, 9, 8], [12, 6, 7], [14, 13, 12]],
  ];
  const triangle = ([a, b, c]: number[], of = corners): Triangle => [of[a], of[b], of[c]];
  let pairs = 0;
  for (const [i, a] of faces.entries()) {
    for (const b of faces.slice(i + 1)) {
      if (a.some((corner) => b.includes(corner))) continue;
      pairs++;
      assert.ok(everyOrder(triangle(a), triangle(b)).every((met) => !met), `${a} and ${b}`);
    }
  }
  assert.ok(pairs > 50, `${pairs} pairs`);

  // Its pull request 2382, first comment.
  const strip: Vector3[] = [
    [0.39234799146652199, 0.38443601131439198, 0.44744500517845198],
    [0.38924700021743752, 0.385637506842613, 0.45762349665164948],
    [0.38700349628925301, 0.38789276033639897, 0.45634675025939975],
    [0.39079749584197976, 0.38503675907850249, 0.45253425091505073],
    [0.38769650459289529, 0.38623825460672351, 0.46271274238824822],
    [0.39279749989509577, 0.37299175560474374, 0.45553924888372399],
  ];
  assert.ok(everyOrder(triangle([0, 3, 2], strip), triangle([1, 5, 4], strip)).every((met) => !met));
});

Deno.test("trianglesMeet() equals three-mesh-bvh on 2,000 random pairs, and stays the same under 50 rigid motions", () => {
  const draw = stream(0, "triangles");
  const other = ([a, b, c]: Triangle) =>
    new ExtendedTriangle(new ThreeVector(...a), new ThreeVector(...b), new ThreeVector(...c));
  let met = 0;
  for (let k = 0; k < 2000; k++) {
    const [a, b] = [triangleOf(draw), triangleOf(draw)];
    const want = other(a).intersectsTriangle(other(b));
    if (want) met++;
    assert.equal(meet(a, b), want, `pair ${k}`);
    if (k >= 100) continue;
    for (let seed = 0; seed < 50; seed++) {
      const motion = rigid(stream(seed, "motion", k));
      assert.equal(meet(motion(a), motion(b)), want, `pair ${k}, motion ${seed}`);
    }
  }
  assert.ok(met > 200 && met < 1800, `${met} pairs meet`);
});

function triangleOf(draw: Stream): Triangle {
  const corner = (): Vector3 => [draw.next(), draw.next(), draw.next()];
  return [corner(), corner(), corner()];
}

function rigid(draw: Stream): (triangle: Triangle) => Triangle {
  const four: Quaternion = [draw.normal(), draw.normal(), draw.normal(), draw.normal()];
  const turn = normalize(four);
  const shift: Vector3 = [draw.normal(), draw.normal(), draw.normal()];
  const moved = (point: Vector3) => add(rotate(turn, point), shift);
  return ([a, b, c]) => [moved(a), moved(b), moved(c)];
}
