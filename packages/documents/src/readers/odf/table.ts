import { type Block, type Table, plain } from '../../document.ts';
import { tableOf, type FoundCell } from '../../package/tables.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { shownValue } from './cell-value.ts';
import type { Reading } from './reading.ts';
import { type FoundRow, rowsOf } from './rows.ts';

/** Empty rows and columns at the end of a sheet are repeated to its last place; so many copies of a full one are believed. */
const MAX_REPEATED_ROWS = 1_000;
const MAX_REPEATED_CELLS = 256;
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
/** Cells further from each other stand in no table together. */
const MAX_GAP = 100;

const countOf = (element: XmlElement, name: string, most: number): number => {
  const value = Math.trunc(Number(attributeOf(element, name) ?? 1));
  return Number.isFinite(value) ? Math.min(most, Math.max(1, value)) : 1;
};

const hasContent = (cell: XmlElement): boolean =>
  cell.children.some(
    (child) =>
      typeof child !== 'string' &&
      child.name !== 'office:annotation' &&
      (innerText(child) !== '' || child.children.length > 0),
  );

/** Which columns are not shown, those of groups too. */
function hiddenColumns(table: XmlElement): Uint8Array {
  const hidden = new Uint8Array(MAX_COLUMNS);
  let at = 0;
  const visit = (element: XmlElement): void => {
    for (const child of childrenOf(element)) {
      if (at >= MAX_COLUMNS) return;
      if (child.name === 'table:table-column') {
        const end = at + countOf(child, 'table:number-columns-repeated', MAX_COLUMNS);
        if ((attributeOf(child, 'table:visibility') ?? 'visible') !== 'visible') hidden.fill(1, at, end);
        at = end;
      } else if (/^table:table-(?:header-columns|columns|column-group)$/.test(child.name)) visit(child);
    }
  };
  visit(table);
  return hidden;
}

/** A cell of a sheet that comments are about. */
interface Remark {
  readonly row: number;
  readonly column: number;
  readonly annotation: XmlElement;
}

/** What is known of a table while its rows are read. */
interface Grid {
  readonly reading: Reading;
  readonly isSheet: boolean;
  readonly hidden: Uint8Array;
  /** By column: the row below the cell that reaches down into it. */
  readonly reached: number[];
  readonly remarks: Remark[];
}

/** Some programs leave out the cells that others cover: the next one stands behind those. Sheets are told by their places alone. */
function freeColumn({ isSheet, reached }: Grid, row: number, from: number): number {
  let column = from;
  while (!isSheet && column < MAX_COLUMNS && (reached[column] ?? 0) > row) column++;
  return column;
}

function reachDown({ reached }: Grid, cell: { column: number; columnSpan: number; below: number }): void {
  const end = cell.column + Math.min(cell.columnSpan, MAX_REPEATED_CELLS);
  for (let column = cell.column; column < end; column++) reached[column] = cell.below;
}

/** The text of a cell; its value where it has none. */
function cellBlocks(cell: XmlElement, full: boolean, { page, blocks }: Reading): readonly Block[] {
  if (full) return blocks(cell);
  const value = shownValue(cell);
  return value === '' ? [] : [{ type: 'paragraph', page, spans: plain(value) }];
}

/** The cells of a row at their columns; what the file repeats is written out where it holds something. */
function cellsOf({ element, header, hidden }: FoundRow, grid: Grid, at: number) {
  const { reading } = grid;
  const cells: FoundCell[] = [];
  let [column, letters] = [0, 0];
  for (const cell of childrenOf(element)) {
    const covered = cell.name === 'table:covered-table-cell';
    if (!covered && cell.name !== 'table:table-cell') continue;
    const repeated = countOf(cell, 'table:number-columns-repeated', MAX_COLUMNS);
    if (!covered) column = freeColumn(grid, at, column);
    if (!covered && column < MAX_COLUMNS) {
      const written = hasContent(cell);
      const full = written || shownValue(cell) !== '';
      if (grid.isSheet)
        for (const annotation of childrenOf(cell, 'office:annotation'))
          grid.remarks.push({ row: at, column, annotation });
      const copies = full ? Math.min(repeated, MAX_REPEATED_CELLS) : 0;
      const columnSpan = countOf(cell, 'table:number-columns-spanned', MAX_COLUMNS);
      const rowSpan = countOf(cell, 'table:number-rows-spanned', 65_536);
      const merged = columnSpan > 1 || rowSpan > 1;
      if (full || merged) {
        const blocks = full ? cellBlocks(cell, written, reading) : [];
        const own = written ? innerText(cell).length : shownValue(cell).length;
        const isHidden = hidden || grid.hidden[column] === 1;
        reading.budget.text(own * (Math.max(1, copies) - 1));
        letters += own * Math.max(1, copies);
        for (let copy = 0; copy < Math.max(1, copies); copy++)
          cells.push({
            row: at,
            column: column + copy,
            rowSpan,
            columnSpan,
            ...(header ? { header: true } : {}),
            ...(isHidden ? { hidden: true } : {}),
            blocks,
          });
        if (merged && !grid.isSheet) reachDown(grid, { column, columnSpan, below: at + rowSpan });
      }
    }
    column += repeated;
  }
  return { cells, letters };
}

