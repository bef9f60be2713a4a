/** The command line over the toy benchmark in a process of its own, to be killed, piped and interrupted. */
import { fileURLToPath } from "node:url";
import type { ToyOptions } from "./toy_environment.ts";

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunningToy {
  process: Deno.ChildProcess;
  finished: Promise<Finished>;
}

/** Starts `bench` with these arguments. */
export function startToy(
  args: readonly string[],
  toy: ToyOptions = {},
  env: Record<string, string> = {},
): RunningToy {
  const process = new Deno.Command(Deno.execPath(), {
    // Types are checked where the files are imported; here only time is at stake.
    args: ["run", "--no-check", "-A", fileURLToPath(new URL("toy_cli.ts", import.meta.url)), ...args],
    env: { TOY: JSON.stringify(toy), ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const finished = process.output().then(({ code, stdout, stderr }) => ({
    code,
    stdout: new TextDecoder().decode(stdout),
    stderr: new TextDecoder().decode(stderr),
  }));
  return { process, finished };
}

/** Runs `bench` with these arguments to its end. */
export function runToy(
  args: readonly string[],
  toy?: ToyOptions,
  env?: Record<string, string>,
): Promise<Finished> {
  return startToy(args, toy, env).finished;
}
