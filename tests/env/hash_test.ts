import assert from "node:assert/strict";
import { canonicalJson, contentHash, imageKey, sha256 } from "../../env/hash.ts";

Deno.test("sha256() agrees with the FIPS 180-2 example", () => {
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

Deno.test("canonicalJson() is one text for one value whatever the order of keys", () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: null }], a: -0 }), `{"a":0,"b":[{"c":null,"d":1}]}`);
  assert.equal(contentHash({ x: 1, y: 2 }), contentHash({ y: 2, x: 1 }));
  assert.notEqual(contentHash({ x: 1 }), contentHash({ x: 1.0000000000000002 }));
});

Deno.test("canonicalJson() throws for numbers that JSON cannot hold", () => {
  for (const bad of [NaN, Infinity, -Infinity]) assert.throws(() => canonicalJson({ a: [bad] }), RangeError);
});

Deno.test("imageKey() tells shapes of the same bytes apart", () => {
  const data = new Uint8Array(6);
  assert.notEqual(imageKey({ width: 1, height: 2, data }), imageKey({ width: 2, height: 1, data }));
});

Deno.test("imageKey() is the sha256 of size and pixels, every time it is asked", () => {
  // printf '1x1\n\001\002\003' | sha256sum
  const key = "e638149a7141c7469d8af26ccb7f5f521c69f452a1dbfefa3bfbf547bb076c75";
  const image = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3) };
  assert.equal(imageKey(image), key);
  assert.equal(imageKey(image), key);
  assert.equal(imageKey({ ...image, data: Uint8Array.of(1, 2, 3) }), key);
  assert.notEqual(imageKey({ ...image, data: Uint8Array.of(1, 2, 4) }), key);
});
