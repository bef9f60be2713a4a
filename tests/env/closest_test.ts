import assert from "node:assert/strict";
import { closestNames } from "../../env/closest.ts";

Deno.test("closestNames() finds transposed, missing and partial letters, nearest first", () => {
  const names = ["table__sculpt", "tree__sculpt", "robot__sculpt"];
  assert.deepEqual(closestNames("tabel__sculpt", names)[0], "table__sculpt");
  assert.deepEqual(closestNames("Robot", names), ["robot__sculpt"]);
  assert.deepEqual(closestNames("trees_sculpt", names)[0], "tree__sculpt");
  assert.deepEqual(closestNames("zebra", names), []);
  assert.deepEqual(closestNames("", names), []);
});
