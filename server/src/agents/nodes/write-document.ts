import { type DocumentMaker, type WrittenFormat, writtenFormats } from '@ai-studio/documents';
import { CSV_BOM, csvLine } from '../../kernel/csv.ts';
import { StudioError } from '../../kernel/errors.ts';
import { textOf } from '../definition/template-text.ts';
import { endingOf, nameFault } from '../definition/written-file.ts';
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

/** Names of all columns. Throws StudioError `too_large`. */
function namesOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length * rows.length > MAX_CELLS)
    throw new StudioError(
      'too_large',
      `A table may have ${MAX_CELLS} cells at most: this one has ${rows.length} rows of ${names.length}`,
    );
  return names;
}

/** A table of a list: of objects with a head of all their names, of lists as they are, of anything else in one column. */
function writeTable(rows: readonly unknown[]): string {
  if (rows.every(isRow)) {
    const names = namesOf(rows);
    return [csvLine(names), ...rows.map((row) => csvLine(names.map((name) => cellOf(row[name]))))].join('');
  }
  return rows.map((row) => csvLine((Array.isArray(row) ? row : [row]).map(cellOf))).join('');
}

/** The text of a file by its end. A text is written as it is. */
function contentOf(ending: string, value: unknown): string {
  if (typeof value === 'string') return ending === 'csv' && !value.startsWith(CSV_BOM) ? CSV_BOM + value : value;
  if (ending === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  if (ending !== 'csv') return textOf(value);
  // Spreadsheets take what has no mark for another encoding.
  return CSV_BOM + writeTable(Array.isArray(value) ? value : [value]);
}

const isFormat = (ending: string): ending is WrittenFormat => writtenFormats.some((format) => format === ending);

/** A text as Markdown that shows each of its signs: it is a value, and no Markdown. */
const shownAsIs = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/** What a file of Word or Hancom Office is written of: texts are Markdown, lists of objects are tables, the rest is shown as it is. */
function markdownOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const rows = Array.isArray(value) ? value : [value];
  if (!rows.every(isRow)) return shownAsIs(textOf(value));
  const names = namesOf(rows);
  if (names.length === 0) return '';
  const oneLine = (text: string) =>
    text.includes('\n')
      ? text
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
          .join(' ')
      : text;
  const line = (cells: readonly unknown[]) =>
    `| ${cells.map((cell) => shownAsIs(oneLine(String(cellOf(cell) ?? '')))).join(' | ')} |`;
  const ruler = `|${names.map(() => ' --- |').join('')}`;
  return [line(names), ruler, ...rows.map((row) => line(names.map((name) => row[name])))].join('\n');
}

/**
 * A file of this name, or `answer.md` without one; of a name without an end a text. `.docx`, `.hwpx` and `.pdf` are documents of what is written in
 * Markdown. Rejects with StudioError: `invalid_request` for a name of a format that is not written, `too_large`, `unprocessable`.
 */
export async function writeDocument(
  make: DocumentMaker['make'],
  name: string,
  value: unknown,
): Promise<Omit<MadeFile, 'key'>> {
  const named = name === '' ? 'answer.md' : name;
  const fault = nameFault(named);
  if (fault !== null) throw new StudioError('invalid_request', fault);
  const ending = endingOf(named);
  const fileName = ending === null ? `${named}.txt` : named;
  const format = ending ?? 'txt';
  if (isFormat(format)) {
    const options = { pageNumbers: true, numbering: 'official' } as const;
    const { bytes } = await make({ markdown: markdownOf(value), format, options, pictures: {} });
    return { name: fileName, mediaType: null, bytes: Buffer.from(bytes) };
  }
  return { name: fileName, mediaType: null, bytes: Buffer.from(contentOf(format, value)) };
}
