import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { plainLine, plainText } from "../../env/plain_text.ts";

// Pictures of controls as Unicode 16.0, chapter 26.1, has them: U+2400 + code, U+2421 for DEL.
const CASES = [
  ["\x1b[31mred\x1b[0m", "␛[31mred␛[0m"],
  ["\x1b]0;title\x07", "␛]0;title␇"],
  ["a\0b\x7f", "a␀b␡"],
  ["\x9b1m", "\ufffd1m"],
  ["\u202egnp.exe\u2066", "\ufffdgnp.exe\ufffd"],
  ["é × 🙂 – “ok”", "é × 🙂 – “ok”"],
];

Deno.test("plainText() makes visible what a terminal would obey, and leaves the rest", () => {
  for (const [text, plain] of CASES) assert.equal(plainText(text), plain);
  assert.equal(plainText("a\nb\r"), "a\nb␍");
});

Deno.test("plainLine() makes one line of a text, and BenchError speaks in it", () => {
  assert.equal(plainLine("a\r\n\tb\u2028c"), "a b c");
  const error = new BenchError({ what: "Cannot\x1b[2J do", why: "x\ny", fix: "z\x07" });
  assert.equal(error.message, "Cannot␛[2J do: x y. z␇");
});
