import assert from "node:assert/strict";
import { join } from "node:path";
import { compositeOnWhite, decodePng } from "../../env/png.ts";
import { CLI_CONTEXT } from "../../cli.ts";
import { taskLineSchema } from "../../eval/json_output.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";
import { TOY_TASKS, toyEnvironment } from "../support/toy_environment.ts";

const toy = { ...CLI_CONTEXT, environments: { toy: () => Promise.resolve(toyEnvironment()) } };
const lines = (text: string) => text.trimEnd().split("\n");

Deno.test("bench tasks list prints a line for each of the twelve embedded tasks", async () => {
  const { code, stdout, stderr } = await captureCli(["tasks", "list", "splat"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const [head, ...rows] = lines(stdout);
  assert.match(head, /^id +kind +title +licence +subset +source$/);
  assert.equal(rows.length, 12);
  assert.match(rows[0], /^snowman__sculpt +build +Build the snowman +CC BY 4\.0 +yes +embedded$/);
  assert.equal(rows.filter((row) => / reassembly /.test(row)).length, 6);
  assert.equal(rows.filter((row) => / yes /.test(row)).length, 8);
});

Deno.test("bench tasks list --json prints the documented lines, of chosen tasks", async () => {
  const { stdout } = await captureCli(["tasks", "list", "--json", "--tasks", "table*"]);
  const tasks = lines(stdout).map((line) => taskLineSchema.parse(JSON.parse(line)));
  assert.deepEqual(tasks.map(({ task_id, facts }) => [task_id, facts.kind, facts.start_gaussians]), [
    ["table__sculpt", "build", 0],
    ["table__assemble", "reassembly", 300],
  ]);
  const document = await Deno.readTextFile(new URL("../../docs/json_output.md", import.meta.url));
  for (const key of [...Object.keys(tasks[0]), ...Object.keys(tasks[0].facts)]) {
    assert.ok(document.includes(`\`${key}\``), `docs/json_output.md does not tell of ${key}`);
  }
});

Deno.test("bench tasks show tells of a task, nothing hidden, and writes its sheet", async () => {
  await withFolder(async (folder) => {
    const sheet = join(folder, "sheet.png");
    const { code, stdout, stderr } = await captureCli([
      "tasks",
      "show",
      "rocket__assemble",
      "--sheet",
      sheet,
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^id +rocket__assemble\ntitle +Reassemble the rocket\n/);
    assert.match(stdout, /\nlimits +gaussians 300, calls 40, renders 16\n/);
    assert.match(stdout, /\n\nThe object in the photos has been taken apart.*\nview 7: azimuth 315°/s);
    assert.doesNotMatch(stdout, /degrees|translate|pivot/);
    const { width, height } = decodePng(await Deno.readFile(sheet));
    assert.ok(width > 4 * 256 && height > 2 * 256);
    const again = ["tasks", "show", "table__sculpt", "--sheet", sheet];
    const before = await Deno.readFile(sheet);
    const refused = await captureCli(again);
    assert.deepEqual([refused.code, refused.stdout], [2, ""]);
    assert.match(refused.stderr, /Cannot write .*sheet\.png: it is there already/);
    assert.deepEqual(await Deno.readFile(sheet), before);
    assert.equal((await captureCli([...again, "--force"])).code, 0);
    assert.notDeepEqual(await Deno.readFile(sheet), before);
    const bad = await captureCli([
      "tasks",
      "show",
      "rocket__assemble",
      "--sheet",
      join(folder, "no/sheet.png"),
    ]);
    assert.deepEqual([bad.code, lines(bad.stderr).length], [2, 1]);
    assert.match(bad.stderr, /Cannot write .*sheet\.png/);
  });
});

Deno.test("bench tasks says in one line what is wrong", async () => {
  for (
    const [args, line] of [
      [["show", "tabel__sculpt"], /Cannot find the task tabel__sculpt.*Did you mean table__sculpt/],
      [
        ["show", "girafe.json"],
        /Cannot find the task girafe\.json: no benchmark has it.*Did you mean giraffe\?/,
      ],
      [["show", "zzz"], /: no benchmark has it.*\. splat has snowman__sculpt, .*; shadow has .*dog, /],
      [
        ["show", "table*"],
        /Cannot choose one task by table\*: it names 2 tasks\. Name one, e\.g\. table__sculpt/,
      ],
      [["list", "chess"], /Cannot run the benchmark "chess": there is no such benchmark\. There is splat/],
      [["show"], /missing required argument 'task'/],
    ] as const
  ) {
    const { code, stdout, stderr } = await captureCli(["tasks", ...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, line);
  }
});

Deno.test("bench tasks lists and shows tasks of an environment that describes none", async () => {
  const { stdout } = await captureCli(["tasks", "list"], toy);
  assert.match(stdout, /^cross +– +cross +MIT +yes +embedded$/m);
  const shown = await captureCli(["tasks", "show", "cross"], toy);
  assert.match(shown.stdout, /^protocols +standard, one_call$/m);
  await withFolder(async (folder) => {
    const path = join(folder, "x.png");
    const sheet = await captureCli(["tasks", "show", "cross", "--sheet", path], toy);
    assert.match(sheet.stderr, /^cross: opening picture in /);
    const opening = await (await toyEnvironment().open(TOY_TASKS[0], { id: "a", protocol: "standard" }))
      .observe();
    assert.deepEqual(compositeOnWhite(decodePng(await Deno.readFile(path))), opening.image);
  });
});
