import { CSV_BOM, csvLine } from '../../kernel/csv.ts';
import { StudioError } from '../../kernel/errors.ts';
import { textOf } from '../definition/template-text.ts';
import type { MadeFile } from '../run-files.ts';

// Files that are written from what nodes gave. The end of the name says what they are.

type Cell = string | number | boolean | null;

const cellOf = (value: unknown): Cell => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
};

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Most cells of a table; of objects without a name in common there are as many as their square. */
const MAX_CELLS = 1_000_000;

/** A table of a list: of objects with a head of all their names, of lists as they are, of anything else in one column. */
function writeTable(rows: readonly unknown[]): string {
  if (rows.every(isRow)) {
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    if (names.length * rows.length > MAX_CELLS)
      throw new StudioError(
        'too_large',
        `A table may have ${MAX_CELLS} cells at most: this one has ${rows.length} rows of ${names.length}`,
      );
    return [csvLine(names), ...rows.map((row) => csvLine(names.map((name) => cellOf(row[name]))))].join('');
  }
  return rows.map((row) => csvLine((Array.isArray(row) ? row : [row]).map(cellOf))).join('');
}

/** The text of a file by its end. A text is written as it is. */
function contentOf(ending: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (ending === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  if (ending !== 'csv') return textOf(value);
  // Spreadsheets take what has no mark for another encoding.
  return CSV_BOM + writeTable(Array.isArray(value) ? value : [value]);
}

/** A file of this name, or `answer.md` without one; of a name without an end a text. */
export function writeDocument(name: string, value: unknown): Omit<MadeFile, 'key'> {
  const named = name === '' ? 'answer.md' : name;
  const [, ending] = /\.([a-z0-9]{1,10})$/i.exec(named) ?? [];
  const fileName = ending === undefined ? `${named}.txt` : named;
  return { name: fileName, mediaType: null, bytes: Buffer.from(contentOf((ending ?? 'txt').toLowerCase(), value)) };
}
