import assert from "node:assert/strict";
import { join } from "node:path";
import { decodePng } from "../../../env/png.ts";
import { taskFromFile } from "../../../shadow/load_task.ts";
import { readPicture } from "../../../shadow/prepare/read_picture.ts";
import { maskAt, maskWhere } from "../../../shadow/stage/mask.ts";
import { readShadowTaskFile } from "../../../tasks/shadow_task_file.ts";
import { captureCli } from "../../support/capture_cli.ts";
import { withFolder } from "../../support/with_folder.ts";

const FOX = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 140">
  <path d="M20 140 L40 60 L30 20 L60 45 Q90 35 130 60 L180 80 L130 95 Q100 110 110 140 Z"/>
  <circle cx="85" cy="65" r="6" fill="white"/></svg>`;

Deno.test("bench prepare plate makes a task that can be played, with a preview of its target", () =>
  withFolder(async (folder) => {
    const [image, out] = [join(folder, "my fox.svg"), join(folder, "plates", "fox.json")];
    await Deno.writeTextFile(image, FOX);
    const { code, stdout, stderr } = await captureCli(
      ["prepare", "plate", image, "--out", out, "--title", "Fox", "--licence", "CC0-1.0"],
    );
    assert.equal(code, 0, stderr);
    const preview = join(folder, "plates", "fox_preview.png");
    assert.equal(stdout, `${out}\n${preview}\n`);
    assert.match(stderr, /my_fox: what is opaque and not white; \d+ pixels on the screen, 1 hole/);
    const file = await readShadowTaskFile(out);
    assert.equal(file.task_id, "my_fox");
    assert.equal(file.licence, "CC0-1.0");
    const task = taskFromFile(file, out);
    assert.equal(task.witness, null);
    const shown = decodePng(await Deno.readFile(preview));
    assert.deepEqual(maskWhere((x, y) => shown.data[4 * (512 * y + x)] < 128), task.target);
    // The neck is cut off below, and nothing else is.
    assert.ok(Array.from({ length: 512 }, (_, x) => maskAt(task.target, x, 383)).includes(true));
    assert.ok(!Array.from({ length: 512 }, (_, x) => maskAt(task.target, x, 0)).includes(true));
    // Another program draws the traced outline: four pixels a unit, which never mix shadow and light.
    const svg = join(folder, "outline.svg");
    await Deno.writeTextFile(svg, file.target_svg);
    const { width, height, data } = await readPicture(svg);
    assert.deepEqual([width, height], [2048, 1536]);
    const wrong = data.findIndex((alpha, i) => {
      if (i % 4 !== 3) return false;
      const x = (i >> 2) % width, y = Math.floor((i >> 2) / width);
      return alpha !== (maskAt(task.target, x >> 2, y >> 2) ? 255 : 0);
    });
    assert.equal(wrong, -1);
  }));

Deno.test("bench prepare plate writes nothing for a picture or a place that it cannot use", () =>
  withFolder(async (folder) => {
    const image = join(folder, "blank.svg");
    await Deno.writeTextFile(image, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>`);
    for (
      const [args, why] of [
        [[image, "--out", join(folder, "a.json")], /Cannot find a silhouette in .*blank\.svg/],
        [[join(folder, "none.png"), "--out", join(folder, "a.json")], /Cannot read the picture .*none\.png/],
        [[image, "--out", join(folder, "a.txt")], /ends in \.json/],
        [[image, "--threshold", "300"], /whole number from 0 to 255/],
        [[image, "--size", "0"], /whole number/],
      ] as const
    ) {
      const { code, stdout, stderr } = await captureCli(["prepare", "plate", ...args]);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, why);
    }
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["blank.svg"]);
  }));

Deno.test("bench prepare plate replaces no file but by --force, and has an id of every picture's own", () =>
  withFolder(async (folder) => {
    const image = join(folder, "package.svg");
    await Deno.writeTextFile(image, FOX);
    const plate = async (...args: string[]) => await captureCli(["prepare", "plate", ...args]);
    for (const name of ["package.json", "package_preview.png"]) {
      const there = join(folder, name);
      await Deno.writeTextFile(there, "mine");
      const { code, stdout, stderr } = await plate(image, "--out", join(folder, "package.json"));
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, new RegExp(`Cannot write \\S*${name}: it is there already.*--force`));
      assert.equal(await Deno.readTextFile(there), "mine");
      await Deno.remove(there);
      assert.ok(![...Deno.readDirSync(folder)].some(({ name }) => name.startsWith("package_")), name);
    }
    const out = join(folder, "package.json");
    const white = await plate(image, "--out", join(folder, "white.json"), "--shape", "dark");
    assert.match(white.stderr, /^package: what is dark \(gray up to \d+\); \d+ pixels on the screen/m);
    await Deno.writeTextFile(out, "mine");
    assert.equal((await plate(image, "--out", out, "--force")).code, 0);
    assert.equal((await readShadowTaskFile(out)).task_id, "package");
    for (const name of ["狐.svg", "犬.svg", "...svg", "-_.svg"]) {
      await Deno.copyFile(image, join(folder, name));
      const { code, stderr } = await plate(join(folder, name), "--out", join(folder, "x.json"));
      assert.equal(code, 2);
      assert.match(stderr, /Cannot call a task as the picture .*--id/, name);
    }
    const named = await plate(join(folder, "狐.svg"), "--id", "fox", "--out", join(folder, "x.json"));
    assert.equal(named.code, 0, named.stderr);
  }));
