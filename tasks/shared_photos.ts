/** Tasks about one object share its photos: one file holds them, the others name it as `photos_of`. */

/** What a task takes from the one it names. */
const SHARED = ["reference", "held_out", "fits"] as const;

type Shared = { readonly [key in typeof SHARED[number]]?: unknown };

/** The fields of a task, all but those that the task of this id in the same folder holds. */
export function withoutPhotos(task: Readonly<Record<string, unknown>>, id: string): Record<string, unknown> {
  const own = Object.entries(task).filter(([key]) => !SHARED.some((shared) => shared === key));
  return { ...Object.fromEntries(own), photos_of: id };
}

/**
 * A task's decoded JSON with views and fits from the task that it names, if it names one; its own win.
 *
 * @param load reads the task of an id
 */
export async function withPhotos(content: unknown, load: (id: string) => Promise<Shared>): Promise<unknown> {
  if (typeof content !== "object" || content === null || !("photos_of" in content)) return content;
  const { photos_of: id, ...own } = content;
  // A wrong type is left for the schema, which then misses the views.
  if (typeof id !== "string" || ("task_id" in own && own.task_id === id)) return content;
  const other = await load(id);
  return { ...Object.fromEntries(SHARED.map((key) => [key, other[key]])), ...own };
}
