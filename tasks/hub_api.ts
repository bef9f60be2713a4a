/** What the hub says about a data set: its commit and its files. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { get, type HttpOptions, persist, statusTrouble } from "./http_request.ts";
import type { HubSettings } from "./hub_settings.ts";

export interface HubFile {
  path: string;
  bytes: number;
  /** Lower-case hex, where the hub knows it: of large files. */
  sha256: string | null;
  /** Git's name of a file that has no sha256: sha1 of its length and bytes. */
  blob: string | null;
}

export interface HubDataSet {
  /** `org/name`. */
  id: string;
  /** Full commit, to which whatever is read is pinned. */
  commit: string;
  files: readonly HubFile[];
}

const answerSchema = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(z.object({
    rfilename: z.string(),
    size: z.number().nullish(),
    blobId: z.string().nullish(),
    lfs: z.object({ sha256: z.string().optional(), oid: z.string().optional(), size: z.number() }).nullish(),
  })),
});

/**
 * Asks for a data set.
 *
 * @param revision branch, tag or commit
 * @throws BenchError when it is not there for us, (exit code 4) when the hub cannot be reached
 */
export async function askHub(
  id: string,
  revision: string,
  settings: HubSettings,
  options: HttpOptions = {},
): Promise<HubDataSet> {
  const url = `${settings.endpoint}/api/datasets/${id}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const what = `Cannot find the data set ${id}@${revision}`;
  refuseOffline(what, settings);
  const text = await persist(what, options, async () => {
    const { response, body, close } = await get(url, hubHeaders(settings), options);
    try {
      if (response.status === 401 || response.status === 403 || response.status === 404) {
        throw refused(what, response.status, settings);
      }
      if (response.status !== 200) throw statusTrouble(response);
      return new TextDecoder().decode(await new Response(ReadableStream.from(body)).bytes());
    } finally {
      close();
    }
  });
  const answer = parsed(text);
  if (answer === null) {
    const why = `${settings.endpoint} answers in another way than the hub does`;
    throw new BenchError({ what, why, fix: "Check HF_ENDPOINT" }, EXIT.infrastructure);
  }
  return {
    id,
    commit: answer.sha,
    files: answer.siblings.map(({ rfilename, size, blobId, lfs }) => ({
      path: rfilename,
      bytes: lfs?.size ?? size ?? 0,
      sha256: lfs?.sha256 ?? lfs?.oid ?? null,
      blob: lfs ? null : blobId ?? null,
    })),
  };
}

function parsed(text: string): z.infer<typeof answerSchema> | null {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Address of a file's bytes. */
export function hubUrl({ id, commit }: HubDataSet, path: string, { endpoint }: HubSettings): string {
  return `${endpoint}/datasets/${id}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export function hubHeaders({ token }: HubSettings): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** @throws BenchError where the environment forbids to ask */
function refuseOffline(what: string, { offline }: HubSettings): void {
  if (!offline) return;
  throw new BenchError({
    what,
    why: "HF_HUB_OFFLINE is set",
    fix: "Unset it, or name a folder that was downloaded before",
  });
}

function refused(what: string, status: number, { token }: HubSettings): BenchError {
  const why = status === 404 ? "the hub has no such data set or revision" : `the hub refuses with ${status}`;
  const fix = token === null ? "Check the name; a private one needs HF_TOKEN" : "Check the name and HF_TOKEN";
  return new BenchError({ what, why, fix });
}
