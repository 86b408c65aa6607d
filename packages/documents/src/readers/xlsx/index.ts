import { type Block, type Page, type Warning, textOf } from '../../document.ts';
import { append } from '../../package/append.ts';
import { type OfficePackage, openOffice } from '../../package/office.ts';
import { metaOf } from '../../package/properties.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader, ReadOptions } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { isEmbedded, readEmbedded } from '../inner-part.ts';
import { LetterCount, countBlocks } from '../lost-letters.ts';
import { drawingAndCommentBlocks } from './drawings-and-comments.ts';
import { createHeldText } from './held.ts';
import { marginsOf } from './margins.ts';
import { sheetBlocks } from './sheet-blocks.ts';
import { readSheet } from './sheet.ts';
import { readWorkbook } from './workbook.ts';

/** Documents that lie on a sheet. */
async function embeddedBlocks(office: OfficePackage, part: string, page: number, readInner: ReadOptions['readInner']) {
  const blocks: Block[] = [];
  for (const relation of (await office.relations(part)).values())
    if (isEmbedded(relation))
      for (const block of await readEmbedded(office, relation.target, readInner)) blocks.push({ ...block, page });
  return blocks;
}

/** XLSX: sheets with the values that their cells show; parts of a sheet are tables of their own, charts, comments and documents that lie on it follow them. */
export const readXlsx: Reader = async (bytes, { limits, pages: wanted, onPage, readInner }) => {
  const office = await openOffice(bytes, limits);
  const budget = createBudget(limits);
  const letters = new LetterCount('all but letters');
  const workbook = await readWorkbook(office, budget, createHeldText(letters));
  if (workbook.sheets.length === 0) throw new ParseError('CORRUPTED', 'The workbook has no sheets that can be read.');
  budget.pages(workbook.sheets.length);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  const warnings: Warning[] = [];
  for (const [at, entry] of workbook.sheets.entries()) {
    const number = at + 1;
    if (wanted !== null && !wanted.has(number)) continue;
    const page: Page = { number, name: entry.name, ...(entry.hidden ? { hidden: true } : {}) };
    pages.push(page);
    const sheet = await readSheet(office, entry.part, workbook, budget);
    if (sheet === null)
      warnings.push({ code: 'page_unreadable', message: `The sheet ${entry.name} cannot be read.`, page: number });
    else {
      budget.text(sheet.cells.reduce((sum, { spans }) => sum + textOf(spans).length, 0));
      const beside = await drawingAndCommentBlocks(office, entry.part, workbook, { page: number, budget });
      const margins = (type: 'header' | 'footer') => marginsOf(sheet.root, type, number);
      const shown = sheetBlocks(sheet, beside, page, budget);
      countBlocks(letters, shown.slice(shown[0]?.type === 'heading' ? 1 : 0));
      const embedded = await embeddedBlocks(office, entry.part, number, readInner);
      append(blocks, [...margins('header'), ...shown, ...embedded, ...margins('footer')]);
    }
    onPage(at + 1, workbook.sheets.length);
  }
  const meta = metaOf(await office.tree('docProps/core.xml'));
  return { format: 'xlsx', meta, pages, blocks, warnings: [...office.warnings(), ...warnings, ...letters.warnings()] };
};
