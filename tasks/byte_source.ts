/** Bytes that can be read in pieces: a file here, or one on a server that answers Range requests. */
import { open } from "node:fs/promises";
import { BenchError } from "../env/errors.ts";
import { reading } from "./file_errors.ts";

export interface ByteSource {
  /** Path or URL, for errors. */
  readonly name: string;
  readonly byteLength: number;
  /** Bytes from `start` up to but not including `end`, both inside of the source. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** A file. Throws BenchError when it is not there or shrinks while it is read. */
export async function fileSource(path: string): Promise<ByteSource> {
  const size = await reading(path, async () => {
    const file = await open(path);
    const found = await file.stat().finally(() => file.close());
    if (found.isFile()) return found.size;
    throw new BenchError({ what: `Cannot read ${path}`, why: "it is no file", fix: "Name a file" });
  });
  return {
    name: path,
    byteLength: size,
    read: (start, end) =>
      reading(path, async () => {
        const again = await open(path);
        try {
          const bytes = new Uint8Array(end - start);
          const { bytesRead } = await again.read(bytes, 0, bytes.length, start);
          if (bytesRead === bytes.length) return bytes;
          const why = `it ended after ${start + bytesRead} bytes, it had ${size}`;
          throw new BenchError({ what: `Cannot read ${path}`, why });
        } finally {
          await again.close();
        }
      }),
  };
}
