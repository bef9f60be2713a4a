import assert from "node:assert/strict";
import type { Gaussian, Scene } from "../../../splat/scene.ts";
import { STANDARD_LIMITS } from "../../../splat/task.ts";
import { isRefusal } from "../../../env/refusal.ts";
import { receivedArguments } from "../../../env/received_arguments.ts";
import { TOOL_BY_NAME } from "../../../splat/tools/table.ts";
import { stubTask } from "../../support/splat_stub.ts";

const ball = (id: number, group: string | null = null): Gaussian => ({
  id,
  mean: [0.1 * id, 0, 0],
  scale: [0.1, 0.1, 0.1],
  quaternion: [1, 0, 0, 0],
  color: [1, 0, 0],
  opacity: 1,
  group,
});
const SCENE: Scene = [ball(3, "leg"), ball(4, "leg"), ball(7)];
const FULL: Scene = Array.from({ length: 299 }, (_, i) => ball(i + 1));

const good = { pos: [0, 0, 0], scale: 0.1 };
const add = (...gaussians: unknown[]) => ({ gaussians });
const withField = (field: string, value: unknown) => add(good, good, { ...good, [field]: value });

async function run(tool: string, args: unknown, scene: Scene = SCENE) {
  const found = TOOL_BY_NAME.get(tool);
  assert.ok(found);
  const task = { ...stubTask(), limits: STANDARD_LIMITS };
  const painter = {
    referenceViews: () => Promise.reject(new Error("must not render")),
    fromCamera: () => Promise.reject(new Error("must not render")),
  };
  return await found.run(receivedArguments(args), { task, scene, nextId: 400, painter });
}

