/** `mod.ts` as programs import it. */
import assert from "node:assert/strict";
import { join } from "node:path";

const root = join(import.meta.dirname ?? ".", "../..");

Deno.test("importing mod.ts asks for no permission, prints nothing and does not exit", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const program = join(folder, "main.ts");
    await Deno.writeTextFile(program, `import "file://${join(root, "mod.ts")}"; console.log("still here");`);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-check",
        "--no-prompt",
        "--config",
        join(root, "deno.json"),
        program,
        "eval",
        "--no-such",
      ],
      env: { NO_COLOR: "1" },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.deepEqual([code, text(stdout), text(stderr)], [0, "still here\n", ""]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
