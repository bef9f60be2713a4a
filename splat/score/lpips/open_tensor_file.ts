/** Files of named tensors, in either of the formats that weights are published in. */
import type { ByteSource } from "../../../tasks/byte_source.ts";
import { openSafetensors } from "./safetensors.ts";
import { type TensorFile, unreadable } from "./tensor_file.ts";
import { openTorchZip } from "./torch_zip.ts";

/** Opens a safetensors file or a checkpoint of torch.save (the zip format of torch 1.6 and later). */
export async function openTensorFile(source: ByteSource): Promise<TensorFile> {
  if (source.byteLength < 16) throw unreadable(source, `it has ${source.byteLength} bytes`);
  const [first, second, third] = await source.read(0, 16);
  if (first === 0x50 && second === 0x4b) return await openTorchZip(source);
  if (first === 0x80 && second === 0x02 && third === 0x8a) {
    throw unreadable(source, "it is in the format that torch wrote before version 1.6");
  }
  return await openSafetensors(source);
}
