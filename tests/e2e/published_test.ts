/** The package as the registry serves it: over http, from a cold cache, and again with the server gone. */
import assert from "node:assert/strict";
import { join } from "node:path";

const root = join(import.meta.dirname ?? ".", "../..");
const MOUNT = "/@perpetual/bench/0.0.0/";
const LIMIT_BYTES = 15_000_000;

async function deno(args: readonly string[], env: Record<string, string> = {}, cwd = root) {
  const output = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    env,
    cwd,
    stdout: "piped",
    stderr: "piped",
  })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}

/** What `deno publish` would upload, as paths from the root. */
async function publishedFiles(): Promise<string[]> {
  const run = await deno(["publish", "--dry-run", "--allow-dirty", "--allow-slow-types", "--no-check"], {
    NO_COLOR: "1",
  });
  assert.equal(run.code, 0, run.stderr);
  const files = [...run.stderr.matchAll(/file:\/\/(\S+) \(/g)].map(([, path]) => decodeURIComponent(path));
  assert.ok(files.length > 20, run.stderr);
  return files.map((path) => path.slice(root.length + 1));
}

/** The registry turns names of the import map, and files in what they name, into full `npm:` specifiers. */
function rewriteSpecifiers(text: string, imports: Record<string, string>): string {
  return text.replaceAll(
    /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)"([^"./][^"]*)"/g,
    (whole, before, specifier) => {
      const name = Object.keys(imports).find((key) => specifier === key || specifier.startsWith(`${key}/`));
      return name === undefined ? whole : `${before}"${imports[name]}${specifier.slice(name.length)}"`;
    },
  );
}

const TYPES: Record<string, string> = { ts: "text/typescript", json: "application/json", wgsl: "text/plain" };

Deno.test("published package plays a task over http from a cold cache, and again offline", async () => {
  const { imports } = JSON.parse(Deno.readTextFileSync(join(root, "deno.json")));
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let size = 0;
  for (const path of await publishedFiles()) {
    let bytes = await Deno.readFile(join(root, path));
    size += bytes.length;
    if (path.endsWith(".ts")) {
      bytes = new TextEncoder().encode(rewriteSpecifiers(new TextDecoder().decode(bytes), imports));
    }
    files.set(MOUNT + path, bytes);
  }
  assert.ok(size < LIMIT_BYTES, `${size} bytes are published, at most ${LIMIT_BYTES} may be`);
  assert.ok(![...files.keys()].some((path) => path.startsWith(`${MOUNT}tests/`)), "tests are not published");

  const folder = await Deno.makeTempDir();
  let requests = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    requests++;
    const path = new URL(request.url).pathname;
    const bytes = files.get(path);
    if (bytes === undefined) return new Response("not found", { status: 404 });
    const type = TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    return new Response(bytes, { headers: { "content-type": type } });
  });
  const module = `http://127.0.0.1:${server.addr.port}${MOUNT}mod.ts`;
  const env = { DENO_DIR: join(folder, "cache"), NO_COLOR: "1" };
  const play = (out: string) =>
    deno(
      [
        "run",
        "-A",
        "--no-lock",
        module,
        "eval",
        "splat",
        "--models",
        "builtin:mean",
        "--tasks",
        "table__sculpt",
      ]
        .concat(["--runs", "1", "--out", join(folder, out)]),
      env,
      folder,
    );
  try {
    const online = await play("online");
    assert.equal(online.code, 0, online.stderr);
    assert.match(online.stdout, /builtin:mean/);
    assert.ok(requests > 20);
    await server.shutdown();
    const offline = await play("offline");
    assert.equal(offline.code, 0, offline.stderr);
    // The column of times may differ, and nothing else.
    const [first, second] = [online, offline].map(({ stdout }) => stdout.replaceAll(/ +\d+\.\d s$/gm, ""));
    assert.match(first, /^builtin:mean .* \d+\.\d\d {2}/m);
    assert.equal(second, first);
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
});
