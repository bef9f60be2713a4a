/** Rows of a fixture that tests/fixtures/packed.py wrote. */

export interface PackedRows {
  readonly columns: readonly string[];
  /** [rows, columns] */
  readonly rows: readonly (readonly unknown[])[];
}

export function unpacked({ columns, rows }: PackedRows): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
}
