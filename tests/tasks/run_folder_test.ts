import assert from "node:assert/strict";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { blankImage } from "../../env/image.ts";
import { imageKey } from "../../env/hash.ts";
import { LineWriter, readJsonLines, writeWhole } from "../../tasks/json_lines.ts";
import { diskName, RunFolder } from "../../tasks/run_folder.ts";
import { readRun } from "../../tasks/run_reader.ts";
import { withFolder } from "../support/with_folder.ts";

for (
  const [id, name] of [
    ["gpt-6-astra__table__sculpt__eval_r2", "gpt-6-astra__table__sculpt__eval_r2"],
    ["gpt-6-astra@medium/hare", "gpt-6-astra@medium__hare"],
    ["builtin:mean__table__sculpt__eval_r1", "builtin_mean__table__sculpt__eval_r1"],
    ["../../etc", "___..__etc"],
    ["a b\\c\n*?", "a_b_c___"],
  ]
) {
  Deno.test(`diskName() makes ${JSON.stringify(name)} of ${JSON.stringify(id)}`, () => {
    assert.equal(diskName(id), name);
  });
}

Deno.test("diskName() shortens a long id and still tells long ids apart", () => {
  const [a, b] = ["a", "b"].map((end) => diskName("x".repeat(300) + end));
  assert.ok(a.length <= 200 && b.length <= 200);
  assert.notEqual(a, b);
});

Deno.test("RunFolder.open() refuses a second owner, and names the first", async () => {
  await withFolder(async (out) => {
    const first = await RunFolder.open(out, "toy", "medium_effort");
    await assert.rejects(RunFolder.open(out, "toy", "medium_effort"), (error: Error) => {
      assert.match(error.message, /^Cannot play into .*medium_effort: /);
      assert.ok(error.message.includes(`process ${Deno.pid} on ${hostname()} is playing into it now`));
      return true;
    });
    const other = await RunFolder.open(out, "toy", "high_effort");
    other.close();
    first.close();
    const next = await RunFolder.open(out, "toy", "medium_effort");
    assert.equal(next.takenOverFrom, null);
    next.close();
  });
});

Deno.test("RunFolder.open() takes over from an owner that died, and sweeps up half-written files", async () => {
  await withFolder(async (out) => {
    const images = join(out, "toy", "medium_effort", "images");
    await Deno.mkdir(images, { recursive: true });
    await Deno.writeTextFile(join(images, "abc.png.tmp"), "half");
    await Deno.writeTextFile(join(out, "toy", "medium_effort", "lock"), '{"pid":77,"host":"elsewhere"}\n');
    const folder = await RunFolder.open(out, "toy", "medium_effort");
    assert.equal(folder.takenOverFrom, "process 77 on elsewhere");
    assert.deepEqual(await Array.fromAsync(Deno.readDir(images)), []);
    folder.close();
  });
});

Deno.test("RunFolder.open() says where it cannot write", async () => {
  await withFolder(async (out) => {
    await Deno.writeTextFile(join(out, "file"), "");
    await assert.rejects(
      RunFolder.open(join(out, "file"), "toy", "s"),
      /^BenchError: Cannot write .*: Not a directory\. .*--out$/,
    );
  });
});

Deno.test("EpisodeFolder stores a picture once, however many episodes show it", async () => {
  await withFolder(async (out) => {
    const folder = await RunFolder.open(out, "toy", "s");
    const image = blankImage(5, 3, [1, 2, 3]);
    const key = imageKey(image);
    await Promise.all(["a", "b", "c"].map((id) => folder.episode(id).storeImage(key, image)));
    const names = (await Array.fromAsync(Deno.readDir(join(folder.path, "images")))).map(({ name }) => name);
    assert.deepEqual(names, [`${key}.png`]);
    folder.close();
  });
});

const row = z.object({ n: z.number() });

Deno.test("readJsonLines() reads what LineWriter appended, over several openings", async () => {
  await withFolder(async (out) => {
    const path = join(out, "x.jsonl");
    for (const n of [1, 2]) {
      const writer = new LineWriter(path);
      writer.append({ n });
      writer.close();
    }
    assert.deepEqual(await readJsonLines(path, row, "error"), { lines: [{ n: 1 }, { n: 2 }], cut: false });
    assert.deepEqual(await readJsonLines(join(out, "none"), row, "error"), { lines: [], cut: false });
  });
});

for (
  const { what, text, error } of [
    {
      what: "a torn last line",
      text: '{"n":1}\n{"n":',
      error: /x\.jsonl, line 2: it is cut off in the middle/,
    },
    { what: "a line that is not JSON", text: '{"n":1}\nn=2\n', error: /x\.jsonl, line 2: it is not JSON/ },
    { what: "an empty line", text: '{"n":1}\n\n{"n":2}\n', error: /x\.jsonl, line 2: it is empty/ },
    { what: "a wrong type", text: '{"n":1}\n{"n":"2"}\n', error: /x\.jsonl, line 2: n: / },
    { what: "a missing field", text: '{"m":1}\n', error: /x\.jsonl, line 1: n: / },
  ]
) {
  Deno.test(`readJsonLines() names file and line of ${what}`, async () => {
    await withFolder(async (out) => {
      await Deno.writeTextFile(join(out, "x.jsonl"), text);
      await assert.rejects(readJsonLines(join(out, "x.jsonl"), row, "error"), error);
    });
  });
}

Deno.test("readJsonLines() cuts off a torn last line where it is told to, also inside a character", async () => {
  await withFolder(async (out) => {
    const path = join(out, "x.jsonl");
    const bytes = new TextEncoder().encode('{"n":1}\n{"n":2,"t":"é');
    await Deno.writeFile(path, bytes.subarray(0, -1));
    assert.deepEqual(await readJsonLines(path, row, "cut"), { lines: [{ n: 1 }], cut: true });
    assert.equal(await Deno.readTextFile(path), '{"n":1}\n');
  });
});

Deno.test("LineWriter says in one line that the disk is full", () => {
  const writer = new LineWriter("/dev/full");
  const full = /^BenchError: Cannot write \/dev\/full: No space left on device\. Free space, [^\n]*--out$/;
  assert.throws(() => writer.append({ n: 1 }), full);
});

Deno.test("writeWhole() leaves no temporary file behind", async () => {
  await withFolder(async (out) => {
    await writeWhole(join(out, "a.json"), "1");
    await writeWhole(join(out, "a.json"), "2");
    assert.equal(await Deno.readTextFile(join(out, "a.json")), "2");
    assert.equal((await Array.fromAsync(Deno.readDir(out))).length, 1);
  });
});

Deno.test("readRun() says that there is nothing to read", async () => {
  await withFolder(async (out) => {
    await assert.rejects(readRun(join(out, "none")), /Cannot read the run .*none: there is no such folder/);
    await assert.rejects(readRun(out), /no folder at or below it holds an episode\.json/);
    await Deno.mkdir(join(out, "e"));
    await Deno.writeTextFile(join(out, "e", "episode.json"), "");
    assert.deepEqual(await readRun(out), { episodes: [], unfinished: [join(out, "e")], unreadable: [] });
    await Deno.writeTextFile(join(out, "e", "episode.json"), "{}");
    assert.match(
      (await readRun(out)).unreadable.join(),
      /Cannot read .*episode\.json, line 1: schema_version: /,
    );
  });
});
