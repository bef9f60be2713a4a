/** Runs `read` at the first call only; later calls get the same. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => result ??= read();
}
