import assert from "node:assert/strict";
import { assembleShader, parseBindings } from "../../gpu/shader.ts";
import { struct } from "../../gpu/struct_layout.ts";

Deno.test("assembleShader() maps every line back to its piece", () => {
  const S = struct("S", { x: "f32", y: "f32" });
  const pieces = [
    { file: "a_lib.wgsl", code: "// a1\n// a2\n" },
    { file: "b_lib.wgsl", code: "// b1\n\n// b3" }, // no line break at the end
  ];
  const shader = assembleShader([S], pieces, { file: "k.wgsl", code: "// k1\n// k2" });
  const lines = shader.code.split("\n");
  for (
    const [text, file, line] of [["// a2", "a_lib.wgsl", 2], ["// b3", "b_lib.wgsl", 3], [
      "// k1",
      "k.wgsl",
      1,
    ]]
  ) {
    assert.deepEqual(shader.locate(lines.indexOf(`${text}`) + 1), { file, line });
  }
  assert.deepEqual(shader.locate(1), { file: "struct S", line: 1 });
  assert.deepEqual(shader.locate(lines.indexOf("// k2") + 1), { file: "k.wgsl", line: 2 });
  assert.deepEqual(shader.locate(lines.length), { file: "k.wgsl", line: 3 }, "the end of the text");
});

Deno.test("parseBindings() reads number, name and access of each storage variable", () => {
  const code = `
// @group(0) @binding(9) var<storage, read> commented: f32;
/* @group(0) @binding(8) var<storage> out_too: f32; */
@group(0) @binding(0) var<storage, read> means: array<vec3f>;
@group(0) @binding(3)
  var<storage,read_write> counts: array<atomic<u32>>;
@group(0) @binding(1) var<storage> plain: f32;
override SIZE: u32 = 64u;
fn f() {}
@group( 0u ) @binding( 2u ) var < storage , read_write > last : f32;
`;
  assert.deepEqual(parseBindings({ file: "k.wgsl", code }), [
    { binding: 0, name: "means", access: "read" },
    { binding: 3, name: "counts", access: "read_write" },
    { binding: 1, name: "plain", access: "read" },
    { binding: 2, name: "last", access: "read_write" },
  ]);
});

Deno.test("parseBindings() points at a binding it cannot serve", () => {
  const parse = (code: string) => () => parseBindings({ file: "k.wgsl", code });
  assert.throws(
    parse("\n\n@group(0) @binding(0) var<uniform> camera: vec4f;"),
    /k\.wgsl:3: .*no storage binding/,
  );
  assert.throws(
    parse("@group(1) @binding(0) var<storage> x: f32;"),
    /k\.wgsl:1: .*no storage binding of group 0/,
  );
  const twice = "@group(0) @binding(0) var<storage> x: f32;\n@group(0) @binding(0) var<storage> y: f32;";
  assert.throws(parse(twice), /k\.wgsl:2: binding 0 is declared twice/);
});
