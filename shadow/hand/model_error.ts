import { BenchError } from "../../env/errors.ts";

/** What is wrong with a hand model file, and how to mend it. */
export function modelError(name: string, why: string, fix: string): BenchError {
  return new BenchError({ what: `Cannot use hand model ${name}`, why, fix });
}
