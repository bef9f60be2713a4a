import assert from "node:assert/strict";
import { receivedArguments } from "../../env/received_arguments.ts";

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}1${"]".repeat(depth)}`);

Deno.test("receivedArguments() gives back what JSON holds, and {} for nothing", () => {
  const args = { gaussians: [{ pos: [0, -1.5, 1e-9], group: null, on: true }], text: "a\nb" };
  assert.deepEqual(receivedArguments(args), args);
  assert.notEqual(receivedArguments(args), args);
  assert.deepEqual([receivedArguments(null), receivedArguments(undefined)], [{}, {}]);
  assert.deepEqual([receivedArguments("x"), receivedArguments([1])], ["x", [1]]);
});

Deno.test("receivedArguments() names what JSON cannot hold, as its log would read it", () => {
  const args = {
    a: NaN,
    b: [Infinity, -Infinity, -0],
    c: undefined,
    d: new Float32Array([1, NaN]),
    e: 10n,
    f: () => 1,
  };
  const received = receivedArguments(args);
  assert.deepEqual(received, {
    a: "NaN",
    b: ["Infinity", "-Infinity", 0],
    d: [1, "NaN"],
    e: "[bigint]",
    f: "[function]",
  });
  assert.deepEqual(JSON.parse(JSON.stringify(received)), received);
});

Deno.test("receivedArguments() keeps a key __proto__ a key", () => {
  const received = receivedArguments(JSON.parse('{"__proto__":{"id":1}}'));
  assert.equal(JSON.stringify(received), '{"__proto__":{"id":1}}');
  assert.equal(Reflect.get(Object(received), "id"), undefined);
});

Deno.test("receivedArguments() cuts what is nested deeper than 8, a million levels included", () => {
  assert.deepEqual(receivedArguments(nested(8)), nested(8));
  for (const depth of [9, 1_000_000]) {
    assert.equal(
      JSON.stringify(receivedArguments(nested(depth))),
      `${"[".repeat(8)}"(left out: nested deeper than 8)"${"]".repeat(8)}`,
    );
  }
});

Deno.test("receivedArguments() leaves out every argument of a call that is too large", () => {
  const note = "(left out: the call holds over 1000000 characters or 50000 values)";
  const text = "x".repeat(999_000);
  assert.deepEqual(receivedArguments({ a: text }), { a: text });
  assert.deepEqual(receivedArguments({ a: text, b: [text] }), { a: note, b: note });
  assert.deepEqual(receivedArguments({ a: Array(49_000).fill(0) }), { a: Array(49_000).fill(0) });
  assert.deepEqual(receivedArguments({ a: Array(50_001).fill(0) }), { a: note });
  assert.equal(receivedArguments("y".repeat(1_000_001)), note);
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`key ${i}`, i]));
  assert.equal(Object.keys(Object(receivedArguments(wide))).length, 20);
});
