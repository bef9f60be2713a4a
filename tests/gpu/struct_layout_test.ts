import assert from "node:assert/strict";
import { stream } from "../../env/random.ts";
import { openGpu } from "../../gpu/device.ts";
import { type FieldType, struct } from "../../gpu/struct_layout.ts";

/** [alignment, size] of the WGSL specification, section "Alignment and Size". */
const SPECIFIED: [FieldType, number, number][] = [
  ["i32", 4, 4],
  ["u32", 4, 4],
  ["f32", 4, 4],
  ["vec2i", 8, 8],
  ["vec2u", 8, 8],
  ["vec2f", 8, 8],
  ["vec3i", 16, 12],
  ["vec3u", 16, 12],
  ["vec3f", 16, 12],
  ["vec4i", 16, 16],
  ["vec4u", 16, 16],
  ["vec4f", 16, 16],
  ["mat3x3f", 16, 48],
  ["mat4x4f", 16, 64],
];

const COMPONENTS: Record<FieldType, number> = {
  f32: 1,
  i32: 1,
  u32: 1,
  vec2f: 2,
  vec2i: 2,
  vec2u: 2,
  vec3f: 3,
  vec3i: 3,
  vec3u: 3,
  vec4f: 4,
  vec4i: 4,
  vec4u: 4,
  mat3x3f: 9,
  mat4x4f: 16,
};

for (const [type, align, size] of SPECIFIED) {
  Deno.test(`struct() gives ${type} the alignment and size of the specification`, () => {
    assert.equal(struct("S", { before: "u32", x: type }).offsets.x, align);
    assert.equal(struct("S", { x: type, after: "u32" }).offsets.after, size);
    // SizeOf(S) = roundUp(AlignOf(S), …): the trailing scalar is padded to the struct's alignment.
    const padded = Math.ceil((size + 4) / align) * align;
    assert.equal(struct("S", { x: type, after: "u32" }).byteLength, padded);
  });
}

Deno.test("struct() lays out the examples of the specification", () => {
  // "Structure Member Layout", struct A, and struct B as far as its members are scalars and vectors.
  const A = struct("A", { u: "f32", v: "f32", w: "vec2f", x: "f32" });
  assert.deepEqual(A.offsets, { u: 0, v: 4, w: 8, x: 16 });
  assert.equal(A.byteLength, 24);
  const B = struct("B", { a: "vec2f", b: "vec3f", c: "f32", d: "f32" });
  assert.deepEqual(B.offsets, { a: 0, b: 16, c: 28, d: 32 });
  assert.equal(B.byteLength, 48);
});

Deno.test("struct() writes the WGSL declaration in order", () => {
  assert.equal(struct("P", { id: "u32", mean: "vec3f" }).wgsl, "struct P {\n  id: u32,\n  mean: vec3f,\n}\n");
});

Deno.test("pack() puts little-endian values at their offsets and zeros between", () => {
  const P = struct("P", { id: "u32", mean: "vec3f", shift: "i32" });
  const bytes = P.pack([{ id: 1, mean: [1, -2, 0.5], shift: -1 }, {
    id: 0xffffffff,
    mean: [0, 0, 0],
    shift: 7,
  }]);
  assert.deepEqual([...new Uint32Array(bytes.buffer)], [
    ...[1, 0, 0, 0, 0x3f800000, 0xc0000000, 0x3f000000, 0xffffffff],
    ...[0xffffffff, 0, 0, 0, 0, 0, 0, 7],
  ]);
});

Deno.test("pack() refuses what would wrap around or be left out", () => {
  const S = struct("S", { count: "u32", rotation: "mat3x3f" });
  const rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (const count of [-1, 1.5, 2 ** 32, NaN]) {
    assert.throws(() => S.pack([{ count: 0, rotation }, { count, rotation }]), {
      message: `Cannot pack S[1].count: ${count} is no u32`,
    });
  }
  assert.throws(
    () => S.pack([{ count: 0, rotation: [1, 2] }]),
    /S\[0\]\.rotation: 2 components, mat3x3f has 9/,
  );
  assert.throws(() => struct("I", { x: "i32" }).pack([{ x: 2 ** 31 }]), /2147483648 is no i32/);
  assert.throws(() => struct("Empty", {}), /no field/);
});

Deno.test("pack() and a kernel agree on every field, whatever their order", async () => {
  const gpu = await openGpu("software");
  const rounds = Deno.env.get("BENCH_SOAK") ? 200 : 6;
  for (let round = 0; round < rounds; round++) {
    const draws = stream(round, "struct order");
    // Every type once in random order, some behind a scalar that puts them off their alignment.
    const shuffled = SPECIFIED.map(([type]) => ({ type, at: draws.next() })).sort((a, b) => a.at - b.at);
    const spacer = (): FieldType[] => draws.next() < 0.5 ? ["f32"] : [];
    const types = shuffled.flatMap(({ type }) => [...spacer(), type]);
    const fields = Object.fromEntries(types.map((type, i) => [`f${i}`, type]));
    const S = struct("S", fields);
    const values = Array.from({ length: 3 }, () =>
      Object.fromEntries(types.map((type, i) => {
        const list = Array.from({ length: COMPONENTS[type] }, () => draws.integer(0, 1000));
        return [`f${i}`, COMPONENTS[type] === 1 ? list[0] : list];
        // deno-lint-ignore no-explicit-any
      })) as any);
    const expected = values.flatMap((value) => types.flatMap((_, i) => value[`f${i}`]));
    const perStruct = expected.length / 3;
    const kernel = await gpu.kernel({
      name: "test/fields",
      file: "fields.wgsl",
      structs: [S],
      code: `@group(0) @binding(0) var<storage, read> source: array<S>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;
@group(0) @binding(2) var<storage, read_write> copies: array<S>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
  let s = source[id.x];
  var next = id.x * ${perStruct}u;
${types.flatMap((type, i) => components(`s.f${i}`, type)).map(store).join("")}
${types.map((_, i) => `  copies[id.x].f${i} = source[id.x].f${i};\n`).join("")}}
`,
    });
    const source = gpu.upload("source", S.pack(values));
    const found = gpu.buffer("found", expected.length * 4);
    const copies = gpu.buffer("copies", source.byteLength);
    const [numbers, bytes] = await gpu.submit("fields", [kernel.dispatch({ source, found, copies }, [3])], [
      found,
      copies,
    ]);
    assert.deepEqual([...new Float32Array(numbers)], expected, `round ${round}: ${types}`);
    // The device's own stores land on the bytes that pack() wrote, and padding stays zero.
    assert.deepEqual(new Uint8Array(bytes), S.pack(values), `round ${round}: ${types}`);
    for (const buffer of [source, found, copies]) buffer.destroy();
  }
  gpu.close();
});

function components(path: string, type: FieldType): string[] {
  if (COMPONENTS[type] === 1) return [path];
  const rows = type === "mat3x3f" ? 3 : 4;
  if (type.startsWith("mat")) {
    return Array.from(
      { length: COMPONENTS[type] },
      (_, i) => `${path}[${Math.floor(i / rows)}][${i % rows}]`,
    );
  }
  return Array.from({ length: COMPONENTS[type] }, (_, i) => `${path}[${i}]`);
}

function store(expression: string): string {
  return `  found[next] = f32(${expression}); next++;\n`;
}
