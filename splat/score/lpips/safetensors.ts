/**
 * The safetensors format: 8 bytes with the length of a JSON header, the header, then the values.
 * https://github.com/huggingface/safetensors#format
 */
import { z } from "zod";
import type { ByteSource } from "../../../tasks/byte_source.ts";
import { decodeFloats, type TensorFile, type TensorValues, unreadable } from "./tensor_file.ts";

/** Longest header that the format allows. */
const MOST_HEADER_BYTES = 100_000_000;

const FLOAT_BYTES = { F32: 4, F16: 2 } as const;

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

export async function openSafetensors(source: ByteSource): Promise<TensorFile> {
  const start = new DataView((await source.read(0, 8)).buffer);
  const length = start.getUint32(4, true) * 2 ** 32 + start.getUint32(0, true);
  if (length > Math.min(MOST_HEADER_BYTES, source.byteLength - 8)) {
    throw unreadable(source, "it is neither a safetensors file nor a zip of torch.save");
  }
  const entries = parseHeader(source, await source.read(8, 8 + length));
  return {
    shapes: new Map([...entries].map(([name, { shape }]) => [name, shape])),
    async read(names) {
      const tensors = new Map<string, TensorValues>();
      for (const name of names) {
        const entry = entries.get(name);
        if (entry === undefined) throw unreadable(source, `it has no tensor ${name}`);
        const { dtype, shape, data_offsets: [from, to] } = entry;
        if (dtype !== "F32" && dtype !== "F16") throw unreadable(source, `${name} is of type ${dtype}`);
        const bytes = FLOAT_BYTES[dtype] * shape.reduce((product, side) => product * side, 1);
        const end = 8 + length + to;
        if (to - from !== bytes || end > source.byteLength) {
          throw unreadable(source, `${name} of ${shape.join("×")} does not fit its ${to - from} bytes`);
        }
        tensors.set(name, { shape, values: decodeFloats(dtype, await source.read(end - bytes, end)) });
      }
      return tensors;
    },
  };
}

/** A file with tensors of float32, in the order given. */
export function encodeSafetensors(tensors: ReadonlyMap<string, TensorValues>): Uint8Array<ArrayBuffer> {
  let end = 0;
  const header = Object.fromEntries([...tensors].map(([name, { shape, values }]) => {
    const entry = { dtype: "F32", shape, data_offsets: [end, end + 4 * values.length] };
    end += 4 * values.length;
    return [name, entry];
  }));
  const text = JSON.stringify(header);
  // Values begin at a multiple of 8; the format allows spaces behind the header.
  const json = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  const bytes = new Uint8Array(8 + json.length + end);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, json.length, true);
  bytes.set(json, 8);
  let at = 8 + json.length;
  for (const { values } of tensors.values()) {
    for (const value of values) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  return bytes;
}

function parseHeader(
  source: ByteSource,
  bytes: Uint8Array<ArrayBuffer>,
): Map<string, z.infer<typeof entrySchema>> {
  try {
    const header = z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(bytes)));
    const entries = Object.entries(header).filter(([name]) => name !== "__metadata__");
    return new Map(entries.map(([name, entry]) => [name, entrySchema.parse(entry)]));
  } catch {
    throw unreadable(source, "its header is damaged");
  }
}
