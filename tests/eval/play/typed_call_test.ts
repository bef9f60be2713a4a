import assert from "node:assert/strict";
import { readTyped } from "../../../eval/play/typed_call.ts";
import type { ToolSpec } from "../../../env/observation.ts";

const list = (type: string) => ({ type: "array", items: { type } });
const tool = (name: string, properties: Record<string, unknown>): ToolSpec => ({
  name,
  description: `${name}.`,
  parameters: { type: "object", properties },
});
const TOOLS: readonly ToolSpec[] = [
  tool("add_gaussians", {
    gaussians: {
      type: "array",
      items: { type: "object", properties: { pos: list("number"), scale: { type: "number" }, color: {} } },
    },
  }),
  tool("delete_gaussians", { ids: list("integer") }),
  tool("transform_group", {
    group: { type: "string" },
    ids: list("integer"),
    translate: list("number"),
    rotate: { type: "object" },
  }),
  tool("render_views", { views: list("integer") }),
  tool("render_angle", { azimuth: { type: "number" }, elevation: { type: "number" } }),
  tool("set_fingers", { hand: { type: "string" }, joints: { type: "object", properties: {} } }),
  tool("look", { view: { anyOf: [{ type: "string" }, { type: "object" }] } }),
  tool("submit", {}),
];

for (
  const [text, name, args] of [
    ["submit", "submit", {}],
    ["set_f right ring.mcp=40 little.mcp=-2.5", "set_fingers", {
      hand: "right",
      joints: { "ring.mcp": 40, "little.mcp": -2.5 },
    }],
    ['set_f left {"ring.mcp":40}', "set_fingers", { hand: "left", joints: { "ring.mcp": 40 } }],
    ["set_f ring.mcp=40 hand=left", "set_fingers", { hand: "left", joints: { "ring.mcp": 40 } }],
    ["look top", "look", { view: "top" }],
    ['look {"azimuth":30,"elevation":10}', "look", { azimuth: 30, elevation: 10 }],
    ['look view={"azimuth":30,"elevation":10}', "look", { view: { azimuth: 30, elevation: 10 } }],
    ["  submit {}  ", "submit", {}],
    ['add_gaussians {"gaussians": []}', "add_gaussians", { gaussians: [] }],
    ["render_views 0 1 6 7", "render_views", { views: [0, 1, 6, 7] }],
    ["render_views 0,1,6", "render_views", { views: [0, 1, 6] }],
    ["render_views [3]", "render_views", { views: [3] }],
    ["render_views views=2,3", "render_views", { views: [2, 3] }],
    ["del 4 5", "delete_gaussians", { ids: [4, 5] }],
    ["render_a 45 -20", "render_angle", { azimuth: 45, elevation: -20 }],
    ["render_angle elevation=10 45", "render_angle", { azimuth: 45, elevation: 10 }],
    ["add pos=0,0,.5 scale=0.1 color=#805e31", "add_gaussians", {
      gaussians: [{ pos: [0, 0, 0.5], scale: 0.1, color: "#805e31" }],
    }],
    ["add 0,0,1 0.2 ; 1,0,0 0.3 red", "add_gaussians", {
      gaussians: [{ pos: [0, 0, 1], scale: 0.2 }, { pos: [1, 0, 0], scale: 0.3, color: "red" }],
    }],
    ['add pos=[0, 0, 1] color="dark red"', "add_gaussians", {
      gaussians: [{ pos: [0, 0, 1], color: "dark red" }],
    }],
    ['tr part_1 translate=0,0,-0.2 rotate={"axis": "z", "degrees": 90}', "transform_group", {
      group: "part_1",
      translate: [0, 0, -0.2],
      rotate: { axis: "z", degrees: 90 },
    }],
    ["tr ids=1,2 translate=1,0,0", "transform_group", { ids: [1, 2], translate: [1, 0, 0] }],
  ] as const
) {
  Deno.test(`readTyped() reads ${text}`, () => {
    assert.deepEqual(readTyped(text, TOOLS), { call: { name, arguments: args } });
  });
}

for (
  const [text, problem] of [
    ["render 0", /render may be render_views, render_angle/],
    ["paint 1", /there is no tool paint; there is add_gaussians, /],
    ['submit {"a": }', /not valid JSON/],
    ["render_angle 1 2 3", /no argument for 3/],
    ["submit now", /no argument for now/],
  ] as const
) {
  Deno.test(`readTyped() says what is wrong with ${text}`, () => {
    const typed = readTyped(text, TOOLS);
    assert.ok("problem" in typed);
    assert.match(typed.problem, problem);
  });
}

