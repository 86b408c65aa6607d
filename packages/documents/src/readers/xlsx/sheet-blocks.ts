import type { Block, Page, Table, TableCell } from '../../document.ts';
import type { Budget } from '../budget.ts';
import { type Region, regionsOf } from './regions.ts';
import type { Cell, Grid } from './sheet.ts';

/** Rows at the top of a region that name its columns. */
function headerRowsOf(region: Region, { frozenRows }: Grid): number {
  const rows = region.bottom - region.top + 1;
  if (rows < 2) return 0;
  if (frozenRows > region.top && frozenRows <= region.bottom) return frozenRows - region.top;
  const first = region.cells.filter(({ row }) => row === region.top);
  const words = first.length > 1 && first.every(({ isNumber }) => !isNumber);
  const others = region.cells.some(({ row, isNumber }) => row > region.top && isNumber);
  return words && (others || first.length === region.right - region.left + 1) ? 1 : 0;
}

function tableOf(region: Region, sheet: Grid, page: number): Table {
  const { top, left, bottom, right } = region;
  const spans = new Map(sheet.merged.map((area) => [`${area.top} ${area.left}`, area]));
  const headerRows = headerRowsOf(region, sheet);
  const columns = right - left + 1;
  const taken = new Uint8Array((bottom - top + 1) * columns);
  const cells = region.cells.flatMap(({ row, column, spans: text }): TableCell[] => {
    const at = (row - top) * columns + column - left;
    // Cells that a merged one covers are not shown.
    if (taken[at] === 1) return [];
    const area = spans.get(`${row} ${column}`);
    const hidden = sheet.hiddenRows.has(row) || sheet.hiddenColumns.has(column);
    const rowSpan = area === undefined ? 1 : Math.min(area.bottom, bottom) - row + 1;
    const columnSpan = area === undefined ? 1 : Math.min(area.right, right) - column + 1;
    for (let down = 0; down < rowSpan; down++) taken.fill(1, at + down * columns, at + down * columns + columnSpan);
    return [
      {
        row: row - top,
        column: column - left,
        rowSpan,
        columnSpan,
        ...(row - top < headerRows ? { header: true } : {}),
        ...(hidden ? { hidden: true } : {}),
        blocks: [{ type: 'paragraph', page, spans: text }],
      },
    ];
  });
  return { type: 'table', page, rows: bottom - top + 1, columns, headerRows, cells };
}

/** Tables of so many places are written out, however few of them hold something. */
const MAX_PLACES = 200_000;
/** Beyond that, as many places may be empty for each that is not. */
const MAX_EMPTY = 20;

const isSparse = ({ top, left, bottom, right, cells }: Region): boolean => {
  const places = (bottom - top + 1) * (right - left + 1);
  return places > MAX_PLACES && places > MAX_EMPTY * cells.length;
};

/** The words of cells that lie too far from each other for a table, a line for each row. */
function linesOf({ cells }: Region, page: number): Block[] {
  const rows = new Map<number, Cell[]>();
  for (const cell of cells) {
    const row = rows.get(cell.row);
    if (row === undefined) rows.set(cell.row, [cell]);
    else row.push(cell);
  }
  return [...rows.values()].map((row): Block => ({
    type: 'paragraph',
    page,
    spans: row.flatMap(({ spans }, at) => (at === 0 ? spans : [{ text: '\t' }, ...spans])),
  }));
}

/** A line of words above a table, or a table. */
function blocksOf(region: Region, sheet: Grid, page: number): Block[] {
  if (region.cells.length === 1 || isSparse(region)) return linesOf(region, page);
  return [tableOf(region, sheet, page)];
}

/** A title that stands right above a table in a row of its own is its caption. */
function withCaption(region: Region, sheet: Grid, page: number): Block[] {
  const first = region.cells.filter(({ row }) => row === region.top);
  const [title, ...beside] = first;
  const wide = region.right - region.left > 0 && region.bottom > region.top && !isSparse(region);
  if (!wide || title === undefined || beside.length > 0 || title.isNumber) return blocksOf(region, sheet, page);
  const area = sheet.merged.find(({ top, left }) => top === title.row && left === title.column);
  if (area !== undefined && area.bottom > area.top) return blocksOf(region, sheet, page);
  const rest = region.cells.filter(({ row }) => row > region.top);
  if (rest.length < 2) return blocksOf(region, sheet, page);
  const table = tableOf({ ...region, top: region.top + 1, cells: rest }, sheet, page);
  return [{ ...table, caption: title.spans }];
}

/** What a sheet holds: its tables, and what stands `beside` them. */
export function sheetBlocks(sheet: Grid, beside: readonly Block[], page: Page, budget: Budget): Block[] {
  const regions = regionsOf(sheet);
  // Cells that hold something were counted where they were read.
  for (const region of regions)
    if (!isSparse(region))
      budget.cells((region.bottom - region.top + 1) * (region.right - region.left + 1) - region.cells.length);
  const blocks = [...regions.flatMap((region) => withCaption(region, sheet, page.number)), ...beside];
  const heading: Block = {
    type: 'heading',
    level: 1,
    page: page.number,
    source: 'sheet',
    spans: [{ text: page.name ?? '' }],
  };
  const all = page.name === undefined || blocks.length === 0 ? blocks : [heading, ...blocks];
  return page.hidden === true ? all.map((block) => ({ ...block, hidden: true })) : all;
}
