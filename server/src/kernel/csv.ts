/** Marks the bytes as UTF-8 for spreadsheets. */
export const CSV_BOM = '\uFEFF';

/** Formats a cell; an apostrophe keeps spreadsheets from reading text as a formula. */
function formatCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of CSV (RFC 4180). */
export const csvLine = (values: readonly (string | number | boolean | null)[]): string =>
  `${values.map(formatCell).join(',')}\r\n`;
