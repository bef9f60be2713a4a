import assert from "node:assert/strict";
import { explainCompileMessage } from "../../gpu/compile_message.ts";

// The messages are what Deno 2.9.6 (naga) says; the places were read off the code frames by eye.

Deno.test("explainCompileMessage() points at the statement when the compiler blames a whole function", () => {
  const message = `
Shader validation error: Function [1] 'f' is invalid
  ┌─ :3:1
  │  
3 │ ╭ fn f(a: f32) -> f32 {
4 │ │   let x = 1.0;
5 │ │   if (a > 1.0) { return 1u; }
  │ │                         ^^ naga::ir::Expression [4]
6 │ │   return 2.0;
7 │ │ }
  │ ╰─^ naga::ir::Function [1]
  │  
  = The \`return\` expression Some([4]) does not match the declared return type Some([0])

`;
  assert.deepEqual(explainCompileMessage({ message, lineNum: 3, linePos: 1 }), {
    line: 5,
    column: 25,
    sentence: "Shader validation error: Function [1] 'f' is invalid; " +
      "The `return` expression Some([4]) does not match the declared return type Some([0])",
  });
});

Deno.test("explainCompileMessage() keeps the compiler's place and its label of a validation error", () => {
  const message = `
Shader validation error: Entry point main at Compute is invalid
  ┌─ :3:3
  │
3 │   o[0] = 1.0;
  │   ^^^^ writing to this location is not permitted
  │
  = The pointer [1] doesn't relate to a valid destination for a store

`;
  assert.deepEqual(explainCompileMessage({ message, lineNum: 3, linePos: 3 }), {
    line: 3,
    column: 3,
    sentence: "Shader validation error: Entry point main at Compute is invalid; " +
      "writing to this location is not permitted; The pointer [1] doesn't relate to a valid destination for a store",
  });
});

Deno.test("explainCompileMessage() keeps the headline of a parse error", () => {
  const message = `
Shader 'some/kernel' parsing error: expected expression, found ";"
  ┌─ wgsl:3:10
  │
3 │  let a = ; }
  │          ^ expected expression

`;
  assert.deepEqual(explainCompileMessage({ message, lineNum: 3, linePos: 10 }), {
    line: 3,
    column: 10,
    sentence: 'parsing error: expected expression, found ";"',
  });
});