/** Tool, arguments, kind, text; null arguments of the scene mean `SCENE`. */
const REFUSED: [string, unknown, string, string, Scene?][] = [
  // Wrong types.
  ["add_gaussians", [], "bad_value", "arguments: must be an object, got []"],
  [
    "add_gaussians",
    "{}",
    "bad_value",
    'arguments: must be an object, got "{}"; send JSON itself, not a text that holds JSON',
  ],
  ["add_gaussians", {}, "bad_value", "gaussians: is missing"],
  ["add_gaussians", null, "bad_value", "gaussians: is missing"],
  ["add_gaussians", add("ball"), "bad_value", 'gaussians[0]: must be an object, got "ball"'],
  [
    "add_gaussians",
    { gaussians: '[{"pos":[0,0,0]}]' },
    "bad_value",
    'gaussians: must be a list, got "[{\\"pos\\":[0,0,0]}]"; send JSON itself, not a text that holds JSON',
  ],
  ["add_gaussians", add(good, { scale: 0.1 }), "bad_value", "gaussians[1].pos: is missing"],
  [
    "add_gaussians",
    withField("pos", [0, 0]),
    "bad_value",
    "gaussians[2].pos: must have exactly 3 entries, got [0,0]",
  ],
  [
    "add_gaussians",
    withField("pos", [0, 0, "a"]),
    "bad_value",
    'gaussians[2].pos[2]: must be a number, got "a"',
  ],
  [
    "add_gaussians",
    withField("pos", [0, null, 0]),
    "bad_value",
    "gaussians[2].pos[1]: must be a number, got null",
  ],
  [
    "add_gaussians",
    withField("scale", "big"),
    "bad_value",
    'gaussians[2].scale: must be a number or [x, y, z], each > 0, got "big"',
  ],
  [
    "add_gaussians",
    withField("opacity", true),
    "bad_value",
    "gaussians[2].opacity: must be a number, got true",
  ],
  ["add_gaussians", withField("group", 7), "bad_value", "gaussians[2].group: must be a string, got 7"],
  // NaN and infinities, as JSON's 1e999 gives them, and huge numbers.
  [
    "add_gaussians",
    withField("pos", [0, Infinity, 0]),
    "bad_value",
    'gaussians[2].pos[1]: must be a number, got "Infinity"',
  ],
  [
    "add_gaussians",
    JSON.parse('{"gaussians":[{"pos":[0,0,0],"scale":1e999}]}'),
    "bad_value",
    'gaussians[0].scale: must be a number or [x, y, z], each > 0, got "Infinity"',
  ],
  [
    "add_gaussians",
    withField("opacity", NaN),
    "bad_value",
    'gaussians[2].opacity: must be a number, got "NaN"',
  ],
  [
    "add_gaussians",
    withField("pos", [0, 0, -10.5]),
    "bad_value",
    "gaussians[2].pos[2]: must be ≥ -10, got -10.5",
  ],
  [
    "add_gaussians",
    withField("pos", [1e300, 0, 0]),
    "bad_value",
    "gaussians[2].pos[0]: must be ≤ 10, got 1e+300",
  ],
  [
    "add_gaussians",
    withField("scale", [0.1, 11, 0.1]),
    "bad_value",
    "gaussians[2].scale[1]: must be ≤ 10, got 11",
  ],
  // Scales, rotations, colours, labels.
  ["add_gaussians", withField("scale", -0.1), "bad_value", "gaussians[2].scale: must be > 0, got -0.1"],
  ["add_gaussians", withField("scale", 0), "bad_value", "gaussians[2].scale: must be > 0, got 0"],
  [
    "add_gaussians",
    withField("scale", [0.1, 0.2]),
    "bad_value",
    "gaussians[2].scale: must have exactly 3 entries, got [0.1,0.2]",
  ],
  [
    "add_gaussians",
    withField("quat", [0, 0, 0, 0]),
    "bad_value",
    "gaussians[2].quat: must not be zero, got [0,0,0,0]",
  ],
  [
    "add_gaussians",
    withField("quat", [1, 0, 0]),
    "bad_value",
    "gaussians[2].quat: must have exactly 4 entries, got [1,0,0]",
  ],
  [
    "add_gaussians",
    withField("color", "red"),
    "bad_value",
    'gaussians[2].color: must look like "#805e31", got "red"',
  ],
  [
    "add_gaussians",
    withField("color", [0, 0, 128]),
    "bad_value",
    "gaussians[2].color[2]: must be ≤ 1, got 128",
  ],
  [
    "add_gaussians",
    withField("color", [0, -0.1, 0]),
    "bad_value",
    "gaussians[2].color[1]: must be ≥ 0, got -0.1",
  ],
  [
    "add_gaussians",
    withField("color", 5),
    "bad_value",
    'gaussians[2].color: must be "#rrggbb" or [r, g, b], each 0 to 1, got 5',
  ],
  ["add_gaussians", withField("opacity", 1.01), "bad_value", "gaussians[2].opacity: must be ≤ 1, got 1.01"],
  [
    "add_gaussians",
    withField("group", ""),
    "bad_value",
    'gaussians[2].group: must have at least 1 character, got ""',
  ],
  [
    "add_gaussians",
    withField("group", "a\nb"),
    "bad_value",
    'gaussians[2].group: must be one line of plain characters, got "a\\nb"',
  ],
  [
    "add_gaussians",
    add({ ...good, quat: [1, 0, 0, 0], euler_deg: [0, 0, 0] }),
    "bad_value",
    "gaussians[0]: give quat or euler_deg, not both, got an object {pos, scale, quat, euler_deg}",
  ],
  // Several problems: three of them, each slip once, and how many more there are.
  [
    "add_gaussians",
    add({ pos: [0, 0, 0], scale: -1 }, { pos: 3, scale: 1 }),
    "bad_value",
    "gaussians[0].scale: must be > 0, got -1; gaussians[1].pos: must be a list, got 3",
  ],
  [
    "add_gaussians",
    add({ ...good, opacity: 2, color: "red" }, { scale: 0 }, { ...good, quat: [1] }),
    "bad_value",
    'gaussians[0].color: must look like "#805e31", got "red"; gaussians[0].opacity: must be ≤ 1, got 2; ' +
    "gaussians[1].pos: is missing (and 2 more)",
  ],
  [
    "add_gaussians",
    add(...Array(250).fill({ pos: [0, 0, 0] }), { ...good, opacity: 7 }),
    "bad_value",
    "gaussians[0].scale: is missing; gaussians[250].opacity: must be ≤ 1, got 7 (and 249 more)",
  ],
  [
    "add_gaussians",
    add({ ...good, colour: "#fff", alpha: 1 }),
    "unknown_field",
    'gaussians[0]: has no fields "colour" (did you mean color?), "alpha" (did you mean opacity?) (fields: pos, scale, quat, euler_deg, color, opacity, group)',
  ],
  [
    "add_gaussians",
    add({ ...good, a: 1, colour: 1, b: 2, c: 3, d: 4 }),
    "unknown_field",
    'gaussians[0]: has no fields "a", "colour" (did you mean color?), "b" and 2 more (fields: pos, scale, quat, euler_deg, color, opacity, group)',
  ],
  // A required field under another name, and one that is missing beside a stray field of another entry.
  [
    "add_gaussians",
    add(good, { position: [0, 0, 0], scale: 1 }),
    "unknown_field",
    'gaussians[1]: has no field "position"; did you mean pos? (fields: pos, scale, quat, euler_deg, color, opacity, group); gaussians[1].pos: is missing',
  ],
  [
    "add_gaussians",
    add({ scale: 1 }, { ...good, colour: "#fff" }),
    "bad_value",
    'gaussians[0].pos: is missing; gaussians[1]: has no field "colour"; did you mean color? (fields: pos, scale, quat, euler_deg, color, opacity, group)',
  ],
  // Unknown nested fields, prototype keys.
  [
    "add_gaussians",
    withField("colour", "#fff"),
    "unknown_field",
    'gaussians[2]: has no field "colour"; did you mean color? (fields: pos, scale, quat, euler_deg, color, opacity, group)',
  ],
  [
    "add_gaussians",
    withField("opactiy", 1),
    "unknown_field",
    'gaussians[2]: has no field "opactiy"; did you mean opacity? (fields: pos, scale, quat, euler_deg, color, opacity, group)',
  ],
  [
    "add_gaussians",
    JSON.parse('{"gaussians":[{"pos":[0,0,0],"scale":1,"__proto__":{"opacity":0}}]}'),
    "unknown_field",
    'gaussians[0]: has no field "__proto__" (fields: pos, scale, quat, euler_deg, color, opacity, group)',
  ],
  [
    "add_gaussians",
    withField("constructor", 1),
    "unknown_field",
    'gaussians[2]: has no field "constructor" (fields: pos, scale, quat, euler_deg, color, opacity, group)',
  ],
  // Counts.
  ["add_gaussians", add(), "bad_value", "gaussians: must have at least 1 entry, got []"],
  [
    "add_gaussians",
    add(...Array(301).fill(good)),
    "bad_value",
    "gaussians: must have at most 300 entries, got a list of 301",
  ],
  [
    "add_gaussians",
    add(good, good),
    "too_many_gaussians",
    "gaussians: 299 in the scene and 2 new make 301; the limit is 300",
    FULL,
  ],
  // Ids.
  ["edit_gaussians", { edits: [] }, "bad_value", "edits: must have at least 1 entry, got []"],
  ["edit_gaussians", { edits: [{ opacity: 1 }] }, "bad_value", "edits[0].id: is missing"],
  [
    "edit_gaussians",
    { edits: [{ id: 3.5, opacity: 1 }] },
    "bad_value",
    "edits[0].id: must be a whole number, got 3.5",
  ],
  [
    "edit_gaussians",
    { edits: [{ id: 3 }] },
    "bad_value",
    "edits[0]: must change at least one field besides id, got an object {id}",
  ],
  [
    "edit_gaussians",
    { edits: [{ id: 3, opacity: 1 }, { id: 5, opacity: 1 }] },
    "unknown_id",
    "edits[1].id: there is no Gaussian 5; ids in the scene: 3-4, 7",
  ],
  [
    "edit_gaussians",
    { edits: [{ id: 3, opacity: 1 }, { id: 3, scale: 1 }] },
    "duplicate_id",
    "edits[1].id: 3 comes twice",
  ],
  ["delete_gaussians", { ids: [] }, "bad_value", "ids: must have at least 1 entry, got []"],
  ["delete_gaussians", { ids: [7, 7] }, "duplicate_id", "ids[1]: 7 comes twice"],
  ["delete_gaussians", { ids: [1] }, "unknown_id", "ids[0]: there is no Gaussian 1; the scene is empty", []],
  [
    "delete_gaussians",
    { ids: [3, 1, 3, 8, 7, 9] },
    "unknown_id",
    "ids[1]: there is no Gaussian 1; ids[2]: 3 comes twice; ids[3]: there is no Gaussian 8 (and 1 more); " +
    "ids in the scene: 3-4, 7",
  ],
  // Texts: none but those of whole numbers.
  ["delete_gaussians", { ids: ["leg"] }, "bad_value", 'ids[0]: must be a number, got "leg"'],
  [
    "delete_gaussians",
    { ids: ["3.0", "03"] },
    "bad_value",
    'ids[0]: must be a number, got "3.0"; ids[1]: must be a number, got "03"',
  ],
  [
    "delete_gaussians",
    { ids: ["8"] },
    "unknown_id",
    "ids[0]: there is no Gaussian 8; ids in the scene: 3-4, 7",
  ],
  ["render_views", { views: ["-1"] }, "bad_value", 'views[0]: must be ≥ 0, got "-1"'],
  // transform_group.
  ["transform_group", { scale: 2 }, "bad_value", "arguments: give group or ids"],
  [
    "transform_group",
    { group: "leg", ids: [3], scale: 2 },
    "bad_value",
    "arguments: give group or ids, not both",
  ],
  [
    "transform_group",
    { group: "leg" },
    "bad_value",
    "arguments: give at least one of translate, rotate, quat, scale",
  ],
  [
    "transform_group",
    { group: "leg", quat: [1, 0, 0, 0], rotate: { axis: "z", degrees: 1 } },
    "bad_value",
    "arguments: give rotate or quat, not both",
  ],
  [
    "transform_group",
    { group: "arm", scale: 2 },
    "unknown_group",
    'group: no Gaussian has the label "arm"; labels: "leg"',
  ],
  [
    "transform_group",
    { group: "arm", scale: 2 },
    "unknown_group",
    'group: no Gaussian has the label "arm"; no Gaussian has a label',
    [],
  ],
  [
    "transform_group",
    { group: "leg", rotate: { axis: [0, 0, 0], degrees: 9 } },
    "bad_value",
    "rotate.axis: must not be zero, got [0,0,0]",
  ],
  [
    "transform_group",
    { group: "leg", rotate: { axis: "w", degrees: 9 } },
    "bad_value",
    'rotate.axis: must be "x", "y", "z" or a direction [x, y, z], got "w"',
  ],
  [
    "transform_group",
    { group: "leg", rotate: { axis: "z", angle: 9 } },
    "unknown_field",
    'rotate: has no field "angle"; did you mean degrees? (fields: axis, degrees); rotate.degrees: is missing',
  ],
  ["transform_group", { group: "leg", scale: -1 }, "bad_value", "scale: must be ≥ 0.001, got -1"],
  [
    "transform_group",
    { group: "leg", translate: [9.7, 0, 0] },
    "out_of_bounds",
    "arguments: Gaussian 4 would get centre [10.1, 0, 0] and scale [0.1, 0.1, 0.1]; centres must stay within 10 of the origin on each axis, scales above 0 and at most 10",
  ],
  [
    "transform_group",
    { group: "leg", scale: 1000 },
    "out_of_bounds",
    "arguments: Gaussian 3 would get centre [-49.65, 0, 0] and scale [100, 100, 100]; centres must stay within 10 of the origin on each axis, scales above 0 and at most 10",
  ],
  // Views and angles.
  ["render_views", { views: [] }, "bad_value", "views: must have at least 1 entry, got []"],
  ["render_views", { views: [0, 8] }, "bad_value", "views[1]: must be 0 to 7, got 8"],
  ["render_views", { views: [2, 2] }, "bad_value", "views[1]: 2 comes twice"],
  [
    "render_views",
    { views: [9, 2, 2, 8, 2] },
    "bad_value",
    "views[0]: must be 0 to 7, got 9; views[2]: 2 comes twice; views[3]: must be 0 to 7, got 8 (and 1 more)",
  ],
  ["render_views", { views: 3 }, "bad_value", "views: must be a list, got 3"],
  ["view_references", { views: [-1] }, "bad_value", "views[0]: must be ≥ 0, got -1"],
  ["render_angle", { azimuth: 30 }, "bad_value", "elevation: is missing"],
  ["render_angle", { azimuth: 30, elevation: 91 }, "bad_value", "elevation: must be ≤ 90, got 91"],
  ["render_angle", { azimuth: 30, elevation: 0, distance: 0 }, "bad_value", "distance: must be ≥ 0.5, got 0"],
];

