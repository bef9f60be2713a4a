/** What a script without types hands over by mistake: a line that says what is wanted, never a TypeError. */
import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { loadTask } from "../../splat/load_task.ts";
import { taskVariant } from "../../splat/protocols.ts";
import { SplatEnv } from "../../splat/splat_env.ts";
import { StubRenderer, stubTask } from "../support/splat_stub.ts";

// deno-lint-ignore no-explicit-any
type Untyped = any;

const options = { openRenderer: new StubRenderer().open };
const half: Untyped = { ...stubTask(), reference: [] };

const WRONG: Record<string, [call: (value: Untyped) => unknown, values: unknown[], line: RegExp]> = {
  "SplatEnv.reset": [
    (task) => new SplatEnv(options).reset(task),
    [{}, null, undefined, "table__sculpt", 5, half, stubTask().info],
    /^Cannot play what is no task: .*Load one first, e\.g\. await loadTask\("table__sculpt"\)$/,
  ],
  "taskVariant": [
    async (task) => await taskVariant(task, "standard"),
    [{}, null, "table__sculpt", half],
    /^Cannot play what is no task: /,
  ],
  "loadTask": [
    loadTask,
    [5, null, undefined, {}, ["table__sculpt"]],
    /^Cannot find a task by (null|a value of type \w+): ids, paths and URLs are texts\. Name one, e\.g\. "/,
  ],
  "findTasks": [
    (selector) => splatEnvironment(options).findTasks([selector]),
    [5, null, stubTask()],
    /^Cannot find a task by /,
  ],
};

for (const [name, [call, values, line]] of Object.entries(WRONG)) {
  Deno.test(`${name}() says what it wants when it gets something else`, async () => {
    for (const value of values) {
      await assert.rejects(async () => await call(value), (error) => {
        assert.ok(error instanceof BenchError, `${value}: ${error}`);
        assert.match(error.message, line);
        return !error.message.includes("\n");
      });
    }
  });
}

Deno.test("SplatEnv.call() does not run a tool without a name", async () => {
  const env = new SplatEnv(options);
  await env.reset(stubTask());
  for (const tool of [undefined, null, 5, {}, Symbol("submit")] as Untyped[]) {
    const outcome = await env.call(tool, {});
    assert.equal(outcome.notRun, "unknown_tool");
    assert.match(outcome.text, /^Not run: there is no tool that is \w+\. The tools are add_gaussians, /);
  }
});
