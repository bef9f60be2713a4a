import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { BenchError, EXIT } from "../../../env/errors.ts";
import { fetchWeights } from "../../../splat/score/lpips/fetch_weights.ts";
import {
  assembleWeights,
  type LpipsWeights,
  namedTensors,
} from "../../../splat/score/lpips/lpips_weights.ts";
import { encodeSafetensors } from "../../../splat/score/lpips/safetensors.ts";
import { cachedLpipsWeights, cachePaths, loadLpipsWeights } from "../../../splat/score/lpips/weight_cache.ts";
import { WEIGHT_SOURCES, type WeightSource } from "../../../splat/score/lpips/weight_sources.ts";
import { fileAnswer, type FileRequest, type RawAnswer, unrulyServer } from "../../support/unruly_server.ts";
import { drawnWeights } from "./drawn_weights.ts";

const QUICK = { attempts: 2, pauseMs: 1, stallMs: 3000 };
const DRAWN = drawnWeights("squeeze");
const FILE = fileOf(DRAWN);
const SHA256 = createHash("sha256").update(FILE).digest("hex");

Deno.test("fetchWeights() keeps a pinned file's network and reads it from the cache from then on", () =>
  withServer((request) => fileAnswer(FILE, request), async ({ url, cache, requests }) => {
    assert.equal(await cachedLpipsWeights("squeeze", cache), null);
    const sources: WeightSource[] = [{ url, take: "whole", sha256: SHA256 }];
    const seen: number[] = [];
    const options = { ...QUICK, cache, sources, progress: (bytes: number) => seen.push(bytes) };
    const first = await fetchWeights("squeeze", options);
    assert.deepEqual([first.cached, first.record.pinned, first.record.source], [false, true, url]);
    assert.equal(first.weights.sha256, DRAWN.sha256);
    assert.equal(seen.at(-1), FILE.length);
    const again = await fetchWeights("squeeze", options);
    assert.equal(again.cached, true);
    assert.equal(requests.length, 1);
    assert.equal((await cachedLpipsWeights("squeeze", cache))?.sha256, DRAWN.sha256);
    assert.equal((await loadLpipsWeights("squeeze", again.path)).sha256, DRAWN.sha256);
    assert.deepEqual(await names(join(cache, "downloads")), []);
  }));

Deno.test("fetchWeights() takes only the features of a large file by ranges, and says that it trusts them", () => {
  const head = { shape: [1000, 1000], values: new Float32Array(1_000_000) };
  const tensors = new Map([["classifier.1.weight", head], ...namedTensors(DRAWN)]);
  const large = encodeSafetensors(tensors);
  return withServer((request) => fileAnswer(large, request), async ({ url, cache, sent }) => {
    const said: string[] = [];
    const sources: WeightSource[] = [{ url, take: "ranges", sha256: null }];
    const { weights, record } = await fetchWeights("squeeze", {
      ...QUICK,
      cache,
      sources,
      say: (line) => said.push(line),
    });
    assert.equal(weights.sha256, DRAWN.sha256);
    assert.equal(record.pinned, false);
    assert.ok(sent() < FILE.length + 1000, `${sent()} bytes were sent`);
    assert.deepEqual(said, [
      `Fetching the LPIPS network squeeze from ${url}`,
      `No checksum of ${url} is known: its numbers (sha256 ${DRAWN.sha256}) are trusted now`,
    ]);
  });
});

Deno.test("fetchWeights() goes on after a broken download and a busy server", () =>
  withServer((request) => {
    if (request.index === 1) return { status: 503 };
    return { ...fileAnswer(FILE, request), ...(request.index === 0 ? { breakAfter: 1_000_000 } : {}) };
  }, async ({ url, cache, requests }) => {
    const sources: WeightSource[] = [{ url, take: "whole", sha256: SHA256 }];
    await fetchWeights("squeeze", { ...QUICK, attempts: 3, cache, sources });
    assert.deepEqual(requests.map(({ range }) => range), [null, "bytes=1000000-", "bytes=1000000-"]);
  }));

Deno.test("fetchWeights() tries the next source after a wrong checksum, an unfit file, or a server without ranges", () => {
  const other = encodeSafetensors(
    new Map([["features.0.weight", { shape: [1], values: new Float32Array(1) }]]),
  );
  const answer = (request: FileRequest): RawAnswer => {
    if (request.path === "/plain") return fileAnswer(FILE, { ...request, range: null });
    return fileAnswer(request.path === "/other" ? other : FILE, request);
  };
  return withServer(answer, async ({ url, cache }) => {
    const said: string[] = [];
    const sources: WeightSource[] = [
      { url: `${url}/plain`, take: "ranges", sha256: null },
      { url: `${url}/wrong`, take: "whole", sha256: "00".repeat(32) },
      { url: `${url}/other`, take: "whole", sha256: null },
      { url: `${url}/right`, take: "whole", sha256: SHA256.slice(0, 8) },
    ];
    const { record } = await fetchWeights("squeeze", {
      ...QUICK,
      cache,
      sources,
      say: (line) => said.push(line),
    });
    assert.equal(record.source, `${url}/right`);
    assert.deepEqual(
      said.slice(0, 4),
      sources.map((source) => `Fetching the LPIPS network squeeze from ${source.url}`),
    );
    assert.match(said[4], /the server ignores Range requests/);
    assert.match(said[5], new RegExp(`its sha256 is ${SHA256}, wanted 0000`));
    assert.match(said[6], /it lacks the layer features\.3\.squeeze/);
    assert.equal(said.length, 7);
  });
});

