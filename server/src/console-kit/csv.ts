/** Marks the bytes as UTF-8 for spreadsheets. */
export const CSV_MARK = '\uFEFF';

/** A cell; what a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of CSV (RFC 4180). */
export const csvLine = (values: readonly (string | number | boolean | null)[]): string =>
  `${values.map(cell).join(',')}\r\n`;
