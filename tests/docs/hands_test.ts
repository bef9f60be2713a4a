import assert from "node:assert/strict";
import { join } from "node:path";
import { contactMesh } from "../../shadow/collision/contact_mesh.ts";
import { PosedSkin } from "../../shadow/collision/posed_skin.ts";
import { selfContact } from "../../shadow/collision/skin_contact.ts";
import { CONTROLS } from "../../shadow/hand/controls.ts";
import { SEGMENTS } from "../../shadow/hand/hand_model.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import { START_POSE } from "../../shadow/pose.ts";
import { anglesOf } from "../support/shadow_poses.ts";

const text = Deno.readTextFileSync(join(import.meta.dirname ?? ".", "../../docs/hands.md")).replaceAll(
  "−",
  "-",
);

/** Cells of the rows under a heading that begin with the name of a control. */
function controlRows(heading: string): string[][] {
  const [, section] = text.split(`## ${heading}\n`);
  const rows = section.split("\n## ")[0].split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", "")));
}

Deno.test("hands.md gives every control the range and direction it has", () => {
  const written = controlRows("Joint ranges").map(([name, range, positive]) => ({ name, range, positive }));
  const want = CONTROLS.map(({ name, min, max, positive }) => ({
    name,
    range: `${min}° to ${max}°`,
    positive,
  }));
  assert.deepEqual(written, want);
});

Deno.test("hands.md says where each control first makes contact on the default hand", async () => {
  const skin = new PosedSkin(contactMesh((await loadHands()).right));
  const contactAt = (name: string, angle: number) => {
    skin.place({ ...START_POSE.right, angles: anglesOf({ [name]: angle }) });
    return selfContact(skin)?.map((part) => SEGMENTS[part]).join(" ~ ") ?? "free";
  };
  const rows = controlRows("Contact limits");
  assert.deepEqual(rows.map(([name]) => name), CONTROLS.map(({ name }) => name));
  let contacts = 0;
  for (const [i, { name, min, max }] of CONTROLS.entries()) {
    for (const [cell, end] of [[rows[i][2], min], [rows[i][3], max]] as const) {
      if (cell === "free") {
        assert.equal(contactAt(name, end), "free", `${name} at ${end}°`);
        continue;
      }
      const [angle, pair] = cell.split("°, ");
      assert.equal(contactAt(name, Number(angle)), pair, `${name} at ${angle}°`);
      assert.equal(contactAt(name, Number(angle) - Math.sign(end) * 0.5), "free", `${name} before ${angle}°`);
      contacts++;
    }
  }
  assert.ok(contacts > 0);
});
