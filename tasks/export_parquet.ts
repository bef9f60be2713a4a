/** Rows to Parquet files as the hub's data sets are made of. */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ColumnType, Fields } from "./column_types.ts";
import { huggingfaceNote, IMAGE, PendingFile, type RowWriter, storedFields } from "./export_file.ts";

type Element = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

/** Most rows of a row group, and about how many bytes of pictures: a reader fetches a group's index at once. */
const GROUP_ROWS = 1000;
const GROUP_BYTES = 8 * 2 ** 20;

/** Pictures are stored as they are; all else is compressed. Row groups with pictures are small. */
export async function parquetWriter(path: string, fields: Fields): Promise<RowWriter> {
  const file = await PendingFile.create(path);
  const bytes = new ByteWriter(2 ** 20);
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(fields),
    kvMetadata: [{ key: "huggingface", value: huggingfaceNote(fields) }],
    createdBy: "perpetual-bench",
  });
  let group: Record<string, unknown>[] = [];
  let held = 0;
  const flush = async () => {
    await file.append(bytes.getBytes());
    bytes.index = 0;
  };
  const writeGroup = async () => {
    if (group.length === 0) return;
    await parquet.write({ columnData: columnsOf(fields, group), rowGroupSize: group.length });
    await flush();
    [group, held] = [[], 0];
  };
  return {
    async write(row) {
      const values = storedFields(fields, row, "bigint");
      group.push(values);
      held += Object.values(values).reduce<number>((sum, value) => sum + pictureBytes(value), 0);
      if (group.length >= GROUP_ROWS || held >= GROUP_BYTES) await writeGroup();
    },
    async finish() {
      await writeGroup();
      await parquet.finish();
      await flush();
      await file.finish();
    },
    discard: () => Promise.resolve(file.discard()),
  };
}

function columnsOf(fields: Fields, rows: readonly Record<string, unknown>[]) {
  return Object.entries(fields).map(([name, type]) => ({
    name,
    data: rows.map((row) => row[name]),
    ...holdsPictures(type) ? { codec: "UNCOMPRESSED" as const, statistics: false } : {},
  }));
}

const holdsPictures = (type: ColumnType): boolean =>
  type === "image" || (typeof type === "object" && "list" in type && type.list === "image");

function pictureBytes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + pictureBytes(entry), 0);
  if (typeof value !== "object" || value === null || !("bytes" in value)) return 0;
  return value.bytes instanceof Uint8Array ? value.bytes.length : 0;
}

/** The tree of columns in depth-first order; every node may be null. */
function schemaOf(fields: Fields): Element[] {
  return [{ name: "schema", num_children: Object.keys(fields).length }, ...elementsOf(fields)];
}

function elementsOf(fields: Fields): Element[] {
  return Object.entries(fields).flatMap(([name, type]) => elementOf(name, type));
}

function elementOf(name: string, type: ColumnType): Element[] {
  const repetition_type = "OPTIONAL" as const;
  if (type === "image") return elementOf(name, IMAGE);
  if (typeof type === "object" && "struct" in type) {
    const children = elementsOf(type.struct);
    return [{ name, repetition_type, num_children: Object.keys(type.struct).length }, ...children];
  }
  if (typeof type === "object") {
    return [
      { name, repetition_type, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...elementOf("element", type.list),
    ];
  }
  switch (type) {
    case "integer":
      return [{ name, repetition_type, type: "INT64" }];
    case "number":
      return [{ name, repetition_type, type: "DOUBLE" }];
    case "flag":
      return [{ name, repetition_type, type: "BOOLEAN" }];
    case "bytes":
      return [{ name, repetition_type, type: "BYTE_ARRAY" }];
    case "text":
    case "json":
      return [{
        name,
        repetition_type,
        type: "BYTE_ARRAY",
        converted_type: "UTF8",
        logical_type: { type: "STRING" },
      }];
  }
}
