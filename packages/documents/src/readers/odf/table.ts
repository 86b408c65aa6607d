import type { Table } from '../../document.ts';
import { tableOf, type FoundCell } from '../../package/tables.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import type { Reading } from './reading.ts';

/** Empty rows and columns at the end of a sheet are repeated to its last place; so many copies of a full one are believed. */
const MAX_REPEATED_ROWS = 1_000;
const MAX_REPEATED_CELLS = 256;
const MAX_COLUMNS = 16_384;

const countOf = (element: XmlElement, name: string, most: number): number => {
  const value = Math.trunc(Number(attributeOf(element, name) ?? 1));
  return Number.isFinite(value) ? Math.min(most, Math.max(1, value)) : 1;
};

interface FoundRow {
  readonly element: XmlElement;
  readonly header: boolean;
  readonly hidden: boolean;
}

/** Rows in their order, those of groups and headings too. */
function* rowsOf(table: XmlElement, header: boolean): Generator<FoundRow> {
  for (const child of childrenOf(table)) {
    if (child.name === 'table:table-row') {
      const visibility = attributeOf(child, 'table:visibility') ?? 'visible';
      yield { element: child, header, hidden: visibility !== 'visible' };
    } else if (child.name === 'table:table-header-rows') yield* rowsOf(child, true);
    else if (child.name === 'table:table-rows' || child.name === 'table:table-row-group') yield* rowsOf(child, header);
  }
}

const hasContent = (cell: XmlElement): boolean =>
  cell.children.some(
    (child) =>
      typeof child !== 'string' &&
      child.name !== 'office:annotation' &&
      (innerText(child) !== '' || child.children.length > 0),
  );

/** The cells of a row at their columns; what the file repeats is written out where it holds something. */
function cellsOf({ element, header, hidden }: FoundRow, reading: Reading, at: number) {
  const cells: FoundCell[] = [];
  let [column, letters] = [0, 0];
  for (const cell of childrenOf(element)) {
    const covered = cell.name === 'table:covered-table-cell';
    if (!covered && cell.name !== 'table:table-cell') continue;
    const repeated = countOf(cell, 'table:number-columns-repeated', MAX_COLUMNS);
    if (!covered && column < MAX_COLUMNS) {
      const full = hasContent(cell);
      const copies = full ? Math.min(repeated, MAX_REPEATED_CELLS) : 0;
      const columnSpan = countOf(cell, 'table:number-columns-spanned', MAX_COLUMNS);
      const rowSpan = countOf(cell, 'table:number-rows-spanned', 65_536);
      const merged = columnSpan > 1 || rowSpan > 1;
      if (full || merged) {
        const blocks = full ? reading.blocks(cell) : [];
        const own = full ? innerText(cell).length : 0;
        reading.budget.text(own * (Math.max(1, copies) - 1));
        letters += own * Math.max(1, copies);
        for (let copy = 0; copy < Math.max(1, copies); copy++)
          cells.push({
            row: at,
            column: column + copy,
            rowSpan,
            columnSpan,
            ...(header ? { header: true } : {}),
            ...(hidden ? { hidden: true } : {}),
            blocks,
          });
      }
    }
    column += repeated;
  }
  return { cells, letters };
}

/** Reads a table of a text, a sheet or a slide; null without any cell that holds something. `source` marks those of sheets. */
export function readTable(element: XmlElement, reading: Reading, source?: string): Table | null {
  const cells: FoundCell[] = [];
  let [at, headerRows] = [0, 0];
  for (const row of rowsOf(element, false)) {
    const repeated = countOf(row.element, 'table:number-rows-repeated', 1_048_576);
    const { cells: found, letters } = cellsOf(row, reading, at);
    const copies = found.length === 0 ? 0 : Math.min(repeated, MAX_REPEATED_ROWS);
    reading.budget.cells(found.length * copies);
    reading.budget.text(letters * Math.max(0, copies - 1));
    for (let copy = 0; copy < copies; copy++)
      for (const cell of found) cells.push(copy === 0 ? cell : { ...cell, row: at + copy });
    at += repeated;
    if (row.header) headerRows = at;
  }
  if (cells.length === 0) return null;
  // Rows and columns before the first cell of a sheet hold nothing.
  const top = cells.reduce((least, { row }) => Math.min(least, row), Infinity);
  const left = cells.reduce((least, { column }) => Math.min(least, column), Infinity);
  const name = innerText(childOf(element, 'table:title')).trim();
  return tableOf(
    {
      page: reading.page,
      ...(source === undefined ? {} : { source }),
      headerRows: Math.max(0, headerRows - top),
      cells: cells.map((cell) => ({ ...cell, row: cell.row - top, column: cell.column - left })),
      ...(name === '' ? {} : { caption: [{ text: name }] }),
    },
    reading.budget,
  );
}
