import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { BenchError, EXIT } from "../../env/errors.ts";
import { cacheFolder } from "../../tasks/cache_folder.ts";
import { download } from "../../tasks/download.ts";
import { fileAnswer, type FileRequest, type RawAnswer, unrulyServer } from "../support/unruly_server.ts";
import { withFolder } from "../support/with_folder.ts";

/** 300 kB that no two places of are alike. */
const FILE = Uint8Array.from({ length: 300_007 }, (_, i) => (Math.imul(i, 2654435761) >>> 13) & 255);
const SHA256 = createHash("sha256").update(FILE).digest("hex");
const QUICK = { attempts: 4, pauseMs: 1, stallMs: 2000 };

Deno.test("download() stores the file whole and leaves nothing beside it", () =>
  withServer((request) => fileAnswer(FILE, request), async ({ url, path, requests }) => {
    let last: [number, number | null] = [0, null];
    const done = await download(url, path, {
      ...QUICK,
      sha256: SHA256,
      progress: (...seen) => last = seen,
    });
    assert.deepEqual(done, { path, bytes: FILE.length, sha256: SHA256, cached: false });
    assertBytes(await Deno.readFile(path), FILE);
    assert.deepEqual(last, [FILE.length, FILE.length]);
    assert.deepEqual(await names(path), ["file.bin"]);
    assert.equal((await download(url, path, { ...QUICK, sha256: SHA256.slice(0, 8) })).cached, true);
    assert.equal(requests.length, 1);
  }));

Deno.test("download() goes on where a connection broke, as often as it breaks", () =>
  withServer(
    (request) => ({ ...fileAnswer(FILE, request), breakAfter: 40_000 }),
    async ({ url, path, requests }) => {
      const { sha256 } = await download(url, path, { ...QUICK, attempts: 2, sha256: SHA256 });
      assert.equal(sha256, SHA256);
      assert.deepEqual(requests.map(({ range }) => range), [
        null,
        ...Array.from({ length: 7 }, (_, i) => `bytes=${40_000 * (i + 1)}-`),
      ]);
    },
  ));

Deno.test("download() continues in a later call what an earlier one began", () =>
  withServer(
    (request) => ({ ...fileAnswer(FILE, request), ...(request.index < 1 ? { breakAfter: 100_000 } : {}) }),
    async ({ url, path, requests }) => {
      await assert.rejects(download(url, path, { ...QUICK, attempts: 1, sha256: SHA256 }), BenchError);
      assert.deepEqual(await names(path), ["file.bin.part", "file.bin.part.json"]);
      await download(url, path, { ...QUICK, sha256: SHA256 });
      assert.equal(requests[1].range, "bytes=100000-");
      assertBytes(await Deno.readFile(path), FILE);
    },
  ));

Deno.test("download() begins anew when the file changed on the server, and never mixes two versions", () => {
  const newer = FILE.map((byte) => byte ^ 255);
  const answer = (request: FileRequest): RawAnswer =>
    request.index === 0
      ? { ...fileAnswer(FILE, request, '"old"'), breakAfter: 100_000 }
      : fileAnswer(newer, request, '"new"');
  return withServer(answer, async ({ url, path }) => {
    await download(url, path, { ...QUICK, sha256: null });
    assertBytes(await Deno.readFile(path), newer);
  });
});

Deno.test("download() takes the whole file from a server that ignores Range", () =>
  withServer((request) => ({
    ...fileAnswer(FILE, { ...request, range: null }),
    ...(request.index === 0 ? { breakAfter: 50_000 } : {}),
  }), async ({ url, path }) => {
    await download(url, path, { ...QUICK, sha256: SHA256 });
    assertBytes(await Deno.readFile(path), FILE);
  }));

Deno.test("download() begins anew without an ETag, and gives up on a server that breaks each time", () =>
  withServer(({ index }) => ({
    status: index < 20 ? 200 : 404,
    headers: { "content-length": FILE.length },
    body: FILE,
    breakAfter: 70_000,
  }), async ({ url, path, requests }) => {
    const error = await refusal(url, path, { sha256: SHA256 });
    assert.match(
      error.message,
      /^Cannot download http\S+: the connection .* \(4 tries\)\. Check the network/,
    );
    assert.ok(requests.every(({ range }) => range === null));
    assert.ok(requests.length <= 5);
  }));

Deno.test("download() does not believe wrong ranges, nor answers that are longer than announced", async () => {
  const shifted = (request: FileRequest): RawAnswer => {
    if (request.index === 0) return { ...fileAnswer(FILE, request), breakAfter: 1000 };
    const answer = fileAnswer(FILE, request);
    const lie = { "content-range": `bytes 900-${FILE.length - 1}/${FILE.length}` };
    return request.range === null ? answer : { ...answer, headers: { ...answer.headers, ...lie } };
  };
  await withServer(shifted, async ({ url, path, requests }) => {
    await download(url, path, { ...QUICK, sha256: SHA256 });
    assert.deepEqual(requests.map(({ range }) => range), [null, "bytes=1000-", null]);
    assertBytes(await Deno.readFile(path), FILE);
  });
  const longer = (request: FileRequest): RawAnswer => {
    if (request.index === 0) return { ...fileAnswer(FILE, request), breakAfter: 1000 };
    const rest = new Uint8Array(FILE.length);
    const headers = {
      "content-length": rest.length,
      "content-range": `bytes 1000-${FILE.length - 1}/${FILE.length}`,
      etag: '"v1"',
    };
    return request.range === null ? fileAnswer(FILE, request) : { status: 206, headers, body: rest };
  };
  await withServer(longer, async ({ url, path }) => {
    await download(url, path, { ...QUICK, sha256: SHA256 });
    assertBytes(await Deno.readFile(path), FILE);
  });
});