Deno.test("fetchWeights() says in one line with exit code 4 why no source would do", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const dead = `http://127.0.0.1:${listener.addr.port}/weights`;
  listener.close();
  await withServer(() => ({ status: 404 }), async ({ url, cache }) => {
    const sources: WeightSource[] = [
      { url: dead, take: "ranges", sha256: null },
      { url, take: "whole", sha256: null },
    ];
    const said: string[] = [];
    const options = { ...QUICK, cache, sources, say: (line: string) => said.push(line) };
    const error = await fetchWeights("squeeze", options).catch((error) => error);
    // Each trouble is told once, in the error.
    assert.deepEqual(said, [dead, url].map((from) => `Fetching the LPIPS network squeeze from ${from}`));
    assert.ok(error instanceof BenchError);
    assert.equal(error.exitCode, EXIT.infrastructure);
    assert.match(
      error.message,
      /^Cannot fetch the LPIPS network squeeze: Cannot read \S+: the connection broke .*; Cannot download \S+: the server answers 404.*--lpips-weights$/,
    );
    assert.equal(await cachedLpipsWeights("squeeze", cache), null);
  });
});

Deno.test("fetchWeights() replaces a damaged file, but only by the numbers that came first", () => {
  const strange = fileOf(
    assembleWeights(
      "squeeze",
      new Map(
        [...DRAWN.convolutions].map(([name, { weight, bias }]) => [name, {
          weight,
          bias: bias.map((value) => value + 1),
        }]),
      ),
    ),
  );
  const answer = (request: FileRequest) => fileAnswer(request.path === "/strange" ? strange : FILE, request);
  return withServer(answer, async ({ url, cache }) => {
    const from = (path: string) => ({
      ...QUICK,
      cache,
      sources: [{ url: url + path, take: "whole", sha256: null } as const],
    });
    const { path } = await fetchWeights("squeeze", from("/first"));
    const bytes = await Deno.readFile(path);
    bytes[bytes.length - 1] ^= 0x10;
    await Deno.writeFile(path, bytes);
    await assert.rejects(cachedLpipsWeights("squeeze", cache), /Run `bench fetch weights` again/);
    await assert.rejects(
      fetchWeights("squeeze", from("/strange")),
      /its numbers are not those that came from/,
    );
    assert.equal((await fetchWeights("squeeze", from("/second"))).cached, false);
    assert.equal((await cachedLpipsWeights("squeeze", cache))?.sha256, DRAWN.sha256);
    await Deno.remove(cachePaths("squeeze", cache).record);
    assert.equal(await cachedLpipsWeights("squeeze", cache), null);
  });
});

Deno.test("loadLpipsWeights() says in one line that a file is not there", async () => {
  await assert.rejects(
    loadLpipsWeights("alex", "/nowhere/alex.safetensors"),
    /^UnreadableFile: Cannot read \/nowhere\/alex\.safetensors: [^\n]*$/,
  );
});

Deno.test("WEIGHT_SOURCES are https, and pinned by what their names say", () => {
  for (const { url, sha256, take } of Object.values(WEIGHT_SOURCES).flat()) {
    assert.equal(new URL(url).protocol, "https:");
    if (sha256 !== null) assert.ok(take === "whole" && url.includes(sha256));
  }
});

interface Scene {
  url: string;
  cache: string;
  requests: FileRequest[];
  /** Bytes of bodies. */
  sent(): number;
}

async function withServer(
  answer: (request: FileRequest) => RawAnswer,
  run: (scene: Scene) => Promise<void>,
): Promise<void> {
  let bytes = 0;
  await using server = unrulyServer((request) => {
    const given = answer(request);
    bytes += given.body?.length ?? 0;
    return given;
  });
  const cache = await Deno.makeTempDir();
  try {
    await run({ url: server.url, cache, requests: server.requests, sent: () => bytes });
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

function fileOf(weights: LpipsWeights): Uint8Array {
  return encodeSafetensors(namedTensors(weights));
}

async function names(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir(folder)) found.push(name);
  return found.sort();
}
