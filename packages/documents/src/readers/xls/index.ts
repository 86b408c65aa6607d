import type { Block, Page, Warning } from '../../document.ts';
import { append } from '../../package/append.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader, ReadOptions } from '../../reader.ts';
import { type Budget, createBudget } from '../budget.ts';
import { u16At } from '../hwp/bytes.ts';
import { openCompoundFile } from '../hwp/compound.ts';
import { commentBlocks } from '../xlsx/drawings-and-comments.ts';
import { sheetBlocks } from '../xlsx/sheet-blocks.ts';
import { type BookSheet, readBook } from './book.ts';
import { BEGIN_RECORD, type Records, lookThrough, readRecordsOf } from './records.ts';

interface Opened {
  readonly records: Records;
  readonly sheets: readonly BookSheet[];
}

/** What stands in the records of a workbook. Throws ParseError. */
async function open(bytes: Uint8Array, { limits }: ReadOptions, budget: Budget): Promise<Opened> {
  const { paths, stream } = openCompoundFile(bytes, limits.entries);
  const records = stream(paths.find((path) => /^(?:workbook|book)$/iu.test(path)) ?? '');
  if (records === null) throw new ParseError('CORRUPTED', 'The workbook is damaged and cannot be read.');
  // The library would take another beginning for another format.
  if (u16At(records, 0) !== BEGIN_RECORD)
    throw new ParseError('CORRUPTED', 'The workbook is damaged and cannot be read.');
  const sheets = await readBook(readRecordsOf(records), budget);
  if (sheets.length === 0) throw new ParseError('CORRUPTED', 'The workbook has no sheets that can be read.');
  return { records: lookThrough(records), sheets };
}

function notRead({ charts, texts }: Records): Warning[] {
  const what = [...(charts > 0 ? ['charts'] : []), ...(texts > 0 ? ['text boxes'] : [])].join(' and ');
  const message = `The ${what} of this older Excel file are not read; save it as XLSX to have them read.`;
  return what === '' ? [] : [{ code: 'text_not_read', message }];
}

/**
 * XLS (Excel 95 to 2003): sheets with the values that their cells show, merged cells, links and comments. Charts and text boxes are told, not
 * read. Where an office program saves older formats as newer ones, that is asked instead. Source: MS-XLS.
 */
export const readXls: Reader = async (bytes, options) => {
  const { limits, pages: wanted, onPage } = options;
  if (options.hasOffice === true)
    throw new ParseError('UNSUPPORTED', 'An office program saves older Excel files as XLSX.', { savedAs: 'xlsx' });
  const budget = createBudget(limits);
  const { records, sheets } = await open(bytes, options, budget);
  budget.pages(sheets.length);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  for (const [at, { name, hidden, grid, comments }] of sheets.entries()) {
    const page: Page = { number: at + 1, name, ...(hidden ? { hidden: true } : {}) };
    if (wanted !== null && !wanted.has(page.number)) continue;
    pages.push(page);
    append(blocks, sheetBlocks(grid, commentBlocks(comments, page.number), page, budget));
    onPage(page.number, sheets.length);
  }
  return { format: 'xls', meta: {}, pages, blocks, warnings: notRead(records) };
};

/** What a document shows of an older workbook that lies in it: the sheet that is open. Throws ParseError. */
export const readShownXls: Reader = async (bytes, options) => {
  const budget = createBudget(options.limits);
  const { records, sheets } = await open(bytes, options, budget);
  const sheet = sheets[records.open];
  if (sheet === undefined) throw new ParseError('CORRUPTED', 'The workbook has no sheet that can be read.');
  const beside = commentBlocks(sheet.comments, 1);
  return {
    format: 'xls',
    meta: {},
    pages: [],
    blocks: sheetBlocks(sheet.grid, beside, { number: 1 }, budget),
    warnings: [],
  };
};
