/** The command line in this process, with what it writes. */
import { CLI_CONTEXT, type CliContext, runCli } from "../../cli.ts";

/** @param cache folder of downloads; an empty one by default, whatever this machine has fetched before */
export async function captureCli(
  args: readonly string[],
  context: CliContext = CLI_CONTEXT,
  cache?: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: "", stderr: "" };
  const originals = [Deno.stdout.writeSync, Deno.stderr.writeSync];
  const capture = (stream: keyof typeof written) => (bytes: Uint8Array) => {
    written[stream] += new TextDecoder().decode(bytes);
    return bytes.length;
  };
  const before = Deno.env.get("BENCH_CACHE");
  const empty = await Deno.makeTempDir();
  Deno.env.set("BENCH_CACHE", cache ?? empty);
  Deno.stdout.writeSync = capture("stdout");
  Deno.stderr.writeSync = capture("stderr");
  try {
    return { code: await runCli(args, context), ...written };
  } finally {
    [Deno.stdout.writeSync, Deno.stderr.writeSync] = originals;
    if (before === undefined) Deno.env.delete("BENCH_CACHE");
    else Deno.env.set("BENCH_CACHE", before);
    await Deno.remove(empty, { recursive: true });
  }
}
