/** State dicts as torch.save writes them since version 1.6: a zip of a pickle and one file a storage. */
import { z } from "zod";
import type { ByteSource } from "../../../tasks/byte_source.ts";
import { PERSISTENT, PickledCall, readPickle } from "./pickle.ts";
import { decodeFloats, type TensorFile, type TensorValues, unreadable } from "./tensor_file.ts";
import { entryBytes, zipEntries, type ZipEntry } from "./zip_entries.ts";

/** Ranges closer to each other than this are read as one: a request costs more than these bytes. */
const GAP = 64 * 1024;

/** Opens the file without reading more of it than its directory and pickle. */
export async function openTorchZip(source: ByteSource): Promise<TensorFile> {
  const entries = await zipEntries(source);
  const pickle = [...entries.values()].find(({ name }) => name.endsWith("/data.pkl"));
  if (pickle === undefined) throw unreadable(source, "it is a zip, but not one of torch.save");
  const bytes = entryBytes(source, pickle, await source.read(pickle.start, pickle.end));
  const stored = storedTensors(source, bytes);
  const folder = pickle.name.slice(0, -"data.pkl".length);
  return {
    shapes: new Map([...stored].map(([name, { shape }]) => [name, shape])),
    async read(names) {
      const wanted = names.map((name) => {
        const tensor = stored.get(name);
        const entry = entries.get(`${folder}data/${tensor?.storage}`);
        if (tensor === undefined || entry === undefined) throw unreadable(source, `it has no tensor ${name}`);
        return { name, tensor, entry };
      });
      const storages = await readEntries(source, wanted.map(({ entry }) => entry));
      return new Map(wanted.map(({ name, tensor, entry }) => {
        const storage = storages.get(entry) ?? new Uint8Array();
        return [name, tensorValues(source, name, tensor, storage)];
      }));
    },
  };
}

interface StoredTensor {
  readonly type: "F32" | "F16" | null;
  readonly storage: string;
  /** In the storage, values. */
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** torch._utils._rebuild_tensor_v2(("storage", type, key, device, length), offset, shape, strides, …). */
const tensorArguments = z.tuple([
  z.custom<PickledCall>((value) => value instanceof PickledCall && value.name === PERSISTENT),
  z.int().nonnegative(),
  z.array(z.int().nonnegative()),
  z.array(z.int().nonnegative()),
], z.unknown());
const storageArguments = z.tuple([z.literal("storage"), z.instanceof(PickledCall), z.string()], z.unknown());

const FLOAT_STORAGES: Readonly<Record<string, "F32" | "F16">> = {
  "torch.FloatStorage": "F32",
  "torch.HalfStorage": "F16",
};

function storedTensors(source: ByteSource, bytes: Uint8Array<ArrayBuffer>): Map<string, StoredTensor> {
  try {
    const state = z.map(z.unknown(), z.unknown()).parse(readPickle(bytes));
    return new Map([...state].flatMap(([name, value]) => {
      const isTensor = value instanceof PickledCall && value.name === "torch._utils._rebuild_tensor_v2";
      return typeof name === "string" && isTensor ? [[name, storedTensor(value)] as const] : [];
    }));
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof z.ZodError)) throw error;
    const why = error instanceof RangeError ? error.message : "its pickle is not of a state dict of tensors";
    throw unreadable(source, why);
  }
}

function storedTensor({ args }: PickledCall): StoredTensor {
  const [persistent, offset, shape, strides] = tensorArguments.parse(args);
  const [, { name: type }, storage] = storageArguments.parse(persistent.args);
  return { type: FLOAT_STORAGES[type] ?? null, storage, offset, shape, strides };
}

/** Bytes of entries, those that lie side by side in one read. */
async function readEntries(
  source: ByteSource,
  entries: readonly ZipEntry[],
): Promise<Map<ZipEntry, Uint8Array<ArrayBuffer>>> {
  const ordered = [...new Set(entries)].sort((a, b) => a.start - b.start);
  const runs: ZipEntry[][] = [];
  for (const entry of ordered) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && entry.start - before.end < GAP) last.push(entry);
    else runs.push([entry]);
  }
  const bytes = new Map<ZipEntry, Uint8Array<ArrayBuffer>>();
  for (const run of runs) {
    const first = run[0].start;
    const piece = await source.read(first, Math.max(...run.map(({ end }) => end)));
    for (const entry of run) {
      bytes.set(entry, entryBytes(source, entry, piece.subarray(entry.start - first, entry.end - first)));
    }
  }
  return bytes;
}

function tensorValues(
  source: ByteSource,
  name: string,
  { type, offset, shape, strides }: StoredTensor,
  storage: Uint8Array<ArrayBuffer>,
): TensorValues {
  if (type === null) throw unreadable(source, `${name} is not of float32 or float16`);
  const length = shape.reduce((product, side) => product * side, 1);
  const inOrder = strides.every((stride, axis) =>
    shape[axis] === 1 || stride === shape.slice(axis + 1).reduce((product, side) => product * side, 1)
  );
  if (!inOrder) throw unreadable(source, `${name} is stored transposed`);
  const size = type === "F32" ? 4 : 2;
  const bytes = storage.subarray(offset * size, (offset + length) * size);
  if (bytes.length !== length * size) throw unreadable(source, `${name} does not fit its storage`);
  return { shape, values: decodeFloats(type, bytes) };
}
