/** Bounded concurrency. */

/** Works on at most `most` items at a time, starting them in order; rejects with the first error. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}
