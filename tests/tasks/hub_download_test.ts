import assert from "node:assert/strict";
import { join } from "node:path";
import { fetchData } from "../../tasks/hub_download.ts";
import { localRevision } from "../../tasks/hub_cache.ts";
import { fileAnswer, type RawAnswer, unrulyServer } from "../support/unruly_server.ts";
import { COMMIT, hubStandIn, type StandInOptions, withVariables } from "../support/hub_stand_in.ts";

const ID = "org/splat-data";
const bytes = (length: number, seed: number) => Uint8Array.from({ length }, (_, i) => (i * 31 + seed) % 251);
const FILES = {
  "README.md": new TextEncoder().encode("# Data\n"),
  "LICENSE.md": new TextEncoder().encode("CC BY 4.0\n"),
  "episodes/medium_effort-00000-of-00001.parquet": bytes(5000, 1),
  "steps/medium_effort-00000-of-00002.parquet": bytes(300_000, 2),
  "steps/medium_effort-00001-of-00002.parquet": bytes(20_000, 3),
  "steps/one_shot-00000-of-00001.parquet": bytes(7000, 4),
  "data/bench/tasks/table__sculpt.json": bytes(900, 5),
};
const FAST = { pauseMs: 1, stallMs: 2000 };
const WISH = { id: ID, revision: "main", configs: [], splits: [] };

