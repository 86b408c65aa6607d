import Papa from 'papaparse';
import { type TableCell, type Warning, plain } from '../document.ts';
import { ParseError } from '../parse-error.ts';
import type { Reader } from '../reader.ts';
import { decodeText } from '../text/charset.ts';
import { createBudget } from './budget.ts';

/** Signs that may part the cells of a line, in the order in which they are believed. */
const delimiters = [',', '\t', ';', '|', '\u001F'];
/** Signs that are believed only where none of those does, and where they cut every line alike. */
const rareDelimiters = ['^', '~', '¦', '§', '¶', '#', '||', '::'];
/** So many lines say which of them does. */
const SAMPLE_LINES = 50;

/** How many cells each of the first lines has. */
const widthsBy = (sample: string, delimiter: string): number[] =>
  Papa.parse<string[]>(sample, { delimiter, preview: SAMPLE_LINES, skipEmptyLines: true }).data.map(
    ({ length }) => length,
  );

/** The sign that cuts the first lines into the same number of cells, of at least two; a comma where none does. */
function delimiterOf(sample: string): string {
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of delimiters) {
    const widths = widthsBy(sample, delimiter);
    const usual = mostCommon(widths);
    if (usual < 2) continue;
    const score = (widths.filter((width) => width === usual).length / widths.length) * Math.min(usual, 4);
    if (score > best.score + 1e-9) best = { delimiter, score };
  }
  if (best.score > 0) return best.delimiter;
  const rare = rareDelimiters.find((delimiter) => {
    const [first = 0, ...rest] = widthsBy(sample, delimiter);
    return first > 1 && rest.length > 0 && rest.every((width) => width === first);
  });
  return rare ?? best.delimiter;
}

function mostCommon(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

const isNumber = (text: string) => /^[+-]?[\d,.]*\d%?$/.test(text.trim());
/** The first line names the columns where it holds no numbers and others do, or where all its cells differ and are filled. */
function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...rest] = rows;
  if (rest.length === 0 || first.some((cell) => isNumber(cell))) return false;
  return first.every((cell) => cell.trim() !== '') && new Set(first).size === first.length;
}

/** Comma-separated values and their kin: one table. */
export const readCsv: Reader = (bytes, { limits, onPage }) => {
  const { text, damaged, charset } = decodeText(bytes);
  const budget = createBudget(limits);
  budget.text(text.length);
  const delimiter = delimiterOf(text.slice(0, 200_000));
  const rows: string[][] = [];
  let broken = false;
  Papa.parse<string[]>(text, {
    delimiter,
    skipEmptyLines: 'greedy',
    step({ data, errors }) {
      budget.cells(data.length);
      broken ||= errors.length > 0;
      rows.push(data);
    },
  });
  if (rows.length === 0) throw new ParseError('CORRUPTED', 'The file holds no rows.');
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  // Rows that are shorter than others have places all the same.
  budget.cells(rows.reduce((sum, { length }) => sum + columns - length, 0));
  const header = hasHeader(rows);
  const cells = rows.flatMap((row, at) =>
    row.map((value, column): TableCell => ({
      row: at,
      column,
      rowSpan: 1,
      columnSpan: 1,
      ...(header && at === 0 ? { header: true } : {}),
      blocks: value.trim() === '' ? [] : [{ type: 'paragraph', page: null, spans: plain(value.trim()) }],
    })),
  );
  const warnings: Warning[] = [];
  if (damaged)
    warnings.push({ code: 'text_damaged', message: `Some letters could not be read as ${charset.toUpperCase()}.` });
  if (broken) warnings.push({ code: 'quotes_broken', message: 'Some quotation marks of the file have no end.' });
  onPage(1, 1);
  return {
    format: 'csv',
    meta: {},
    pages: [],
    blocks: [{ type: 'table', page: null, rows: rows.length, columns, headerRows: header ? 1 : 0, cells }],
    warnings,
  };
};
