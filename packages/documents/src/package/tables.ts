import type { Block, Span, Table, TableCell } from '../document.ts';
import { textOf } from '../document.ts';
import type { Budget } from '../readers/budget.ts';

/** A cell as a reader found it, at its place in the grid. */
export interface FoundCell {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  readonly header?: boolean;
  readonly hidden?: boolean;
  readonly blocks: readonly Block[];
  /** It stands out by its ground. */
  readonly shaded?: boolean;
}

export interface FoundTable {
  readonly page: number | null;
  readonly source?: string;
  readonly hidden?: boolean;
  /** How many rows at the top the file calls headings. */
  readonly headerRows: number;
  readonly caption?: readonly Span[];
  /** Rows that the file has: in some no cell begins. */
  readonly rows?: number;
  readonly cells: readonly FoundCell[];
}

/** True when all letters of a cell are bold. */
const isBold = (blocks: readonly Block[]): boolean =>
  blocks.length > 0 &&
  blocks.every(
    (block) =>
      block.type === 'paragraph' && block.spans.every((span) => span.bold === true || textOf([span]).trim() === ''),
  );

const isEmpty = (blocks: readonly Block[]): boolean =>
  blocks.every((block) => block.type === 'paragraph' && textOf(block.spans).trim() === '');

/** The first row of a table without named headings is one where it alone stands out as a whole. */
function looksHeaded(cells: readonly FoundCell[], rows: number, columns: number): boolean {
  if (rows < 2 || columns < 2) return false;
  const stands = (row: number): boolean => {
    const of = cells.filter((cell) => cell.row === row);
    const full = of.filter(({ blocks }) => !isEmpty(blocks));
    if (full.length === 0 || of.some(({ rowSpan }) => rowSpan > 1)) return false;
    return full.every(({ shaded }) => shaded) || full.every(({ blocks }) => isBold(blocks));
  };
  return stands(0) && !stands(1);
}

/** A table of cells that may lie over each other or beyond it; where they do, the first one stays. Null without any cell. */
export function tableOf(
  { cells: found, headerRows: given, rows: least = 0, ...rest }: FoundTable,
  budget: Budget,
): Table | null {
  if (found.length === 0) return null;
  const rows = found.reduce((most, { row }) => Math.max(most, row + 1), least);
  const columns = found.reduce((most, { column, columnSpan }) => Math.max(most, column + Math.max(1, columnSpan)), 0);
  budget.cells(rows * columns);
  const taken = new Uint8Array(rows * columns);
  const cells: TableCell[] = [];
  const sorted = found.toSorted((a, b) => a.row - b.row || a.column - b.column);
  const headerRows = Math.min(rows, given === 0 && looksHeaded(sorted, rows, columns) ? 1 : given);
  for (const { shaded: _, ...cell } of sorted) {
    const columnSpan = Math.max(1, Math.min(cell.columnSpan, columns - cell.column));
    const rowSpan = Math.max(1, Math.min(cell.rowSpan, rows - cell.row));
    const at = cell.row * columns + cell.column;
    if (taken[at] === 1) continue;
    for (let row = 0; row < rowSpan; row++) taken.fill(1, at + row * columns, at + row * columns + columnSpan);
    const header = cell.header === true || cell.row < headerRows;
    cells.push({ ...cell, rowSpan, columnSpan, ...(header ? { header } : {}) });
  }
  return { type: 'table', ...rest, rows, columns, headerRows, cells };
}
