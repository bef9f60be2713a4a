/**
 * Columns of lists, decoded to levels and values and put together a row at a time.
 *
 * The package assembles a whole row group of nested arrays at once, which takes kilobytes a number: a group of a
 * thousand scenes takes gigabytes. Its own pieces decode the pages here; records are put together by recursive descent
 * over repetition and definition levels (Melnik et al., Dremel, VLDB 2010, section 4.3).
 */
import type { ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from "hyparquet";
import { parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetHeader, readPage } from "hyparquet/src/column.js";
import { convert, convertWithDictionary } from "hyparquet/src/convert.js";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import type { ByteSource } from "./byte_source.ts";

type ColumnDecoder = Parameters<typeof convert>[1];
type Parsers = ColumnDecoder["parsers"];

/** Whether a column holds lists that this file reads: all but maps and lists without the mark of one. */
export function isListColumn(metadata: FileMetaData, column: string): boolean {
  const node = nodeOf(metadata, column);
  return holdsList(node) && readable(node);
}

/** Values of the rows of a group, each put together when it is asked for, in any order. */
export async function readLists(
  source: ByteSource,
  metadata: FileMetaData,
  group: RowGroup,
  column: string,
  parsers: Parsers,
): Promise<(row: number) => unknown> {
  const root = parquetSchema(metadata);
  const node = nodeOf(metadata, column);
  const chunks = group.columns.flatMap(({ meta_data }) =>
    meta_data?.path_in_schema[0] === column ? [meta_data] : []
  );
  const leaves: Leaf[] = [];
  // One after the other: what decoding leaves behind is the most that is held.
  for (const chunk of chunks) leaves.push(await readLeaf(source, root, chunk, parsers));
  const odd = leaves.find(({ rows }) => rows.length !== Number(group.num_rows));
  if (odd !== undefined) throw new Error(`${odd.name} has ${odd.rows.length} of ${group.num_rows} rows`);
  const byPath = new Map(leaves.map((leaf) => [leaf.name, leaf]));
  const { read } = readerOf(node, { repetition: 0, definition: 0 }, byPath);
  return (row) => {
    for (const leaf of leaves) leaf.at = leaf.rows[row];
    return read();
  };
}

function nodeOf(metadata: FileMetaData, column: string): SchemaTree {
  const node = parquetSchema(metadata).children.find(({ element }) => element.name === column);
  if (node === undefined) throw new Error(`there is no column ${column}`);
  return node;
}

const isList = ({ element, children }: SchemaTree): boolean =>
  (element.converted_type === "LIST" || element.logical_type?.type === "LIST") && children.length === 1 &&
  children[0].element.repetition_type === "REPEATED";

const holdsList = (node: SchemaTree): boolean => isList(node) || node.children.some(holdsList);

function readable(node: SchemaTree): boolean {
  if (node.element.repetition_type === "REPEATED" || node.element.converted_type === "MAP") return false;
  if (!isList(node)) return node.children.every(readable);
  const element = elementOf(node);
  return element === node.children[0] ? element.children.every(readable) : readable(element);
}

/** The node of a list's elements: below the repeated group, or that group itself where it has several fields. */
function elementOf({ children: [repeated] }: SchemaTree): SchemaTree {
  return repeated.children.length === 1 ? repeated.children[0] : repeated;
}

/** The values of a leaf of the schema in one row group, with a cursor. */
interface Leaf {
  name: string;
  repetition: Uint8Array;
  definition: Uint8Array;
  /** Index of an entry's value; of no meaning where there is none. */
  valueAt: Uint32Array;
  values: ArrayLike<unknown>;
  /** Index of the first entry of each row. */
  rows: Uint32Array;
  at: number;
}

async function readLeaf(
  source: ByteSource,
  root: SchemaTree,
  chunk: ColumnMetaData,
  parsers: Parsers,
): Promise<Leaf> {
  const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
  const bytes = await source.read(start, start + Number(chunk.total_compressed_size));
  const { path_in_schema: pathInSchema } = chunk;
  const schemaPath = [root];
  for (const name of pathInSchema) {
    const child = schemaPath[schemaPath.length - 1].children.find(({ element }) => element.name === name);
    if (child === undefined) throw new Error(`there is no ${pathInSchema.join(".")}`);
    schemaPath.push(child);
  }
  const { element } = schemaPath[schemaPath.length - 1];
  const decoder: ColumnDecoder = {
    ...chunk,
    pathInSchema,
    element,
    schemaPath,
    compressors,
    utf8: false,
    parsers,
  };
  const most = schemaPath.slice(1).filter((node) => node.element.repetition_type !== "REQUIRED").length;
  return gathered(pathInSchema.join("."), decodePages(bytes, decoder), most);
}

interface Page {
  definition: readonly number[];
  repetition: readonly number[];
  entries: number;
  values: ArrayLike<unknown>;
}

function* decodePages(bytes: Uint8Array<ArrayBuffer>, decoder: ColumnDecoder): Generator<Page> {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  let dictionary: ReturnType<typeof convert> | undefined;
  while (reader.offset < bytes.length - 1) {
    const header = parquetHeader(reader);
    if (header.type === "DICTIONARY_PAGE") {
      const { data } = readPage(reader, header, decoder, undefined, undefined, 0);
      dictionary = data && convert(data, decoder);
      continue;
    }
    const compressed = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const head = header.data_page_header ?? header.data_page_header_v2;
    if (head === undefined) continue;
    const page = header.data_page_header === undefined
      ? readDataPageV2(compressed, header, decoder)
      : readDataPage(
        decompressPage(compressed, header.uncompressed_page_size, decoder.codec, decoder.compressors),
        header.data_page_header,
        decoder,
      );
    yield {
      definition: page.definitionLevels ?? [],
      repetition: page.repetitionLevels,
      entries: head.num_values,
      values: convertWithDictionary(page.dataPage, dictionary, head.encoding, decoder),
    };
  }
}

/** @param most definition level of an entry that has a value */
function gathered(name: string, pages: Iterable<Page>, most: number): Leaf {
  const parts = [...pages];
  const entries = parts.reduce((sum, page) => sum + page.entries, 0);
  const repetition = new Uint8Array(entries);
  const definition = new Uint8Array(entries).fill(most);
  const valueAt = new Uint32Array(entries);
  const rows: number[] = [];
  let [at, count] = [0, 0];
  for (const page of parts) {
    // A page without levels has only values.
    repetition.set(page.repetition, at);
    if (page.definition.length > 0) definition.set(page.definition, at);
    for (const end = at + page.entries; at < end; at++) {
      if (repetition[at] === 0) rows.push(at);
      valueAt[at] = count;
      if (definition[at] === most) count += 1;
    }
  }
  const values = together(parts.map((page) => page.values));
  if (values.length !== count) throw new Error(`${name} has ${values.length} values for ${count} places`);
  return { name, repetition, definition, valueAt, values, rows: Uint32Array.from(rows), at: 0 };
}

/** Numbers without boxes, all else as it is. */
function together(parts: readonly ArrayLike<unknown>[]): ArrayLike<unknown> {
  if (parts.length === 1) return parts[0];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new Array<unknown>(length);
  let at = 0;
  for (const part of parts) for (let i = 0; i < part.length; i++) all[at++] = part[i];
  return all;
}

/** How a node of the schema is put together from its leaves' cursors, which move past what is read. */
interface Reader {
  read(): unknown;
  /** Passes over what is null or empty: one entry in each leaf. */
  skip(): void;
  /** Any leaf tells the levels; the first does. */
  first: Leaf;
}

/** @param above levels of the place that the node is in */
function readerOf(
  node: SchemaTree,
  above: { repetition: number; definition: number },
  leaves: ReadonlyMap<string, Leaf>,
): Reader {
  const optional = node.element.repetition_type === "OPTIONAL";
  const here = { ...above, definition: above.definition + (optional ? 1 : 0) };
  const value = isList(node)
    ? listReader(node, here, leaves)
    : node.children.length > 0
    ? structReader(node, here, leaves)
    : leafReader(node, leaves);
  if (!optional) return value;
  const { first, skip } = value;
  return {
    first,
    skip,
    read() {
      if (first.definition[first.at] >= here.definition) return value.read();
      skip();
      return null;
    },
  };
}

function leafReader({ path }: SchemaTree, leaves: ReadonlyMap<string, Leaf>): Reader {
  const first = leaves.get(path.join("."));
  if (first === undefined) throw new Error(`${path.join(".")} has no values`);
  return {
    first,
    read: () => first.values[first.valueAt[first.at++]],
    skip: () => {
      first.at += 1;
    },
  };
}

function structReader(
  { children }: SchemaTree,
  here: { repetition: number; definition: number },
  leaves: ReadonlyMap<string, Leaf>,
): Reader {
  const fields = children.map((child) => ({ name: child.element.name, ...readerOf(child, here, leaves) }));
  return {
    first: fields[0].first,
    read() {
      const value: Record<string, unknown> = {};
      for (const { name, read } of fields) value[name] = read();
      return value;
    },
    skip: () => fields.forEach(({ skip }) => skip()),
  };
}

function listReader(
  node: SchemaTree,
  above: { repetition: number; definition: number },
  leaves: ReadonlyMap<string, Leaf>,
): Reader {
  const here = { repetition: above.repetition + 1, definition: above.definition + 1 };
  const { first, read, skip } = readerOf(elementOf(node), here, leaves);
  return {
    first,
    skip,
    read() {
      const list: unknown[] = [];
      if (first.definition[first.at] < here.definition) skip();
      else do list.push(read()); while (first.repetition[first.at] === here.repetition);
      return list;
    },
  };
}
