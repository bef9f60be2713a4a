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

Deno.test("readTyped() waits for more while brackets or quotes are open", () => {
  const lines = ["add {", '"gaussians": [{"pos": [0, 0, 1],', '"color": "a ] b"', "}]", "}"];
  for (let n = 1; n < lines.length; n++) {
    assert.deepEqual(readTyped(lines.slice(0, n).join("\n"), TOOLS), { incomplete: true });
  }
  assert.deepEqual(readTyped(lines.join("\n"), TOOLS), {
    call: { name: "add_gaussians", arguments: { gaussians: [{ pos: [0, 0, 1], color: "a ] b" }] } },
  });
});
