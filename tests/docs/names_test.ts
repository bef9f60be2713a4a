import assert from "node:assert/strict";
import { join } from "node:path";
import * as mod from "../../mod.ts";

Deno.test("names.md names only what mod.ts exports and what its environments do", () => {
  const text = Deno.readTextFileSync(join(import.meta.dirname ?? ".", "../../docs/names.md"));
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  const types = ["CallOutcome"];
  let checked = 0;
  for (const row of rows) {
    const [, , here, note] = row.split("|").map((cell) => cell.trim());
    if (here === "–") continue;
    const [, onEnv, name] = here.match(/^`(?:new |await )*(env\.)?(\w+)/) ?? [];
    const methods = onEnv && /likewise/.test(note) ? [name, ...words(note)] : [name];
    for (const method of methods) {
      const envs = [mod.SplatEnv.prototype, mod.ShadowEnv.prototype];
      if (onEnv) assert.ok(envs.some((env) => method in env), `no environment has ${method}`);
      else assert.ok(method in mod || types.includes(method), `mod.ts exports no ${method}`);
      checked++;
    }
  }
  assert.ok(checked >= 28, `${checked} names`);
  for (const name of ["SYSTEM_PROMPT", "TOOL_SPECS"]) assert.ok(name in mod.prompts && text.includes(name));
});

const words = (note: string): string[] => [...note.matchAll(/`(\w+)`/g)].map(([, word]) => word);