for (const [tool, args, kind, text, scene] of REFUSED) {
  Deno.test(`${tool} refuses: ${text.slice(0, 90)}`, async () => {
    const outcome = await run(tool, args, scene);
    assert.ok(isRefusal(outcome));
    assert.deepEqual({ kind: outcome.refused, text: outcome.text }, { kind, text });
  });
}

Deno.test("ids and views may be texts of whole numbers, and their schemas say integers all the same", async () => {
  for (
    const [tool, asText, asNumber] of [
      ["delete_gaussians", { ids: ["3", 7] }, { ids: [3, 7] }],
      ["transform_group", { ids: ["7", "4"], scale: 2 }, { ids: [7, 4], scale: 2 }],
      ["edit_gaussians", { edits: [{ id: "4", opacity: 0 }] }, { edits: [{ id: 4, opacity: 0 }] }],
      ["view_references", { views: ["0", "6"] }, { views: [0, 6] }],
    ] as const
  ) {
    const outcome = await run(tool, asText);
    assert.ok(!isRefusal(outcome), tool);
    assert.deepEqual(outcome, await run(tool, asNumber));
    assert.match(JSON.stringify(TOOL_BY_NAME.get(tool)?.spec.parameters), /"type":"integer"/);
  }
});

Deno.test("add_gaussians says that its arguments were too large", async () => {
  const outcome = await run("add_gaussians", { gaussians: "x".repeat(10_000_000) });
  assert.ok(isRefusal(outcome));
  assert.equal(
    outcome.text,
    'gaussians: must be a list, got "(left out: the call holds over 1000000 characters or 50000 values)"',
  );
});

Deno.test("add_gaussians refuses 10 MB and a thousand nested lists in well under a second, in a short line", async () => {
  const deep = JSON.parse(`${"[".repeat(1000)}${"]".repeat(1000)}`);
  const huge: unknown[] = [
    { gaussians: "x".repeat(10_000_000) },
    { gaussians: Array.from({ length: 400_000 }, () => ({ pos: [0, 0, 0], scale: 1 })) },
    { gaussians: [{ ...good, ["k".repeat(10_000_000)]: 1 }] },
    { gaussians: [{ ...good, group: deep }] },
    "y".repeat(10_000_000),
  ];
  for (const args of huge) {
    const start = performance.now();
    const outcome = await run("add_gaussians", args);
    assert.ok(performance.now() - start < 500, "slow");
    assert.ok(isRefusal(outcome) && outcome.text.length < 300 && !outcome.text.includes("\n"), "long");
  }
});
