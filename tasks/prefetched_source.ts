/** Many small pieces of a source in few reads. */
import type { ByteSource } from "./byte_source.ts";

export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/**
 * A source that has read the wanted ranges, those that touch in one piece, and reads all else when it is asked for.
 * Nothing between them is read: there may be pictures that nobody asked for.
 *
 * @param wanted in any order
 */
export async function prefetched(source: ByteSource, wanted: readonly ByteRange[]): Promise<ByteSource> {
  const pieces = await Promise.all(
    merged(wanted).map(async ({ start, end }) => ({ start, end, bytes: await source.read(start, end) })),
  );
  return {
    ...source,
    read(start, end) {
      const piece = pieces.find((piece) => piece.start <= start && end <= piece.end);
      return piece === undefined
        ? source.read(start, end)
        : Promise.resolve(piece.bytes.slice(start - piece.start, end - piece.start));
    },
  };
}

function merged(wanted: readonly ByteRange[]): ByteRange[] {
  const together: ByteRange[] = [];
  for (const { start, end } of wanted.toSorted((a, b) => a.start - b.start)) {
    const last = together.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else together.push({ start, end });
  }
  return together;
}
