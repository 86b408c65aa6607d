/** Data as rows and columns. */
interface DataTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** More columns are hardly a table. */
const MAX_COLUMNS = 40;

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A list of objects as a table, in the order in which their names come; null for other data. */
export function tableOf(data: unknown): DataTable | null {
  if (!Array.isArray(data) || data.length === 0 || !data.every(isRow)) return null;
  const columns = [...new Set(data.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return null;
  return { columns, rows: data.map((row) => columns.map((column) => cellOf(row[column]))) };
}
