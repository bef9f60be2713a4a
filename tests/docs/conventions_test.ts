import assert from "node:assert/strict";
import { join } from "node:path";
import { ALIASES } from "../../shadow/hand/controls.ts";
import { RENDER_PROFILES } from "../../splat/render/profile.ts";

const text = Deno.readTextFileSync(join(import.meta.dirname ?? ".", "../../docs/conventions.md"));

/** Cells of the table whose head starts with these words. */
function table(head: string): string[][] {
  const [, rest] = text.split(`| ${head}`);
  assert.ok(rest, head);
  const lines = `| ${head}${rest}`.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", ""))
  );
}

function written(value: unknown): string[] {
  if (typeof value === "boolean") return [value ? "yes" : "no"];
  if (value === 0) return ["0", "none"];
  if (value === 1 / 255) return ["1/255"];
  return typeof value === "number" ? [String(value), value.toExponential()] : [String(value)];
}

Deno.test("conventions.md gives every profile the values it has, and every knob in which they differ", () => {
  const [[, ...heads], , ...rows] = table("knob ");
  const names = heads.map((head) => head.split(" ")[0]);
  assert.deepEqual(names, Object.keys(RENDER_PROFILES));
  const profiles = names.map((name) =>
    Object.entries(RENDER_PROFILES).find(([known]) => known === name)?.[1]
  );
  const knobs = rows.map(([knob]) => knob.split(",")[0]);
  rows.forEach(([, ...cells], row) =>
    cells.forEach((cell, column) => {
      const value: unknown = Reflect.get(profiles[column] ?? {}, knobs[row]);
      assert.ok(written(value).includes(cell), `${knobs[row]} of ${names[column]} is ${value}, not ${cell}`);
    })
  );
  for (const knob of Object.keys(RENDER_PROFILES.torch)) {
    const values = new Set(profiles.map((profile) => JSON.stringify(Reflect.get(profile ?? {}, knob))));
    assert.ok(values.size === 1 || knobs.includes(knob), `${knob} differs between profiles`);
  }
});

Deno.test("conventions.md lists the controls in the order of a pose's angles", () => {
  const [, list] = /in the order\s+of\s+`ALIASES`:([^:]*?)Equal numbers/.exec(text) ?? [];
  const names = Array.from((list ?? "").matchAll(/`([\w.]+)`/g), ([, name]) => name);
  const joints = names.slice(-4);
  const fingers = names.slice(-8, -4);
  const listed = [
    ...names.slice(0, -8),
    ...fingers.flatMap((finger) => joints.map((joint) => `${finger}.${joint}`)),
  ];
  assert.deepEqual(listed, ALIASES);
});
