/** A record of CSV: its cells, and the line of the file that it begins on, from 1. */
export interface CsvRecord {
  readonly row: number;
  readonly cells: readonly string[];
}

/** What separates the cells, as the first line tells. */
const separatorOf = (text: string) =>
  [',', '\t', ';'].find((one) => (text.split('\n', 1)[0] ?? '').split(one).length > 1) ?? ',';

/**
 * The records of CSV (RFC 4180) whatever separates its cells, or of cells copied from a spreadsheet; those without a word are left out.
 * Null where a quotation mark is not closed.
 */
export function csvRecords(given: string): CsvRecord[] | null {
  const text = given.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const records: { row: number; cells: string[] }[] = [];
  let row = 1;
  let record = { row, cells: [] as string[] };
  let cell = '';
  let quoted = false;
  const endCell = () => {
    record.cells.push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\n') row += 1;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (sign === separator) endCell();
    else if (sign === '\n') {
      endCell();
      records.push(record);
      record = { row, cells: [] };
    } else if (sign !== '\r') cell += sign;
  }
  if (quoted) return null;
  endCell();
  records.push(record);
  return records.filter(({ cells }) => cells.some((one) => one.trim() !== ''));
}

/** A file as text: UTF-8, or what Korean spreadsheets write where it is not: "Unicode text" is UTF-16, with a mark that says so. */
export function decodeText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('euc-kr').decode(bytes);
  }
}

/** A cell; what a spreadsheet would take for a formula gets an apostrophe before it. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** CSV of rows, marked as UTF-8 for spreadsheets. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
