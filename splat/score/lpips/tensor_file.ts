/** Named tensors in a file, read one by one. */
import { BenchError } from "../../../env/errors.ts";
import type { ByteSource } from "../../../tasks/byte_source.ts";

/** float32 values in C order. */
export interface TensorValues {
  readonly shape: readonly number[];
  readonly values: Float32Array<ArrayBuffer>;
}

/** What a file holds; values are read only when asked for. */
export interface TensorFile {
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  /** The values of some of the tensors. Throws BenchError for a damaged file or an element type that is no float. */
  read(names: readonly string[]): Promise<Map<string, TensorValues>>;
}

/** float32 values of little-endian float32 or float16 bytes. */
export function decodeFloats(type: "F32" | "F16", bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = type === "F32" ? 4 : 2;
  return Float32Array.from(
    { length: bytes.length / size },
    (_, at) => type === "F32" ? view.getFloat32(4 * at, true) : halfFloat(view.getUint16(2 * at, true)),
  );
}

export function unreadable(source: ByteSource, why: string): BenchError {
  return new BenchError({
    what: `Cannot read weights from ${source.name}`,
    why,
    fix: "Use a .safetensors file, or let `bench fetch weights` download one",
  });
}

/** IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = bits >> 10 & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
