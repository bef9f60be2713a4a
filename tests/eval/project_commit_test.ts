import assert from "node:assert/strict";
import { projectCommit } from "../../eval/project_commit.ts";
import { withFolder } from "../support/with_folder.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

for (
  const { what, files, commit } of [
    {
      what: "a branch",
      files: { "HEAD": "ref: refs/heads/main\n", "refs/heads/main": `${COMMIT}\n` },
      commit: COMMIT,
    },
    {
      what: "a packed branch",
      files: {
        "HEAD": "ref: refs/heads/main\n",
        "packed-refs": `# pack-refs\n${"f".repeat(40)} refs/heads/maintenance\n${COMMIT} refs/heads/main\n`,
      },
      commit: COMMIT,
    },
    { what: "a detached head", files: { "HEAD": `${COMMIT}\n` }, commit: COMMIT },
    { what: "a branch without a commit", files: { "HEAD": "ref: refs/heads/main\n" }, commit: null },
    { what: "a folder that is no clone", files: {}, commit: null },
  ]
) {
  Deno.test(`projectCommit() reads ${what} as git lays it out`, async () => {
    await withFolder(async (folder) => {
      await Deno.mkdir(`${folder}/.git/refs/heads`, { recursive: true });
      for (const [name, text] of Object.entries(files)) {
        await Deno.writeTextFile(`${folder}/.git/${name}`, text);
      }
      assert.equal(projectCommit(new URL(`file://${folder}/`)), commit);
    });
  });
}

Deno.test("projectCommit() of a program from the network is null", () => {
  assert.equal(projectCommit(new URL("https://example.com/bench/")), null);
});