/** As the benchmarks' own tools have them: closed lists of names, choices, lengths. */
const STRICT: readonly ToolSpec[] = [
  {
    name: "move_hand",
    description: "Moves.",
    parameters: {
      type: "object",
      properties: { hand: { enum: ["right", "left"] }, by: { ...list("number"), minItems: 3, maxItems: 3 } },
      required: ["hand"],
    },
  },
  {
    name: "look",
    description: "Looks.",
    parameters: {
      type: "object",
      properties: {
        view: {
          anyOf: [{ type: "string", enum: ["front", "side"] }, {
            type: "object",
            properties: { azimuth: { type: "number" }, elevation: { type: "number" } },
            required: ["azimuth", "elevation"],
          }],
        },
      },
    },
  },
  {
    name: "set_fingers",
    description: "Sets.",
    parameters: {
      type: "object",
      properties: {
        hand: { enum: ["right", "left"] },
        joints: {
          type: "object",
          properties: { "ring.mcp": { type: "number" }, "ring.pip": { type: "number" } },
        },
      },
      required: ["hand", "joints"],
    },
  },
  {
    name: "plan",
    description: "Plans.",
    parameters: {
      type: "object",
      properties: { subject: { type: "string" }, arrangement: { type: "string" } },
      required: ["subject", "arrangement"],
    },
  },
  {
    name: "turn_hand",
    description: "Turns.",
    parameters: {
      type: "object",
      properties: {
        axis: { anyOf: [{ enum: ["x", "y"] }, { ...list("number"), minItems: 3, maxItems: 3 }] },
        degrees: { type: "number" },
      },
      required: ["axis", "degrees"],
    },
  },
];

const ANGLES = { view: { azimuth: 30, elevation: -20 } };
const BY = { hand: "left", by: [-0.15, 0, 0.5] };

for (
  const [text, args] of [
    ["look 30 -20", ANGLES],
    ["look azimuth=30 elevation=-20", ANGLES],
    ["look elevation=-20 azimuth=30", ANGLES],
    ["look azimuth 30 elevation -20", ANGLES],
    ["look view 30 -20", ANGLES],
    ["look side", { view: "side" }],
    ["look", {}],
    ["move left by -0.15 0 .5", BY],
    ["move left -0.15 0 .5", BY],
    ["move by -0.15,0,0.5 hand left", BY],
    ["turn 0 1 0 30", { axis: [0, 1, 0], degrees: 30 }],
    ["turn axis x degrees 30", { axis: "x", degrees: 30 }],
    ["set right ring.mcp 40 ring.pip=-3", { hand: "right", joints: { "ring.mcp": 40, "ring.pip": -3 } }],
    ["plan 3 hands", { subject: "3", arrangement: "hands" }],
    ['plan "a subject" "true"', { subject: "a subject", arrangement: "true" }],
  ] as const
) {
  Deno.test(`readTyped() reads ${text}, with names as words and several numbers for one argument`, () => {
    const typed = readTyped(text, STRICT);
    assert.ok("call" in typed, JSON.stringify(typed));
    assert.deepEqual(typed.call.arguments, args);
  });
}

for (
  const [text, problem] of [
    [
      "look sideways",
      /^view is "front" or "side", or azimuth and elevation, got "sideways"\. look is typed as: look front$/,
    ],
    ["look 30", /^view is .* got 30\./],
    ["look azimuth=30", /^view is .* got \{"azimuth":30\}\./],
    ["look distance=2", /^there is no argument distance\./],
    ["move", /^hand is missing\. move_hand is typed as: move_hand right by=10,0,0$/],
    ["move left 0.1 0", /^by is 3 numbers, got \[0\.1,0\]\./],
    ["move left bx=1,0,0", /^there is no argument bx \(did you mean by\?\)\./],
    ["move middle 1,0,0", /^hand is "right" or "left", got "middle"\./],
    [
      "set right ring.mpc=40",
      /^there is no argument ring\.mpc \(did you mean ring\.mcp\?\)\. .* right ring\.mcp=10 ring\.pip=10$/,
    ],
    ["set right ring.mcp=bent", /^joints is /],
    ["plan dog", /^arrangement is missing\. plan is typed as: plan "some subject" "some arrangement"$/],
    ["plan dog one hand", /^there is no argument for hand\./],
    ["turn z 30", /^axis is "x" or "y", or 3 numbers, got "z"\./],
  ] as const
) {
  Deno.test(`readTyped() keeps back ${text}, and shows how it is typed`, () => {
    const typed = readTyped(text, STRICT);
    assert.ok("problem" in typed, JSON.stringify(typed));
    assert.match(typed.problem, problem);
  });
}

Deno.test("readTyped() passes JSON on as it stands", () => {
  const args = { hand: "middle", speed: [1] };
  const typed = readTyped(`move ${JSON.stringify(args)}`, STRICT);
  assert.deepEqual(typed, { call: { name: "move_hand", arguments: args } });
});

Deno.test("readTyped() waits for more while brackets or quotes are open", () => {
  const lines = ["add {", '"gaussians": [{"pos": [0, 0, 1],', '"color": "a ] b"', "}]", "}"];
  for (let n = 1; n < lines.length; n++) {
    assert.deepEqual(readTyped(lines.slice(0, n).join("\n"), TOOLS), { incomplete: true });
  }
  assert.deepEqual(readTyped(lines.join("\n"), TOOLS), {
    call: { name: "add_gaussians", arguments: { gaussians: [{ pos: [0, 0, 1], color: "a ] b" }] } },
  });
});
