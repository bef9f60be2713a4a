import assert from "node:assert/strict";
import { dataLayout } from "../../tasks/data_layout.ts";
import { memorySource } from "../support/memory_source.ts";

const PATHS = [
  "README.md",
  "data/bench/tasks/table__sculpt.json",
  "episodes/high_effort-00000-of-00001.parquet",
  "episodes/medium_effort-00000-of-00002.parquet",
  "episodes/medium_effort-00001-of-00002.parquet",
  "images/a.png",
  "tasks/test.jsonl",
];

async function layoutOf(readme: string | null, paths: readonly string[] = PATHS) {
  const layout = await dataLayout({
    name: "data",
    revision: null,
    paths: readme === null ? paths.filter((path) => path !== "README.md") : paths,
    open: () => Promise.resolve(memorySource(new TextEncoder().encode(readme ?? ""))),
  });
  return Object.fromEntries([...layout].map(([config, splits]) => [config, Object.fromEntries(splits)]));
}

const NAMED = {
  episodes: {
    high_effort: ["episodes/high_effort-00000-of-00001.parquet"],
    medium_effort: [
      "episodes/medium_effort-00000-of-00002.parquet",
      "episodes/medium_effort-00001-of-00002.parquet",
    ],
  },
  tasks: { test: ["tasks/test.jsonl"] },
};

Deno.test("dataLayout() goes by names without README, without YAML, and without configs in it", async () => {
  for (const readme of [null, "# Data\n", "---\nlicense: mit\n---\n# Data\n", "---\n---\n"]) {
    assert.deepEqual(await layoutOf(readme), NAMED, String(readme));
  }
});

Deno.test("dataLayout() goes by the README's YAML in all the forms that data sets have", async () => {
  const forms: [string, unknown][] = [
    ["- {config_name: e, data_files: [{split: medium, path: episodes/medium_effort-*}]}", {
      e: { medium: NAMED.episodes.medium_effort },
    }],
    ["- {config_name: e, data_files: [{split: all, path: [episodes/high*, episodes/medium*1-of*]}]}", {
      e: { all: [NAMED.episodes.high_effort[0], NAMED.episodes.medium_effort[1]] },
    }],
    ["- {config_name: tasks, data_files: 'tasks/**'}", { tasks: { train: ["tasks/test.jsonl"] } }],
    ["- {config_name: any, data_dir: episodes}", { any: NAMED.episodes }],
    ["- {config_name: tasks}", { tasks: NAMED.tasks }],
    ["- {config_name: e, data_files: [{split: gone, path: episodes/gone-*}]}", { e: { gone: [] } }],
  ];
  for (const [config, layout] of forms) {
    assert.deepEqual(await layoutOf(`---\nlicense: mit\nconfigs:\n${config}\n---\n`), layout, config);
  }
  // As Windows writes it.
  assert.deepEqual(await layoutOf(`\ufeff---\r\nconfigs:\r\n- config_name: tasks\r\n---\r\n`), {
    tasks: NAMED.tasks,
  });
});
