/** Tables of plain columns as Parquet and Arrow files. */
import { Float64, Int32, Table, tableToIPC, Utf8, type Vector, vectorFromArray } from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";

/** A column of text or numbers, null where there is no value. */
export interface PlainColumn {
  readonly name: string;
  readonly type: "text" | "integer" | "number";
  /** [rows] */
  readonly values: readonly (string | number | null)[];
}

export const FLAT_FORMATS = ["arrow", "parquet"] as const;
export type FlatFormat = (typeof FLAT_FORMATS)[number];

/** A whole file: Parquet, or Arrow's file format (Feather version 2). */
export function flatFile(columns: readonly PlainColumn[], format: FlatFormat): Uint8Array {
  return format === "parquet" ? parquetFile(columns) : arrowFile(columns);
}

function parquetFile(columns: readonly PlainColumn[]): Uint8Array {
  const types = { text: "STRING", integer: "INT32", number: "DOUBLE" } as const;
  return new Uint8Array(parquetWriteBuffer({
    columnData: columns.map(({ name, type, values }) => ({
      name,
      type: types[type],
      nullable: true,
      data: [...values],
    })),
  }));
}

function arrowFile(columns: readonly PlainColumn[]): Uint8Array {
  const vectors: Record<string, Vector> = {};
  for (const { name, type, values } of columns) vectors[name] = arrowVector(type, values);
  return tableToIPC(new Table(vectors), "file");
}

function arrowVector(type: PlainColumn["type"], values: PlainColumn["values"]): Vector {
  switch (type) {
    case "text":
      return vectorFromArray(values, new Utf8());
    case "integer":
      return vectorFromArray(values, new Int32());
    case "number":
      return vectorFromArray(values, new Float64());
  }
}
