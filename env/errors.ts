import { plainLine } from "./plain_text.ts";

/** What every error of this project carries: what happened, why, and how to mend it. */
export interface Explanation {
  /** "Cannot do X", one clause. */
  what: string;
  /** The current value and the wanted one, one clause. */
  why: string;
  /** What the user can do about it, one clause. */
  fix?: string;
}

/** Process exit codes; `docs/conventions.md` lists them for users. */
export const EXIT = {
  fine: 0,
  differences: 1,
  usage: 2,
  noDevice: 3,
  infrastructure: 4,
  interrupted: 130,
} as const;

/**
 * An error a person is meant to read. Its message is one line: `what: why. fix.`
 *
 * Wrong usage and bad data exit with 2, which is the default.
 */
export class BenchError extends Error {
  override readonly name: string = "BenchError";

  constructor(
    readonly explanation: Explanation,
    readonly exitCode: number = EXIT.usage,
    options?: ErrorOptions,
  ) {
    super(oneLine(explanation), options);
  }
}

/** What a user asks for is no task of a benchmark; another benchmark may have it. */
export class NoSuchTask extends BenchError {
  override readonly name = "NoSuchTask";

  /** @param ids of the tasks that there are */
  constructor(explanation: Explanation, readonly ids: readonly string[]) {
    super(explanation);
  }
}

/** A WebGPU failure, with the name of the kernel it happened in where there is one. */
export class GpuError extends BenchError {
  override readonly name = "GpuError";

  constructor(explanation: Explanation, readonly kernel?: string, options?: ErrorOptions) {
    super(explanation, EXIT.noDevice, options);
  }
}

function oneLine({ what, why, fix }: Explanation): string {
  return plainLine(`${what}: ${why}${fix ? `. ${fix}` : ""}`);
}
