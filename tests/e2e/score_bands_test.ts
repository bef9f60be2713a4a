/** The embedded tasks' scores lie where the benchmark's description puts them. */
import assert from "node:assert/strict";
import { fitRecipeHash } from "../../splat/fit/recipe.ts";
import { TASK_FITS } from "../../splat/fit/task_fits.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { loadTask } from "../../splat/load_task.ts";
import type { EnvironmentDefinition, TaskInfo } from "../../env/environment.ts";
import type { PolicyView } from "../../env/policy.ts";

/** Plays a policy to its end; returns the score and the tools it called. */
async function play(environment: EnvironmentDefinition, name: string, task: TaskInfo, protocol = "standard") {
  const policy = await environment.policies[name](task, 1);
  const episode = await environment.open(task, { id: name, protocol });
  const opening = await episode.observe();
  const history: PolicyView["history"][number][] = [];
  while (!episode.done) {
    for (const call of await policy({ opening, tools: episode.tools, history })) {
      history.push({ call, outcome: await episode.call(call.name, call.arguments) });
    }
  }
  assert.ok(history.every(({ outcome }) => outcome.accepted), name);
  const { score } = await episode.result();
  return { score: score ?? NaN, calls: history.length };
}

Deno.test("builtin:oracle scores 99 to 101 on every embedded task, in a few calls", async () => {
  const environment = splatEnvironment();
  try {
    const tasks = await environment.findTasks([]);
    assert.equal(tasks.length, 12);
    const played = await Promise.all(tasks.map((task) => play(environment, "oracle", task)));
    for (const [at, { score, calls }] of played.entries()) {
      assert.ok(score >= 99 && score <= 101, `${tasks[at].id}: ${score}`);
      // Three calls of 100 Gaussians, or a move for each of six parts; and the submit.
      assert.equal(calls, tasks[at].id.endsWith("sculpt") ? 4 : 7);
    }
    const [table] = await environment.findTasks(["table__sculpt"]);
    const shot = await play(environment, "oracle", table, "one_shot");
    assert.ok(shot.calls === 1 && shot.score >= 99, `one shot: ${shot.score}`);
  } finally {
    environment.close();
  }
});

Deno.test("baselines average 0, −5 to 15, 60 to 75, 100 and below −20 over the embedded tasks", async () => {
  const environment = splatEnvironment();
  try {
    const scores = new Map<string, number[]>();
    for (const task of await environment.findTasks([])) {
      const named = Object.entries(environment.baselines).map(async ([name, state]) => ({
        name,
        state: await state(task),
      }));
      const present = (await Promise.all(named)).filter(({ state }) => state !== null);
      const scored = await environment.scoreStates(task, present.map(({ state }) => state));
      for (const [at, { name }] of present.entries()) {
        scores.set(name, [...scores.get(name) ?? [], scored[at].score ?? NaN]);
      }
    }
    const bands = {
      empty: [0, 0],
      mean: [-5, 15],
      fit_64: [60, 75],
      fit_300: [100, 100],
      scrambled: [-200, -20],
    };
    assert.deepEqual([...scores.keys()], Object.keys(bands));
    for (const [name, [low, high]] of Object.entries(bands)) {
      const own = scores.get(name) ?? [];
      assert.equal(own.length, name === "scrambled" ? 6 : 12);
      const mean = own.reduce((sum, score) => sum + score, 0) / own.length;
      assert.ok(mean >= low && mean <= high, `${name}: ${mean}`);
    }
  } finally {
    environment.close();
  }
});

Deno.test("embedded fits carry the hash of the recipes that the program has", async () => {
  const { fits } = await loadTask("tree__sculpt");
  assert.deepEqual(
    fits.map(({ gaussians, recipeHash }) => ({ gaussians, recipeHash })),
    TASK_FITS.map((recipe) => ({ gaussians: recipe.gaussians, recipeHash: fitRecipeHash(recipe) })),
  );
});
