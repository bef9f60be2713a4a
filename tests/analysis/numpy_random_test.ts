import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { defaultRng, pythonRandom, randomState } from "../../analysis/numpy_random.ts";
import { Pcg64 } from "../../analysis/pcg64.ts";
import { seedWords } from "../../analysis/seed_sequence.ts";
import fixture from "../fixtures/numpy_random.json" with { type: "json" };

const sha = (bytes: ArrayBufferView<ArrayBuffer>) =>
  createHash("sha256").update(new Uint8Array(bytes.buffer)).digest("hex");
const int64Sha = (values: number[]) => sha(BigInt64Array.from(values, BigInt));
const float64Sha = (values: number[]) => sha(Float64Array.from(values));

Deno.test("seedWords() mixes any seed as numpy's SeedSequence does", () => {
  for (const [seed, { words }] of Object.entries(fixture.seeds)) {
    assert.deepEqual([...seedWords(BigInt(seed), 8)], words, seed);
  }
});

Deno.test("Pcg64 draws numpy's raw 64-bit words", () => {
  for (const [seed, { raw }] of Object.entries(fixture.seeds)) {
    const bits = new Pcg64(BigInt(seed));
    assert.deepEqual(raw.map(() => bits.next64().toString()), raw, seed);
  }
});

Deno.test("defaultRng().integers() equals numpy's for ranges of 1 to above 32 bits", () => {
  for (const [seed, { integers, negative_low }] of Object.entries(fixture.seeds)) {
    for (const [high, values] of Object.entries(integers)) {
      const drawn = defaultRng(BigInt(seed)).integers(0, Number(high), values.length);
      assert.deepEqual(drawn, values, `${seed}, ${high}`);
    }
    assert.deepEqual(defaultRng(BigInt(seed)).integers(-7, 5, negative_low.length), negative_low);
  }
});

Deno.test("defaultRng() equals numpy's over 300,000 integers, choices and doubles", () => {
  const values = Array.from({ length: 20 }, (_, i) => 100 + i);
  for (const [seed, wanted] of Object.entries(fixture.seeds)) {
    assert.equal(int64Sha(defaultRng(BigInt(seed)).integers(0, 30, 300_000)), wanted.integers_sha, seed);
    assert.equal(int64Sha(defaultRng(BigInt(seed)).choice(values, 150_000)), wanted.choice_sha, seed);
    assert.equal(float64Sha(defaultRng(BigInt(seed)).random(10_000)), wanted.random_sha, seed);
  }
});

Deno.test("defaultRng() keeps the buffered half word between calls of other kinds", () => {
  for (const [seed, { mix }] of Object.entries(fixture.seeds)) {
    const rng = defaultRng(BigInt(seed));
    const round = () => [...rng.integers(0, 30, 1), ...rng.random(1), ...rng.integers(5, 2 ** 40, 1)];
    assert.deepEqual(Array.from({ length: mix.length / 3 }, round).flat(), mix, seed);
  }
});

Deno.test("randomState() equals numpy's legacy generator", () => {
  for (const [seed, { randint, choice, randint_sha, random_sha }] of Object.entries(fixture.legacy)) {
    for (const [high, values] of Object.entries(randint)) {
      const drawn = randomState(BigInt(seed)).randint(0, Number(high), values.length);
      assert.deepEqual(drawn, values, `${seed}, ${high}`);
    }
    assert.deepEqual(randomState(BigInt(seed)).choice(20, choice.length), choice);
    assert.equal(int64Sha(randomState(BigInt(seed)).randint(0, 30, 300_000)), randint_sha, seed);
    assert.equal(float64Sha(randomState(BigInt(seed)).randomSample(10_000)), random_sha, seed);
  }
});

Deno.test("pythonRandom() equals Python's random module for seeds of any size", () => {
  for (const [seed, { choices, random }] of Object.entries(fixture.python)) {
    assert.deepEqual(pythonRandom(BigInt(seed)).choices(30, choices.length), choices, seed);
    assert.deepEqual(pythonRandom(BigInt(seed)).random(1), random, seed);
  }
});

Deno.test("generators refuse bad seeds and ranges in one line that says what is wanted", () => {
  assert.throws(() => defaultRng(-1n), /the seed is -1, wanted an integer of at least 0/);
  assert.throws(() => pythonRandom(-1n), /at least 0/);
  assert.throws(() => randomState(2n ** 32n), /wanted an integer from 0 to 4294967295/);
  for (const [low, high] of [[3, 3], [5, 2], [0, Number.NaN], [0, 2.5], [-(2 ** 53 - 1), 2 ** 53 - 1]]) {
    assert.throws(() => defaultRng(0n).integers(low, high, 1), /wanted integers with low < high/);
    assert.throws(() => randomState(0n).randint(low, high, 1), /wanted integers with low < high/);
  }
  assert.throws(() => defaultRng(0n).choice([], 1), /the range is \[0, 0\)/);
});
