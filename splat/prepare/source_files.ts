/** Files of a capture: read whole, or one line that names the file. */
import { readdir, readFile, stat } from "node:fs/promises";
import { badCapture } from "./capture.ts";

/** @throws BenchError naming the file */
export async function readSource(path: string, fix?: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw badCapture(path, null, await fileExists(path) ? reason(error) : "there is no such file", fix);
  }
}

/** @throws BenchError naming the file */
export async function readSourceText(path: string, fix?: string): Promise<string> {
  return new TextDecoder().decode(await readSource(path, fix));
}

/** Names in a folder, sorted. @throws BenchError naming the folder */
export async function listFolder(path: string, fix?: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    throw badCapture(path, null, await fileExists(path) ? reason(error) : "there is no such folder", fix);
  }
}

export async function fileExists(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

/** The first of these paths that exists, or null. */
export async function firstExisting(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (await fileExists(path)) return path;
  return null;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
