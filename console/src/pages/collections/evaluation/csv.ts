/** Why a file is no list of questions. */
export type FileError = 'columns' | 'empty' | 'quotes';

/** A line of the file: its number as editors count, from 1. */
export interface QuestionRow {
  readonly row: number;
  readonly question: string;
  readonly documents: readonly string[];
}

/** The cells of CSV (RFC 4180) with the line that each record begins on; null where a quotation mark is not closed. */
function recordsOf(text: string, separator: string): { row: number; cells: string[] }[] | null {
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

const isQuestion = (name: string) => /^(question|query|질문|질의)$/i.test(name.trim());
const isDocuments = (name: string) => /^(documents?|expected|정답|문서|정답 ?문서)$/i.test(name.trim());

/** Questions of a CSV file, whatever separates its cells; those of rows without either are told of later. */
export function parseQuestions(text: string): readonly QuestionRow[] | FileError {
  const clean = text.replace(/^\uFEFF/, '');
  const [head = ''] = clean.split('\n', 1);
  const separator = [',', '\t', ';'].find((one) => head.split(one).length > 1) ?? ',';
  const records = recordsOf(clean, separator);
  if (records === null) return 'quotes';
  const [names, ...rows] = records;
  const question = names?.cells.findIndex(isQuestion) ?? -1;
  const documents = names?.cells.findIndex(isDocuments) ?? -1;
  if (question === -1 || documents === -1) return 'columns';
  if (rows.length === 0) return 'empty';
  return rows.map(({ row, cells }) => ({
    row,
    question: (cells[question] ?? '').trim(),
    documents: (cells[documents] ?? '')
      .split(/[;\n|]/)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  }));
}

/** A file as text: UTF-8, or what Korean spreadsheets write where it is not: "Unicode text" is UTF-16, with a mark that says so. */
export function decode(bytes: ArrayBuffer): string {
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

/** Saves a text as a file. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
