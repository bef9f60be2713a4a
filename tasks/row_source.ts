/** Where the rows of a data set's tables come from. */
import type { TableName } from "./data_rows.ts";
import type { RowFile } from "./raw_rows.ts";
import type { BenchId } from "./tables.ts";

export interface RowSource {
  readonly bench: BenchId;
  /** Where it is, for people. */
  readonly where: string;
  /** Commit of the data set; null where nobody knows. */
  readonly revision: string | null;
  /** Whether its table of tasks stands for itself: that of a run is made of what its episodes name. */
  readonly listsTasks: boolean;
  /** Splits of a table; none where it is not there. */
  splits(table: TableName): Promise<readonly string[]>;
  /** Files of a split in order, opened when called; none for a split that is not there. */
  files(table: TableName, split: string): Promise<readonly (() => Promise<RowFile>)[]>;
}
