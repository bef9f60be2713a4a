import assert from "node:assert/strict";
import { compositeOnWhite, decodePng } from "../../env/png.ts";
import { CLI_CONTEXT, type CliContext } from "../../cli.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { captureCli } from "../support/capture_cli.ts";
import { SHADOW_TASKS } from "../../tasks/embedded_shadow_tasks.ts";
import { withHandFile } from "../support/hand_glb.ts";
import { stubEnvironment } from "../support/shadow_stub.ts";
import { StubRenderer } from "../support/splat_stub.ts";
import { tasks } from "../../shadow/shadow_env.ts";

const [FIRST] = tasks();

/** Both benchmarks, without a device. */
const CONTEXT: CliContext = {
  ...CLI_CONTEXT,
  environments: {
    splat: () => Promise.resolve(splatEnvironment({ openRenderer: new StubRenderer().open })),
    shadow: ({ search = {} }) => Promise.resolve(stubEnvironment("blank", { search })),
  },
};

interface Line {
  kind: string;
  bench?: string;
  task_id?: string;
  baseline?: string;
  facts?: Record<string, unknown>;
}

async function lines(...args: string[]): Promise<Line[]> {
  const out = await Deno.makeTempDir();
  try {
    const where = args[0] === "eval" ? ["--out", out] : [];
    const { code, stdout, stderr } = await captureCli([...args, ...where, "--json"], CONTEXT);
    assert.equal(code, 0, stderr);
    return stdout.trim().split("\n").map((line) => JSON.parse(line));
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

const played = (all: readonly Line[]) =>
  all.flatMap(({ kind, bench, task_id }) => kind === "episode" ? [`${bench} ${task_id}`] : []);

Deno.test("eval without a benchmark plays those that have the tasks and the policies", async () => {
  const runs = ["--runs", "1"];
  assert.deepEqual(played(await lines("eval", "--tasks", FIRST, "--models", "builtin:rest", ...runs)), [
    `shadow ${FIRST}`,
  ]);
  assert.deepEqual(
    played(await lines("eval", "--tasks", "table__sculpt", "--models", "builtin:mean", ...runs)),
    [
      "splat table__sculpt",
    ],
  );
  const both = await lines("tasks", "list", "--tasks", `${FIRST},table__sculpt`);
  assert.deepEqual(both.map(({ bench, task_id }) => `${bench} ${task_id}`), [
    "splat table__sculpt",
    `shadow ${FIRST}`,
  ]);
});

Deno.test("a task that no benchmark has is named, as is a policy that none has", async () => {
  const unknown = await captureCli(["tasks", "list", "--tasks", `unicorn,${FIRST}`], CONTEXT);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Cannot find the task unicorn/);
  const left = ["--tasks", `table__sculpt,${FIRST}`, "--models", "builtin:mean", "--out", "/nowhere"];
  // ShadowBench has the task, and no such policy.
  assert.match(
    (await captureCli(["eval", ...left], CONTEXT)).stderr,
    new RegExp(`Cannot find the task ${FIRST}`),
  );
  const policy = await captureCli(["eval", "--models", "builtin:nobody", "--out", "/nowhere"], CONTEXT);
  assert.equal(policy.code, 2);
  assert.match(policy.stderr, /has no scripted policy of this name/);
});

Deno.test("tasks show finds the benchmark of a task, and tells nothing of its witness", async () => {
  const [shown] = await lines("tasks", "show", FIRST);
  assert.deepEqual([shown.kind, shown.bench, shown.task_id], ["task", "shadow", FIRST]);
  assert.deepEqual(Object.keys(shown.facts ?? {}), [
    "kind",
    "target_pixels",
    "limits",
    "brings_own_page",
    "brings_own_prompts",
  ]);
});

Deno.test("tasks show writes the opening picture as a player sees it, four panels", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const sheet = `${folder}/sheet.png`;
    const environments = { shadow: () => Promise.resolve(stubEnvironment("look")) };
    const shown = await captureCli(["tasks", "show", FIRST, "--sheet", sheet], { ...CONTEXT, environments });
    assert.equal(shown.code, 0, shown.stderr);
    const environment = stubEnvironment("look");
    const [task] = await environment.findTasks([FIRST]);
    const { image } = await (await environment.open(task, { id: "a", protocol: "standard" })).observe();
    assert.deepEqual(compositeOnWhite(decodePng(await Deno.readFile(sheet))), image);
    assert.deepEqual([image?.width, image?.height], [1024, 768]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a policy that cannot play a task says so before anything is written", async () => {
  const folder = await Deno.makeTempDir();
  const runs = `${folder}/runs`;
  const playWitness = (...args: string[]) =>
    captureCli(["eval", "shadow", "--models", "builtin:rest,builtin:witness", "--out", runs, ...args], {
      ...CONTEXT,
      environments: {
        shadow: ({ hand }) => Promise.resolve(stubEnvironment("blank", hand === null ? {} : { hand })),
      },
    });
  try {
    const { witness: _, hand: __, ...bare } = await SHADOW_TASKS.embedded[0].load();
    await Deno.writeTextFile(`${folder}/bare.json`, JSON.stringify({ ...bare, task_id: "bare" }));
    const played = await playWitness("--tasks", `${FIRST},${folder}/bare.json`);
    assert.equal(played.code, 2);
    assert.match(
      played.stderr,
      /^bench: Cannot play bare with the policy witness: its file holds no witness\.[^\n]*\n$/,
    );
    await withHandFile(({ positions }) => positions.setElement(0, [0, 0, 0]), async (file) => {
      const other = await playWitness("--tasks", FIRST, "--hand", file);
      assert.equal(other.code, 2);
      assert.match(
        other.stderr,
        new RegExp(`^bench: Cannot play ${FIRST} with the policy witness: its witness poses the hand`),
      );
    });
    await assert.rejects(Deno.stat(runs), Deno.errors.NotFound);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("baselines of shadow are rest and hull, those of the task file agree", async () => {
  const out = await captureCli(["baselines", "shadow", "--tasks", FIRST, "--evaluations", "0"], CONTEXT);
  assert.equal(out.code, 0, out.stderr);
  assert.match(out.stdout, /^Score +rest +hull/m);
  assert.match(out.stderr, /ShadowBench: 2 of 2 recorded scores agree/);
});

Deno.test("play takes joints as words, and slips in typing use no call", async () => {
  const { playCommand, playOptionsSchema } = await import("../../eval/play_command.ts");
  const folder = await Deno.makeTempDir();
  try {
    const typed = [
      "plan dog hands",
      "set_f right ring.mcp=40 little.mcp=30",
      "move left 0.01,0,0",
      "move left 0.01 0",
      "turn left w 10",
      "look below",
      "look top",
      "look 30 20",
      "submit",
    ];
    const printed: string[] = [];
    const console = {
      readLine: () => Promise.resolve(typed.shift() ?? null),
      print: (text: string) => void printed.push(text),
    };
    const options = playOptionsSchema.parse({
      protocol: "standard",
      runs: 1,
      out: `${folder}/runs`,
      pictures: `${folder}/pictures`,
      device: "auto",
    });
    const stop = new AbortController().signal;
    assert.equal(await playCommand(stubEnvironment(), FIRST, options, console, stop), 0);
    const text = printed.join("\n");
    assert.match(text, /Set the right hand: ring\.mcp 40° \(was 0°\), little\.mcp 30°/);
    assert.match(text, /Moved the left hand/);
    assert.match(text, /hands from azimuth 30° elevation 20°/);
    assert.equal(text.match(/^Not sent: /gm)?.length, 3);
    const file = `${folder}/runs/shadow/medium_effort/human@medium__${FIRST}/episode.json`;
    assert.equal(JSON.parse(await Deno.readTextFile(file)).calls, 6);
    assert.match(text, new RegExp(`Picture: .*human@medium__${FIRST}/04_look\\.png`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