interface FoundCells {
  readonly cells: readonly FoundCell[];
  readonly headerRows: number;
  readonly remarks: readonly Remark[];
}

/** All cells of a table that hold something, at their places. */
function findCells(element: XmlElement, reading: Reading, isSheet: boolean): FoundCells {
  const grid: Grid = { reading, isSheet, hidden: hiddenColumns(element), reached: [], remarks: [] };
  const cells: FoundCell[] = [];
  let [at, headerRows] = [0, 0];
  for (const row of rowsOf(element, false)) {
    const repeated = countOf(row.element, 'table:number-rows-repeated', MAX_ROWS);
    const { cells: found, letters } = cellsOf(row, grid, at);
    const copies = found.length === 0 ? 0 : Math.min(repeated, MAX_REPEATED_ROWS);
    reading.budget.cells(found.length * copies);
    reading.budget.text(letters * Math.max(0, copies - 1));
    for (let copy = 0; copy < copies; copy++)
      for (const cell of found) cells.push(copy === 0 ? cell : { ...cell, row: at + copy });
    at += repeated;
    if (row.header) headerRows = at;
  }
  return { cells, headerRows, remarks: grid.remarks };
}

/** Rows and columns before the first cell hold nothing. */
function gridOf(cells: readonly FoundCell[], headerRows: number, { page, budget }: Reading, source?: string) {
  const top = cells.reduce((least, { row }) => Math.min(least, row), Infinity);
  const left = cells.reduce((least, { column }) => Math.min(least, column), Infinity);
  return tableOf(
    {
      page,
      ...(source === undefined ? {} : { source }),
      headerRows: Math.max(0, headerRows - top),
      cells: cells.map((cell) => ({ ...cell, row: cell.row - top, column: cell.column - left })),
    },
    budget,
  );
}

const titled = (table: Table, element: XmlElement): Table => {
  const name = innerText(childOf(element, 'table:title')).trim();
  return name === '' ? table : { ...table, caption: [{ text: name }] };
};

/** Reads a table of a text or a slide; null without any cell that holds something. */
export function readTable(element: XmlElement, reading: Reading): Table | null {
  const { cells, headerRows } = findCells(element, reading, false);
  const table = gridOf(cells, headerRows, reading);
  return table === null ? null : titled(table, element);
}

/** Places in order without the wide gaps between them: what the file says to what the table says. */
function withoutGaps(places: Iterable<number>): ReadonlyMap<number, number> {
  const moved = new Map<number, number>();
  let [last, to] = [-1, -1];
  for (const place of [...new Set(places)].toSorted((a, b) => a - b)) {
    to += place - last > MAX_GAP && last >= 0 ? 1 : place - last;
    moved.set(place, to);
    last = place;
  }
  return moved;
}

/** The cells of a sheet in parts that stand far below each other; columns far beside each other move together. */
function partsOf(cells: readonly FoundCell[]): FoundCell[][] {
  const columns = withoutGaps(cells.map(({ column }) => column));
  const end = cells.reduce((most, { column }) => Math.max(most, columns.get(column) ?? 0), 0) + 1;
  const parts: FoundCell[][] = [];
  let below = -Infinity;
  for (const cell of cells.toSorted((a, b) => a.row - b.row)) {
    if (cell.row - below > MAX_GAP) parts.push([]);
    below = Math.max(below, cell.row);
    const column = columns.get(cell.column) ?? 0;
    // A title may span all columns that a sheet can have.
    const columnSpan =
      cell.columnSpan > MAX_GAP ? Math.max(1, Math.min(cell.columnSpan, end - column)) : cell.columnSpan;
    parts.at(-1)?.push({ ...cell, column, columnSpan });
  }
  return parts;
}

const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) + String.fromCodePoint(0x41 + (column % 26));

/** Reads a sheet: its tables, and the comments on its cells. */
export function readSheet(element: XmlElement, reading: Reading): Block[] {
  const { cells, headerRows, remarks } = findCells(element, reading, true);
  const tables = partsOf(cells).flatMap((part): Table[] => {
    const table = gridOf(part, headerRows, reading, 'sheet');
    return table === null ? [] : [table];
  });
  const [first, ...others] = tables;
  const notes = remarks.flatMap(({ row, column, annotation }): Block[] => {
    const note = reading.comment(annotation);
    return note.blocks.length === 0 ? [] : [{ ...note, marker: `${columnName(column)}${row + 1}` }];
  });
  return [...(first === undefined ? [] : [titled(first, element)]), ...others, ...notes];
}
