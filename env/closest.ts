/** What a mistyped name was probably meant to be. */

/** Names at most a fifth of their letters away or containing the typed text, nearest first; at most `most`. */
export function closestNames(typed: string, names: readonly string[], most = 3): string[] {
  const wanted = typed.toLowerCase();
  return names
    .map((name) => {
      const lower = name.toLowerCase();
      const contains = wanted.length > 1 && (lower.includes(wanted) || wanted.includes(lower));
      return { name, distance: contains ? 0 : editDistance(wanted, lower) };
    })
    .filter(({ name, distance }) => distance <= name.length / 5)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Ids of tasks that a selector may have meant, be it an id or a file called so. */
export function closestTasks(selector: string, ids: readonly string[]): string[] {
  return closestNames(selector.split("/").at(-1)?.replace(/\.json$/, "") ?? "", ids);
}

/** Levenshtein: fewest insertions, deletions and substitutions. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}
