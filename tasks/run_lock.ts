/** One process a run folder: a lock that the operating system drops when its owner dies, however it dies. */
import { hostname } from "node:os";
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import { writing, writingNow } from "./file_errors.ts";

const ownerSchema = z.object({ pid: z.number(), host: z.string() });

export interface RunLock {
  /** The process that held it last and never let go of it, in words; null after a clean end. */
  takenOverFrom: string | null;
  release(): void;
}

/**
 * Takes the lock of a run folder.
 *
 * The lock is `flock` on the file, not its presence, so there is no stale lock to guess about; the file only names
 * the owner. It stays behind empty, since removing it would race with the next process.
 *
 * @throws BenchError naming the process that holds it, or where the file cannot be written
 */
export async function takeRunLock(path: string): Promise<RunLock> {
  const open = () => Deno.open(path, { read: true, write: true, create: true });
  const file = await writing(path, open);
  const held = await writing(path, () => file.tryLock(true));
  const owner = describeOwner(await writing(path, () => Deno.readTextFile(path)));
  if (!held) {
    file.close();
    throw new BenchError({
      what: `Cannot play into ${path.replace(/[\\/][^\\/]*$/, "")}`,
      why: `${owner ?? "another process"} is playing into it now`,
      fix: "Wait for it, stop it, or choose another folder with --out",
    });
  }
  writingNow(path, () => {
    file.truncateSync(0);
    file.writeSync(new TextEncoder().encode(JSON.stringify({ pid: Deno.pid, host: hostname() }) + "\n"));
  });
  return {
    takenOverFrom: owner,
    release() {
      using held = file;
      writingNow(path, () => held.truncateSync(0));
    },
  };
}

function describeOwner(text: string): string | null {
  try {
    const owner = ownerSchema.parse(JSON.parse(text));
    return `process ${owner.pid} on ${owner.host}`;
  } catch {
    return null;
  }
}
