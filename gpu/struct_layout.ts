import { GpuError } from "../env/errors.ts";

/** WGSL types a host-visible struct may hold. Size and alignment: WGSL specification, "Alignment and Size". */
const TYPES = {
  f32: { scalar: "f32", rows: 1, columns: 1, align: 4 },
  i32: { scalar: "i32", rows: 1, columns: 1, align: 4 },
  u32: { scalar: "u32", rows: 1, columns: 1, align: 4 },
  vec2f: { scalar: "f32", rows: 2, columns: 1, align: 8 },
  vec2i: { scalar: "i32", rows: 2, columns: 1, align: 8 },
  vec2u: { scalar: "u32", rows: 2, columns: 1, align: 8 },
  vec3f: { scalar: "f32", rows: 3, columns: 1, align: 16 },
  vec3i: { scalar: "i32", rows: 3, columns: 1, align: 16 },
  vec3u: { scalar: "u32", rows: 3, columns: 1, align: 16 },
  vec4f: { scalar: "f32", rows: 4, columns: 1, align: 16 },
  vec4i: { scalar: "i32", rows: 4, columns: 1, align: 16 },
  vec4u: { scalar: "u32", rows: 4, columns: 1, align: 16 },
  mat3x3f: { scalar: "f32", rows: 3, columns: 3, align: 16 },
  mat4x4f: { scalar: "f32", rows: 4, columns: 4, align: 16 },
} as const;

/** A WGSL type name of a field. */
export type FieldType = keyof typeof TYPES;

/** Field names and types in declaration order. */
export type Fields = Readonly<Record<string, FieldType>>;

/** Host values of each type. */
interface HostValue {
  f32: number;
  i32: number;
  u32: number;
  vec2f: readonly [number, number];
  vec2i: readonly [number, number];
  vec2u: readonly [number, number];
  vec3f: readonly [number, number, number];
  vec3i: readonly [number, number, number];
  vec3u: readonly [number, number, number];
  vec4f: readonly [number, number, number, number];
  vec4i: readonly [number, number, number, number];
  vec4u: readonly [number, number, number, number];
  /** Column-major, 9 numbers. */
  mat3x3f: readonly number[];
  /** Column-major, 16 numbers. */
  mat4x4f: readonly number[];
}

/** One struct on the host: a number for a scalar, a list of components for a vector or matrix. */
export type StructValue<F extends Fields> = { readonly [K in keyof F]: HostValue[F[K]] };

/** What a kernel needs of a struct: its name and its WGSL declaration. */
export interface StructText {
  readonly name: string;
  readonly wgsl: string;
}

/** A struct as WGSL lays it out in the storage address space. */
export interface StructLayout<F extends Fields = Fields> extends StructText {
  /** Byte offset of each field. */
  readonly offsets: { readonly [K in keyof F]: number };
  /** Bytes of one struct, which is also the stride of an array of them. */
  readonly byteLength: number;
  /** Bytes of an `array<S>` holding the values in order; padding is zero. Throws GpuError on a bad component. */
  pack(values: readonly StructValue<F>[]): Uint8Array<ArrayBuffer>;
}

/**
 * Declares a struct once for host and kernels: offsets, packing and the WGSL text come from `fields`.
 *
 * ```ts
 * const Camera = struct("Camera", { rotation: "mat3x3f", translation: "vec3f", fx: "f32" });
 * Camera.offsets.fx; // 60: a scalar fits behind a vec3f
 * ```
 */
export function struct<const F extends Fields>(name: string, fields: F): StructLayout<F> {
  const placed: PlacedField[] = [];
  let end = 0;
  let align = 4;
  for (const [field, type] of Object.entries(fields)) {
    const shape = TYPES[type];
    const offset = roundUp(end, shape.align);
    placed.push({ name: field, type, offset });
    end = offset + byteLengthOf(type);
    align = Math.max(align, shape.align);
  }
  if (placed.length === 0) {
    throw new GpuError({ what: `Cannot declare struct ${name}`, why: "it has no field and WGSL wants one" });
  }
  const byteLength = roundUp(end, align);
  return {
    name,
    wgsl: `struct ${name} {\n${placed.map((f) => `  ${f.name}: ${f.type},\n`).join("")}}\n`,
    offsets: mapFields(fields, placed),
    byteLength,
    pack: (values) => {
      const bytes = new Uint8Array(values.length * byteLength);
      const view = new DataView(bytes.buffer);
      for (const [index, value] of values.entries()) {
        for (const field of placed) {
          writeField(view, index * byteLength, field, value[field.name], `${name}[${index}].${field.name}`);
        }
      }
      return bytes;
    },
  };
}

interface PlacedField {
  name: string;
  type: FieldType;
  offset: number;
}

/** The overload gives back the field names that `Object.fromEntries` forgets. */
function mapFields<F extends Fields>(
  fields: F,
  placed: readonly PlacedField[],
): { readonly [K in keyof F]: number };
function mapFields(_fields: Fields, placed: readonly PlacedField[]): Readonly<Record<string, number>> {
  return Object.fromEntries(placed.map(({ name, offset }) => [name, offset]));
}

function writeField(
  view: DataView,
  base: number,
  field: PlacedField,
  value: number | readonly number[] | undefined,
  path: string,
): void {
  const { scalar, rows, columns } = TYPES[field.type];
  const components = typeof value === "number" ? [value] : value ?? [];
  if (components.length !== rows * columns) {
    throw new GpuError({
      what: `Cannot pack ${path}`,
      why: `${components.length} components, ${field.type} has ${rows * columns}`,
    });
  }
  for (const [index, component] of components.entries()) {
    const column = Math.floor(index / rows);
    const offset = base + field.offset + column * columnStride(rows) + (index % rows) * 4;
    writeScalar(view, offset, scalar, component, path);
  }
}

function writeScalar(
  view: DataView,
  offset: number,
  scalar: "f32" | "i32" | "u32",
  value: number,
  path: string,
): void {
  if (scalar === "f32") return view.setFloat32(offset, value, true);
  const [low, high] = scalar === "u32" ? [0, 2 ** 32 - 1] : [-(2 ** 31), 2 ** 31 - 1];
  // DataView wraps what does not fit; a wrapped index reads the wrong Gaussian without any error.
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new GpuError({ what: `Cannot pack ${path}`, why: `${value} is no ${scalar}` });
  }
  if (scalar === "u32") view.setUint32(offset, value, true);
  else view.setInt32(offset, value, true);
}

function byteLengthOf(type: FieldType): number {
  const { rows, columns } = TYPES[type];
  return columns === 1 ? rows * 4 : columns * columnStride(rows);
}

/** A matrix column takes the room of its vector's alignment: three floats take 16 bytes. */
function columnStride(rows: number): number {
  return rows === 3 ? 16 : rows * 4;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
