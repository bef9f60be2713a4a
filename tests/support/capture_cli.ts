/** The command line in this process, with what it writes. */
import { CLI_CONTEXT, type CliContext, runCli } from "../../cli.ts";

export async function captureCli(
  args: readonly string[],
  context: CliContext = CLI_CONTEXT,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: "", stderr: "" };
  const originals = [Deno.stdout.writeSync, Deno.stderr.writeSync];
  const capture = (stream: keyof typeof written) => (bytes: Uint8Array) => {
    written[stream] += new TextDecoder().decode(bytes);
    return bytes.length;
  };
  Deno.stdout.writeSync = capture("stdout");
  Deno.stderr.writeSync = capture("stderr");
  try {
    return { code: await runCli(args, context), ...written };
  } finally {
    [Deno.stdout.writeSync, Deno.stderr.writeSync] = originals;
  }
}