async function withHub(
  options: Partial<StandInOptions>,
  test: (out: string, hub: ReturnType<typeof hubStandIn>) => Promise<void>,
): Promise<void> {
  await using hub = hubStandIn({ id: ID, files: FILES, ...options });
  const out = await Deno.makeTempDir();
  try {
    await withVariables(
      { HF_ENDPOINT: hub.url, HF_TOKEN: options.token ?? null, HF_HUB_OFFLINE: null },
      () => test(out, hub),
    );
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

async function assertHolds(out: string, paths: readonly string[]): Promise<void> {
  const there: string[] = [];
  for await (const path of walk(out)) there.push(path);
  assert.deepEqual(there.sort(), paths.toSorted());
  for (const path of paths) {
    assert.deepEqual(
      await Deno.readFile(join(out, path)),
      Object.entries(FILES).find(([key]) => key === path)?.[1],
    );
  }
}

async function* walk(folder: string, below = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    if (name === ".cache") continue;
    if (isDirectory) yield* walk(folder, path);
    else yield path;
  }
}

Deno.test("fetchData() fetches every file of one commit, and nothing the second time", async () => {
  await withHub({ token: "hf_secret" }, async (out, hub) => {
    const total = Object.values(FILES).reduce((sum, file) => sum + file.length, 0);
    const first = await fetchData({ ...WISH, out }, FAST);
    assert.deepEqual(first, { commit: COMMIT, files: 7, cached: 0, bytes: total });
    await assertHolds(out, Object.keys(FILES));
    assert.equal(await localRevision(out), COMMIT);
    const asked = hub.asked().length;
    assert.equal((await fetchData({ ...WISH, out }, FAST)).cached, 7);
    assert.equal(hub.asked().length, asked);
  });
});

Deno.test("fetchData() fetches configs and splits by name, and documents with them", async () => {
  await withHub({}, async (out) => {
    await fetchData({ ...WISH, configs: ["steps"], splits: ["medium_effort"], out }, FAST);
    await assertHolds(out, Object.keys(FILES).filter((path) => /\.md$|steps\/medium/.test(path)));
    await assert.rejects(fetchData({ ...WISH, configs: ["setps"], out }, FAST), {
      message:
        "Cannot download org/splat-data: it has no config setps; it has episodes, steps. Name one of them",
    });
  });
});

Deno.test("fetchData() survives dropped connections and 429 with Retry-After, and continues parts", async () => {
  let dropped = 0;
  let refused = 0;
  await withHub({
    misbehave: ({ file, range }, answer) => {
      if (file.startsWith("episodes") && refused++ === 0) {
        return { status: 429, headers: { "retry-after": "0" } };
      }
      if (file !== "steps/medium_effort-00000-of-00002.parquet" || dropped++ >= 3) return answer;
      assert.equal(range !== null, dropped > 1, "the second try asks for what is missing");
      return { ...answer, breakAfter: 70_000 };
    },
  }, async (out, hub) => {
    await fetchData({ ...WISH, out }, FAST);
    await assertHolds(out, Object.keys(FILES));
    assert.equal(dropped, 4);
    assert.equal(refused, 2);
    const ranges = hub.requests.filter(({ path }) => path.includes("00000-of-00002")).map(({ range }) =>
      range
    );
    assert.deepEqual(ranges, [null, "bytes=70000-", "bytes=140000-", "bytes=210000-"]);
  });
});

Deno.test("fetchData() continues in a later call what an earlier one left behind", async () => {
  let calls = 0;
  await withHub({
    misbehave: ({ file }, answer) =>
      file.includes("00000-of-00002") && calls++ === 0 ? { ...answer, breakAfter: 100_000 } : answer,
  }, async (out, hub) => {
    await assert.rejects(
      fetchData({ ...WISH, out }, { ...FAST, attempts: 1 }),
      /connection broke|100000 of 300000 bytes/,
    );
    await fetchData({ ...WISH, out }, FAST);
    await assertHolds(out, Object.keys(FILES));
    const ranges = hub.requests.filter(({ path }) => path.includes("00000-of-00002")).map(({ range }) =>
      range
    );
    assert.deepEqual(ranges, [null, "bytes=100000-"]);
  });
});

Deno.test("fetchData() keeps nothing of a file that is not the one listed", async () => {
  const lie = "episodes/medium_effort-00000-of-00001.parquet";
  const other = bytes(5000, 9);
  for (
    const [misbehave, why] of [
      [(answer: RawAnswer) => ({ ...answer, body: other }), /its sha256 is [0-9a-f]{64}, wanted/],
      [
        (answer: RawAnswer) => ({ ...answer, headers: { ...answer.headers, "content-length": 4000 } }),
        /sha256 is|more than the 4000 bytes/,
      ],
      [
        (answer: RawAnswer) => ({ ...answer, headers: { ...answer.headers, "content-length": 9000 } }),
        /ended after 5000 of 9000 bytes|connection broke|other bytes than/,
      ],
    ] as const
  ) {
    await withHub(
      { misbehave: ({ file }, answer) => file === lie ? misbehave(answer) : answer },
      async (out) => {
        await assert.rejects(
          fetchData({ ...WISH, out }, { ...FAST, attempts: 2 }),
          (error: Error & { exitCode?: number }) => {
            assert.match(error.message, why);
            return error.exitCode === 4;
          },
        );
        assert.equal(await Deno.stat(join(out, lie)).catch(() => null), null);
      },
    );
  }
  const readme = new TextEncoder().encode("# Other\n");
  await withHub({
    misbehave: ({ file }, answer) =>
      file === "README.md" ? { ...answer, headers: { "content-length": 8 }, body: readme } : answer,
  }, async (out) => {
    await assert.rejects(
      fetchData({ ...WISH, out }, FAST),
      /README\.md: 8 bytes came, .* not the 7 that the hub lists/,
    );
  });
});

Deno.test("fetchData() follows to where files are stored, and leaves the token behind", async () => {
  const file = "steps/one_shot-00000-of-00001.parquet";
  await using storage = unrulyServer((request) => fileAnswer(FILES[file], request));
  // Another host by name, as far as a client can tell.
  const location = `${storage.url.replace("127.0.0.1", "localhost")}/blob`;
  await withHub({
    token: "hf_secret",
    misbehave: (request, answer) => request.file === file ? { status: 302, headers: { location } } : answer,
  }, async (out) => {
    await fetchData({ ...WISH, out }, FAST);
    await assertHolds(out, Object.keys(FILES));
    assert.deepEqual(storage.requests.map(({ headers }) => headers.get("authorization")), [null]);
  });
});

Deno.test("fetchData() says in one line what is wrong with the hub", async () => {
  await withHub({}, async (out) => {
    await assert.rejects(fetchData({ ...WISH, id: "org/none", out }, FAST), /no such data set .*HF_TOKEN/);
    await withVariables(
      { HF_HUB_OFFLINE: "1" },
      () => assert.rejects(fetchData({ ...WISH, out }, FAST), /HF_HUB_OFFLINE is set/),
    );
  });
  await withHub({ token: "right" }, async (out) => {
    await withVariables(
      { HF_TOKEN: "wrong" },
      () =>
        assert.rejects(fetchData({ ...WISH, out }, FAST), /refuses with 401\. Check the name and HF_TOKEN/),
    );
  });
  await withHub({ list: (_, entry) => ({ ...entry, rfilename: "../outside" }) }, async (out) => {
    await assert.rejects(fetchData({ ...WISH, out }, FAST), /\.\.\/outside would lie outside/);
  });
});

Deno.test("fetchData() replaces no file that another program put there, and fetches nothing beside it", async () => {
  await withHub({}, async (out) => {
    for (const path of ["README.md", "steps/one_shot-00000-of-00001.parquet"]) {
      await Deno.mkdir(join(out, "steps"), { recursive: true });
      await Deno.writeTextFile(join(out, path), "mine");
      await assert.rejects(fetchData({ ...WISH, out }, FAST), /Cannot write \S+: it is there already.*--out/);
      assert.equal(await Deno.readTextFile(join(out, path)), "mine");
      const there: string[] = [];
      for await (const found of walk(out)) there.push(found);
      assert.deepEqual(there, [path]);
      await Deno.remove(join(out, path));
    }
  });
});
