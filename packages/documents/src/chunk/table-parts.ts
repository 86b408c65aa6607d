import type { Table, TableCell } from '../document.ts';
import { tableRows } from '../render/markdown.ts';
import { type PageRange, mergePageRanges, pagesOf } from './pages.ts';

/** Some rows of a table as a table of their own: caption and headings are repeated. */
export interface TablePart {
  readonly text: string;
  readonly pages: PageRange | null;
}

/** Cuts a table. Parts are asked for from the top down: `from` never goes back. */
export function createTableParts(table: Table): (from: number, to: number) => TablePart {
  const byRow = Map.groupBy(table.cells, ({ row }) => row);
  const cellsOf = (row: number): readonly TableCell[] => byRow.get(row) ?? [];
  const heads = Array.from({ length: table.headerRows }, (_, row) => cellsOf(row)).flat();
  let passed = table.headerRows;
  /** Cells above that reach down to where the next part begins. */
  let reaching: TableCell[] = [];

  return (from, to) => {
    for (; passed < from; passed++) for (const cell of cellsOf(passed)) if (cell.rowSpan > 1) reaching.push(cell);
    reaching = reaching.filter((cell) => cell.row + cell.rowSpan > from);
    const rows = Array.from({ length: to - from }, (_, at) => cellsOf(from + at)).flat();
    const own = [...reaching.map((cell) => ({ ...cell, row: from, rowSpan: cell.row + cell.rowSpan - from })), ...rows]
      .toSorted((a, b) => a.row - b.row || a.column - b.column)
      .map((cell) => ({
        ...cell,
        row: table.headerRows + cell.row - from,
        rowSpan: Math.min(cell.rowSpan, to - cell.row),
      }));
    const length = table.headerRows + to - from;
    const cells = [...heads.map((cell) => ({ ...cell, rowSpan: Math.min(cell.rowSpan, length - cell.row) })), ...own];
    const first = from === table.headerRows ? [pagesOf({ ...table, cells: [] })] : [];
    return {
      text: tableRows({ ...table, rows: length, cells }),
      pages: mergePageRanges([...first, ...own.flatMap(({ blocks }) => blocks.map(pagesOf))]),
    };
  };
}
