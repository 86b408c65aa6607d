import { textOf } from '../../document.ts';
import { openOffice } from '../../package/office.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { LetterCount } from '../lost-letters.ts';
import { drawingAndCommentBlocks } from './drawings-and-comments.ts';
import { createHeldText } from './held.ts';
import { sheetBlocks } from './sheet-blocks.ts';
import { type Cell, readSheet } from './sheet.ts';
import { readWorkbook } from './workbook.ts';

/** What a document shows of a workbook that lies in it: the sheet that is open, as far as its frame reaches. Throws ParseError. */
export const readShownSheet: Reader = async (bytes, { limits }) => {
  const office = await openOffice(bytes, limits);
  const budget = createBudget(limits);
  const workbook = await readWorkbook(office, budget, createHeldText(new LetterCount()));
  const { sheet: at, area } = workbook.shown;
  const entry = workbook.sheets[at];
  const sheet = entry === undefined ? null : await readSheet(office, entry.part, workbook, budget);
  if (entry === undefined || sheet === null)
    throw new ParseError('CORRUPTED', 'The workbook has no sheet that can be read.');
  const isShown = ({ row, column }: Cell) =>
    area === null || (row >= area.top && row <= area.bottom && column >= area.left && column <= area.right);
  const cells = sheet.cells.filter(isShown);
  budget.text(cells.reduce((sum, { spans }) => sum + textOf(spans).length, 0));
  const beside = await drawingAndCommentBlocks(office, entry.part, workbook, { page: 1, budget });
  const blocks = sheetBlocks({ ...sheet, cells }, beside, { number: 1 }, budget);
  return { format: 'xlsx', meta: {}, pages: [], blocks, warnings: office.warnings() };
};
