/** One process a run folder: a lock that the operating system drops when its owner dies, however it dies. */
import { hostname } from "node:os";
import { z } from "zod";
import { BenchError } from "../env/errors.ts";

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
 * @throws BenchError naming the process that holds it
 */
export async function takeRunLock(path: string): Promise<RunLock> {
  const file = await Deno.open(path, { read: true, write: true, create: true });
  const held = await file.tryLock(true);
  const owner = describeOwner(await Deno.readTextFile(path));
  if (!held) {
    file.close();
    throw new BenchError({
      what: `Cannot play into ${path.replace(/[\\/][^\\/]*$/, "")}`,
      why: `${owner ?? "another process"} is playing into it now`,
      fix: "Wait for it, stop it, or choose another folder with --out",
    });
  }
  await file.truncate(0);
  await file.write(new TextEncoder().encode(JSON.stringify({ pid: Deno.pid, host: hostname() }) + "\n"));
  return {
    takenOverFrom: owner,
    release() {
      file.truncateSync(0);
      file.close();
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