Deno.test("download() refuses a length that never comes, in one line", () =>
  withServer((request) => {
    const answer = fileAnswer(FILE, request);
    if (answer.status === 416) return answer;
    const total = FILE.length + 10;
    const first = Number(/\d+/.exec(request.range ?? "0")?.[0]);
    return {
      ...answer,
      headers: {
        ...answer.headers,
        "content-length": total - first,
        "content-range": `bytes ${first}-${total - 1}/${total}`,
      },
    };
  }, async ({ url, path }) => {
    const error = await refusal(url, path, { sha256: SHA256 });
    assert.equal(error.exitCode, EXIT.infrastructure);
    assert.doesNotMatch(error.message, /\n/);
  }));

Deno.test("download() waits and asks again on 429 and 503, as long as the server says", () =>
  withServer(
    (request) =>
      request.index === 0
        ? { status: 429, headers: { "retry-after": "1" } }
        : request.index === 1
        ? { status: 503 }
        : fileAnswer(FILE, request),
    async ({ url, path, requests }) => {
      const start = performance.now();
      await download(url, path, { ...QUICK, sha256: SHA256 });
      assert.equal(requests.length, 3);
      assert.ok(performance.now() - start >= 1000);
    },
  ));

Deno.test("download() gives up on 404 at once", () =>
  withServer(() => ({ status: 404 }), async ({ url, path, requests }) => {
    const error = await refusal(url, path, { sha256: SHA256 });
    assert.match(error.message, /the server answers 404/);
    assert.equal(requests.length, 1);
  }));

Deno.test("download() keeps nothing of a file with a wrong checksum and says both", () =>
  withServer((request) => fileAnswer(FILE, request), async ({ url, path }) => {
    const wanted = "0".repeat(64);
    const error = await refusal(url, path, { sha256: wanted });
    assert.match(error.message, new RegExp(`sha256 is ${SHA256}, wanted ${wanted}`));
    assert.deepEqual(await names(path), []);
  }));

Deno.test("download() says in one line that there is no network", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  await withFolder(async (folder) => {
    const error = await refusal(`http://127.0.0.1:${port}/x`, join(folder, "file.bin"), { sha256: null });
    assert.equal(error.exitCode, EXIT.infrastructure);
    assert.match(
      error.message,
      /^Cannot download \S+: the connection broke \(.*\) \(4 tries\)\. Check the network/,
    );
  });
});

Deno.test("download() leaves a silent connection and continues", () =>
  withServer((request) => ({
    ...fileAnswer(FILE, request),
    ...(request.index === 0 ? { breakAfter: 5000, hang: true } : {}),
  }), async ({ url, path, requests }) => {
    await download(url, path, { ...QUICK, stallMs: 200, sha256: SHA256 });
    assert.deepEqual(requests.map(({ range }) => range), [null, "bytes=5000-"]);
  }));

Deno.test("download() of one file twice at once asks the server once", () =>
  withServer((request) => fileAnswer(FILE, request), async ({ url, path, requests }) => {
    const options = { ...QUICK, sha256: SHA256 };
    const both = await Promise.all([download(url, path, options), download(url, path, options)]);
    assert.deepEqual(both.map(({ cached }) => cached).sort(), [false, true]);
    assert.equal(requests.length, 1);
    assert.deepEqual(await names(path), ["file.bin"]);
  }));

Deno.test("cacheFolder() follows BENCH_CACHE, then the system's custom", () => {
  const folder = (os: typeof Deno.build.os, variables: Record<string, string>) =>
    cacheFolder({ os, get: (name) => variables[name] });
  assert.equal(folder("linux", { BENCH_CACHE: "/c", XDG_CACHE_HOME: "/x", HOME: "/h" }), "/c");
  assert.equal(folder("linux", { BENCH_CACHE: "", XDG_CACHE_HOME: "/x" }), join("/x", "perpetual-bench"));
  assert.equal(folder("linux", { HOME: "/h" }), join("/h", ".cache", "perpetual-bench"));
  assert.equal(folder("darwin", { HOME: "/h" }), join("/h", "Library", "Caches", "perpetual-bench"));
  assert.equal(folder("windows", { LOCALAPPDATA: "/l", HOME: "/h" }), join("/l", "perpetual-bench"));
  assert.throws(() => folder("linux", {}), /Set BENCH_CACHE to a folder/);
});

/** Not `deepEqual`, whose report of 300,000 differences takes minutes. */
function assertBytes(bytes: Uint8Array, wanted: Uint8Array): void {
  assert.equal(bytes.length, wanted.length);
  assert.equal(bytes.findIndex((byte, at) => byte !== wanted[at]), -1);
}

async function refusal(
  url: string,
  path: string,
  { sha256 }: { sha256: string | null },
): Promise<BenchError> {
  const error = await download(url, path, { ...QUICK, sha256 }).catch((error) => error);
  assert.ok(error instanceof BenchError, String(error));
  return error;
}

interface Scene {
  url: string;
  path: string;
  requests: FileRequest[];
}

async function withServer(
  answer: (request: FileRequest) => RawAnswer,
  run: (scene: Scene) => Promise<void>,
): Promise<void> {
  await using server = unrulyServer(answer);
  await withFolder((folder) =>
    run({ url: `${server.url}/file`, path: join(folder, "file.bin"), requests: server.requests })
  );
}

async function names(path: string): Promise<string[]> {
  const entries: string[] = [];
  for await (const { name } of Deno.readDir(join(path, ".."))) entries.push(name);
  return entries.sort();
}
