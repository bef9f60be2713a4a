/** The name of a task that is a row of a data set: `<place>@<commit>#<task id>`, the commit where it is known. */

export interface DataAddress {
  /** What `openData` takes. */
  place: string;
  revision: string | null;
  /** Null for all of its tasks. */
  taskId: string | null;
}

const ADDRESS = /^(?<place>.+?)(?:@(?<revision>[0-9a-f]{40}))?(?:#(?<taskId>[A-Za-z0-9._-]+))?$/;

/** Whether a text means tasks of a data set, and no file, folder or embedded id. */
export const isDataAddress = (text: string): boolean =>
  text.startsWith("hf://") || /^(?!https?:|file:).+#[A-Za-z0-9._-]+$/.test(text);

export function dataAddress(text: string): DataAddress {
  const { place = text, revision = null, taskId = null } = ADDRESS.exec(text)?.groups ?? {};
  // An address on the hub keeps its commit, or else another one could be read.
  const pinned = place.startsWith("hf://") && revision !== null ? `${place}@${revision}` : place;
  return { place: pinned, revision, taskId };
}

/** The address of one task; `where` names the place as a `DataSet` does. */
export function taskAddress(where: string, revision: string | null, taskId: string): string {
  const pinned = revision === null || where.endsWith(`@${revision}`) ? where : `${where}@${revision}`;
  return `${pinned}#${taskId}`;
}
