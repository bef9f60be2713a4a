/** The commit of the clone that this runs from. */
import { fileURLToPath } from "node:url";

/**
 * 40 hex digits, or null when the program does not lie in a clone.
 *
 * @param root the folder of the program; ends in a slash
 */
export function projectCommit(root: URL): string | null {
  try {
    const git = fileURLToPath(new URL(".git/", root));
    const head = Deno.readTextFileSync(`${git}HEAD`).trim();
    if (!head.startsWith("ref: ")) return head;
    const ref = head.slice("ref: ".length);
    return readRef(git, ref);
  } catch {
    return null;
  }
}

function readRef(git: string, ref: string): string | null {
  try {
    return Deno.readTextFileSync(git + ref).trim();
  } catch {
    const packed = Deno.readTextFileSync(`${git}packed-refs`);
    return packed.split("\n").find((line) => line.endsWith(` ${ref}`))?.slice(0, 40) ?? null;
  }
}
