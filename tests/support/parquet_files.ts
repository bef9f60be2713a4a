/** Parquet files that tests write themselves. */
import { ByteWriter, parquetWriteBuffer, ParquetWriter } from "hyparquet-writer";
import type { ByteSource } from "../../tasks/byte_source.ts";

type Column = Parameters<typeof parquetWriteBuffer>[0]["columnData"][number];
type Element = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>[number];

/** A whole file in memory; options as the writer has them. */
export function parquetBytes(
  columns: readonly Column[],
  options: Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData"> = {},
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parquetWriteBuffer({ columnData: [...columns], ...options }));
}

/** A file far larger than what is in memory: one row group many times. */
export interface LargeFile extends ByteSource {
  rows: number;
  /** Bytes of pictures that were read. */
  pictureBytes: number;
  /** All bytes that were read. */
  bytesRead: number;
}

const GROUP_ROWS = 100;
const PICTURE_BYTES = 200_000;

/**
 * A table `episode_id, image, step, response` of about `groups` × 20 MB; an episode a row group, pages with an index.
 * Every tenth row has no picture.
 */
export function largeFile(groups: number): LargeFile {
  const picture = (row: number) => {
    const bytes = new Uint8Array(PICTURE_BYTES).fill(row);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return bytes;
  };
  const rows = Array.from({ length: GROUP_ROWS }, (_, row) => row);
  const writer = new ByteWriter(2 ** 25);
  const parquet = new ParquetWriter({ writer, schema: SCHEMA });
  parquet.write({
    columnData: [
      { name: "episode_id", data: rows.map(() => "e") },
      {
        name: "image",
        data: rows.map((row) => row % 10 === 0 ? null : { bytes: picture(row), path: null }),
        codec: "UNCOMPRESSED",
        statistics: false,
      },
      { name: "step", data: rows },
      { name: "response", data: rows.map((row) => `Step ${row}.`) },
    ],
    rowGroupSize: GROUP_ROWS,
  });
  const magic = 4;
  const group = writer.getBytes().slice(magic);
  repeatGroup(parquet, groups, group.length);
  writer.index = 0;
  parquet.finish();
  const tail = writer.getBytes().slice();
  const image = parquet.row_groups[0].columns[1].meta_data;
  const [from, to] = [
    Number(image?.data_page_offset),
    Number(image?.data_page_offset) + Number(image?.total_compressed_size),
  ];
  const file: LargeFile = {
    name: "large.parquet",
    byteLength: magic + groups * group.length + tail.length,
    rows: groups * GROUP_ROWS,
    pictureBytes: 0,
    bytesRead: 0,
    read(start, end) {
      const bytes = new Uint8Array(end - start);
      for (let at = start; at < end;) {
        const inGroups = at - magic;
        const own = inGroups % group.length;
        const piece = inGroups >= groups * group.length
          ? tail.subarray(inGroups - groups * group.length)
          : group.subarray(own);
        const length = Math.min(piece.length, end - at);
        bytes.set(piece.subarray(0, length), at - start);
        if (piece.buffer === group.buffer) {
          const overlap = Math.min(own + magic + length, to) - Math.max(own + magic, from);
          file.pictureBytes += Math.max(0, overlap);
        }
        at += length;
      }
      file.bytesRead += bytes.length;
      return Promise.resolve(bytes);
    },
  };
  return file;
}

/** What the writer remembers of its first row group, as often as wanted, each after the other. */
function repeatGroup(parquet: ParquetWriter, groups: number, length: number): void {
  const [first] = parquet.row_groups;
  const indexes = [...parquet.pendingIndexes];
  for (let at = 1; at < groups; at++) {
    const by = BigInt(at * length);
    const columns = first.columns.map((chunk) => ({
      ...chunk,
      file_offset: chunk.file_offset + by,
      meta_data: chunk.meta_data && {
        ...chunk.meta_data,
        data_page_offset: chunk.meta_data.data_page_offset + by,
        dictionary_page_offset: chunk.meta_data.dictionary_page_offset &&
          chunk.meta_data.dictionary_page_offset + by,
      },
    }));
    parquet.row_groups.push({ ...first, columns });
    indexes.forEach(({ offsetIndex, ...index }, column) =>
      parquet.pendingIndexes.push({
        ...index,
        chunk: columns[column],
        offsetIndex: offsetIndex && {
          ...offsetIndex,
          page_locations: offsetIndex.page_locations.map((page) => ({ ...page, offset: page.offset + by })),
        },
      })
    );
  }
  parquet.num_rows = BigInt(groups * GROUP_ROWS);
  parquet.writer.offset += (groups - 1) * length;
}

const OPTIONAL = "OPTIONAL" as const;
const SCHEMA: Element[] = [
  { name: "schema", num_children: 4 },
  { name: "episode_id", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: OPTIONAL },
  { name: "image", num_children: 2, repetition_type: OPTIONAL },
  { name: "bytes", type: "BYTE_ARRAY", repetition_type: OPTIONAL },
  { name: "path", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: OPTIONAL },
  { name: "step", type: "INT32", repetition_type: OPTIONAL },
  { name: "response", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: OPTIONAL },
];
