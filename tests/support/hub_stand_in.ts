/** A stand-in for the hub on a free port of this machine: one data set, and the hub's bad days. */
import { createHash } from "node:crypto";
import {
  fileAnswer,
  type FileRequest,
  type RawAnswer,
  type UnrulyServer,
  unrulyServer,
} from "./unruly_server.ts";

export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

export interface HubStandIn extends UnrulyServer {
  /** Paths of the files that were asked for, each as often as it was. */
  asked(): string[];
}

export interface StandInOptions {
  id: string;
  files: Readonly<Record<string, Uint8Array>>;
  /** Wanted in every request. */
  token?: string;
  /** Replaces the answer to a request for a file. */
  misbehave?: (request: FileRequest & { file: string }, answer: RawAnswer) => RawAnswer;
  /** Replaces what the hub lists of a file. */
  list?: (path: string, entry: Record<string, unknown>) => Record<string, unknown>;
}

/** Serves `/api/datasets/<id>/revision/main` and `/datasets/<id>/resolve/<commit>/<path>`. */
export function hubStandIn({ id, files, token, misbehave, list }: StandInOptions): HubStandIn {
  const server = unrulyServer((request) => {
    if (token !== undefined && request.headers.get("authorization") !== `Bearer ${token}`) {
      return { status: 401 };
    }
    const path = decodeURIComponent(request.path.replace(/\?.*$/, ""));
    if (path === `/api/datasets/${id}/revision/main` || path === `/api/datasets/${id}/revision/${COMMIT}`) {
      return json({ sha: COMMIT, siblings: siblings(files, list) });
    }
    const file = path.replace(`/datasets/${id}/resolve/${COMMIT}/`, "");
    if (!Object.hasOwn(files, file)) return { status: 404 };
    const answer = fileAnswer(files[file], request, `"${sha(files[file])}"`);
    return misbehave?.({ ...request, file }, answer) ?? answer;
  });
  return Object.assign(server, {
    asked: () =>
      server.requests.filter(({ path }) => path.includes("/resolve/")).map(({ path }) =>
        path.split(COMMIT)[1]
      ),
  });
}

/** Large files are told by sha256, README and such as git does. */
function siblings(files: StandInOptions["files"], list: StandInOptions["list"]) {
  return Object.entries(files).map(([rfilename, bytes]) => {
    const entry = rfilename.endsWith(".md")
      ? { rfilename, size: bytes.length, blobId: gitBlob(bytes) }
      : { rfilename, size: bytes.length, blobId: "pointer", lfs: { sha256: sha(bytes), size: bytes.length } };
    return list?.(rfilename, entry) ?? entry;
  });
}

const sha = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function gitBlob(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function json(value: unknown): RawAnswer {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return {
    status: 200,
    headers: { "content-length": body.length, "content-type": "application/json" },
    body,
  };
}

/** Runs with environment variables, and puts back what was there. */
export async function withVariables(
  values: Record<string, string | null>,
  run: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(values).map((name) => [name, Deno.env.get(name)] as const);
  const set = (name: string, value: string | null | undefined) =>
    value === null || value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  for (const [name, value] of Object.entries(values)) set(name, value);
  try {
    await run();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}
