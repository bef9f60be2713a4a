/** Recordings of a data set in the published layout. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { compositeOnWhite, decodePng } from "../env/png.ts";
import type { DataSet, EpisodeRow, StepRow } from "../tasks/data_source.ts";
import { SETTINGS } from "../tasks/tables.ts";
import { BadRow } from "./bad_rows.ts";
import { ownMessages } from "./own_messages.ts";
import type {
  RecordColumns,
  RecordedConversation,
  RecordedPicture,
  RecordedSet,
  RecordedStep,
  Recording,
  RecordingKey,
} from "./recording.ts";

/**
 * @param data may leave out bad rows: its episodes are those that there are
 * @param strict the same, and leaves out none: an episode one of whose steps is bad has to say so
 * @throws BenchError where there is no table of episodes, and for bad rows, unless the data set leaves them out
 */
export async function dataRecordings(data: DataSet, strict: DataSet): Promise<RecordedSet> {
  if (!await data.has("episodes")) {
    throw new BenchError({
      what: `Cannot read the episodes of ${data.where}`,
      why: "it has no table of episodes, or its README.md names files that are not there",
      fix: "Fetch or export it with its episodes",
    });
  }
  const keys: RecordingKey[] = [];
  for await (const row of data.episodes(undefined, { columns: ["episode_id", "task_id", "setting"] })) {
    const { setting, episode_id: episodeId } = row;
    keys.push({ bench: data.bench, setting, episodeId, place: placeOf(data, setting, episodeId) });
  }
  const tasks = await data.has("tasks") ? data.where : null;
  return {
    where: data.where,
    keys,
    unreadable: [],
    unfinished: [],
    async *read(keys) {
      for (const [setting, ofSetting] of Map.groupBy(keys, ({ setting }) => setting)) {
        const episodeIds = ofSetting.map(({ episodeId }) => episodeId);
        for await (const row of data.episodes(setting, { episodeIds })) yield recordingOf(strict, tasks, row);
      }
    },
    tables: () => Promise.resolve(data),
  };
}

const placeOf = (data: DataSet, setting: string, id: string): string => `${data.where}: ${setting}: ${id}`;

type Row = EpisodeRow & { setting: string };

function recordingOf(data: DataSet, tasks: string | null, row: Row): Recording {
  const { episode_id: id, setting } = row;
  const steps = () => stepsOf(data, setting, id);
  return {
    place: placeOf(data, setting, id),
    source: data.where,
    record: recordColumns(data, row),
    run: null,
    data: tasks,
    whole: false,
    steps,
    conversation: () => conversationOf(data, setting, id),
    async submitted() {
      const logged = row.final_scene ?? row.final_pose;
      const state = logged ?? (await data.has("steps") ? (await steps()).at(-1)?.record.state : null);
      if (state === undefined || state === null) return null;
      const ofLastStep = logged === undefined || logged === null;
      const { success, data: pose } = poseSchema.safeParse(state);
      if (!success) return { state, ofLastStep };
      const peeks = row.budget_used?.peeks ?? await peeksIn(data, setting, id);
      return { state: { ...pose, peeks }, ofLastStep };
    },
    finalPicture: () => hasFinalPicture(data, setting, id),
  };
}

async function hasFinalPicture(data: DataSet, setting: string, id: string): Promise<boolean> {
  if (data.bench !== "shadow") return false;
  return await ofGoodRows(async () => {
    const columns = ["episode_id", "final_shadow"] as const;
    for await (const { final_shadow } of data.episodes(setting, { columns, episodeIds: [id] })) {
      return (final_shadow ?? null) !== null;
    }
    return false;
  });
}

/** A pose earns less where the book was looked at, which its column does not say. */
const poseSchema = z.looseObject({ q: z.array(z.number()) });

async function peeksIn(data: DataSet, setting: string, id: string): Promise<number> {
  if (!await data.has("steps")) return 0;
  return await ofGoodRows(async () => {
    let peeks = 0;
    const columns = ["tool", "accepted"] as const;
    for await (const { tool, accepted } of data.steps(setting, { columns, episodeIds: [id] })) {
      if (tool === "peek_book" && accepted === true) peeks += 1;
    }
    return peeks;
  });
}

function recordColumns({ bench }: DataSet, row: Row): RecordColumns {
  const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, ...columns } = row;
  const { final_scene, final_pose, final_shadow: _, ...rest } = columns;
  const usage =
    cached_input_tokens === undefined || output_tokens === undefined || reasoning_tokens === undefined
      ? undefined
      : { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens };
  return {
    ...rest,
    bench,
    protocol: row.protocol ?? SETTINGS[bench][row.setting]?.protocol,
    // Published scores are full ones.
    score_kind: row.score_kind ?? "full",
    usage,
    final_state: final_scene ?? final_pose,
  };
}

async function stepsOf(data: DataSet, setting: string, id: string): Promise<RecordedStep[]> {
  const steps: RecordedStep[] = [];
  const read = async () => {
    for await (const row of data.steps(setting, { episodeIds: [id], images: true })) steps.push(stepOf(row));
  };
  // A table that is missing is no bad row.
  await ((await data.splits("steps")).includes(setting) ? ofGoodRows(read) : read());
  if (steps.length > 0) return steps.sort((a, b) => a.record.step - b.record.step);
  throw new BenchError({
    what: `Cannot read the steps of ${id}`,
    why: `${data.where} has none of it in ${setting}`,
    fix: "Fetch the whole table, or leave the episode out with --episodes",
  });
}

function stepOf(row: StepRow): RecordedStep {
  const { tool, accepted, arguments: text, image, scene, pose, licence: _, ...columns } = row;
  const picture = image === null || image === undefined ? null : pictureOf(row.step, image);
  return {
    record: {
      ...columns,
      // Nothing is called at step 0.
      tool: tool ?? undefined,
      accepted: accepted ?? undefined,
      arguments: text === null ? undefined : parsed(text),
      state: scene ?? pose,
      image: image === undefined ? undefined : picture === null ? null : picture.key ?? picture.name,
    },
    picture,
  };
}

/** Arguments that are no JSON are compared as they are. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function pictureOf(step: number, { bytes, path }: NonNullable<StepRow["image"]>): RecordedPicture {
  const name = path ?? `image of step ${step}`;
  return {
    name,
    key: /^([0-9a-f]{16,})\.png$/.exec(name)?.[1] ?? null,
    load: () => {
      try {
        return Promise.resolve(compositeOnWhite(decodePng(bytes ?? new Uint8Array())));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return Promise.reject(
          new BenchError({ what: `Cannot read ${name}`, why, fix: "Fetch the table again" }),
        );
      }
    },
  };
}

async function conversationOf(data: DataSet, setting: string, id: string): Promise<RecordedConversation> {
  if (!await data.has("transcripts")) return { messages: null, callsNotRun: 0 };
  return await ofGoodRows(async () => {
    for await (const { messages } of data.transcripts(setting, { episodeIds: [id] })) {
      const notRun = messages.filter(({ role, step }) => role === "tool" && (step ?? null) === null);
      return { messages: ownMessages(messages), callsNotRun: notRun.length };
    }
    return { messages: null, callsNotRun: 0 };
  });
}

/** @throws BadRow for a row that cannot be read */
async function ofGoodRows<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BenchError) || error.exitCode !== EXIT.usage) throw error;
    throw new BadRow(error.explanation, undefined, { cause: error });
  }
}
