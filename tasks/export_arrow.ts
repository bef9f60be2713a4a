/** Rows to Arrow files (Feather version 2). */
import {
  Binary,
  Bool,
  type DataType,
  Field,
  Float64,
  Int64,
  List,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { ColumnType, Fields } from "./column_types.ts";
import { huggingfaceNote, IMAGE, PendingFile, type RowWriter, storedFields } from "./export_file.ts";

/** Most rows of a record batch. */
const BATCH_ROWS = 100;

export async function arrowWriter(path: string, fields: Fields): Promise<RowWriter> {
  const file = await PendingFile.create(path);
  const schema = new Schema(fieldsOf(fields), new Map([["huggingface", huggingfaceNote(fields)]]));
  const writer = new RecordBatchFileWriter();
  writer.reset(undefined, schema);
  const drained = (async () => {
    for await (const chunk of writer) await file.append(chunk);
  })();
  // Who finishes is told of what fails before.
  drained.catch(() => {});
  let rows: Record<string, unknown>[] = [];
  const writeBatch = () => {
    const vectors = Object.fromEntries(
      schema.fields.map(({ name, type }) => [name, vectorFromArray(rows.map((row) => row[name]), type)]),
    );
    for (const batch of new Table(schema, vectors).batches) writer.write(batch);
    rows = [];
  };
  return {
    write(row) {
      rows.push(storedFields(fields, row, "bigint"));
      if (rows.length >= BATCH_ROWS) writeBatch();
      return Promise.resolve();
    },
    async finish() {
      if (rows.length > 0) writeBatch();
      writer.finish();
      await drained;
      await file.finish();
    },
    async discard() {
      writer.finish();
      await drained.catch(() => {});
      file.discard();
    },
  };
}

function fieldsOf(fields: Fields): Field[] {
  return Object.entries(fields).map(([name, type]) => new Field(name, typeOf(type), true));
}

function typeOf(type: ColumnType): DataType {
  if (type === "image") return typeOf(IMAGE);
  if (typeof type === "object") {
    return "list" in type
      ? new List(new Field("item", typeOf(type.list), true))
      : new Struct(fieldsOf(type.struct));
  }
  switch (type) {
    case "integer":
      return new Int64();
    case "number":
      return new Float64();
    case "flag":
      return new Bool();
    case "bytes":
      return new Binary();
    case "text":
    case "json":
      return new Utf8();
  }
}
