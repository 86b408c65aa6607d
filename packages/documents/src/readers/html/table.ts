import type { Block, Span, Table, TableCell } from '../../document.ts';
import { type Element, attribute, isElement } from './tree.ts';

interface TableDeps {
  /** What stands in a cell. */
  readonly blocksOf: (cell: Element) => Block[];
  readonly spansOf: (element: Element) => Span[];
  readonly countCells: (count: number) => void;
}

const MAX_SPAN = 1_000;

function spanOf(cell: Element, name: 'rowspan' | 'colspan', left: number): number {
  const number = Number.parseInt(attribute(cell, name) ?? '1', 10);
  // Zero means: to the end of the group.
  if (number === 0) return Math.max(1, left);
  return Number.isFinite(number) ? Math.min(Math.max(1, number), MAX_SPAN) : 1;
}

interface Row {
  readonly element: Element;
  readonly head: boolean;
}

/** Rows of the table itself, not of tables in its cells. */
function rowsOf(table: Element): { rows: Row[]; caption: Element | null } {
  const rows: Row[] = [];
  let caption: Element | null = null;
  const take = (element: Element, head: boolean) => {
    for (const child of element.childNodes) {
      if (!isElement(child)) continue;
      if (child.tagName === 'tr') rows.push({ element: child, head });
      else if (child.tagName === 'caption') caption ??= child;
      else if (['thead', 'tbody', 'tfoot'].includes(child.tagName)) take(child, child.tagName === 'thead');
    }
  };
  take(table, false);
  return { rows, caption };
}

const cellsOf = (row: Element) =>
  row.childNodes.filter((node): node is Element => isElement(node) && (node.tagName === 'td' || node.tagName === 'th'));

/** Rows at the top that name the columns: those of the head, or whose cells are all headings. */
function headerRowsOf(rows: readonly Row[]): number {
  let count = 0;
  for (const { element, head } of rows) {
    const cells = cellsOf(element);
    if (!head && (cells.length === 0 || !cells.every(({ tagName }) => tagName === 'th'))) break;
    count++;
  }
  return count === rows.length ? Math.min(count, Math.max(0, rows.length - 1)) : count;
}

/** A table with its cells in their places; null where it has none. */
export function tableOf(element: Element, { blocksOf, spansOf, countCells }: TableDeps): Table | null {
  const { rows, caption } = rowsOf(element);
  const headerRows = headerRowsOf(rows);
  const taken = new Set<string>();
  const cells: TableCell[] = [];
  let columns = 0;
  let counted = 0;
  for (const [row, { element: line }] of rows.entries()) {
    let column = 0;
    for (const cell of cellsOf(line)) {
      while (taken.has(`${row} ${column}`)) column++;
      const rowSpan = Math.min(spanOf(cell, 'rowspan', rows.length - row), rows.length - row);
      const columnSpan = spanOf(cell, 'colspan', 1);
      countCells(rowSpan * columnSpan);
      counted += rowSpan * columnSpan;
      for (let down = 0; down < rowSpan; down++)
        for (let right = 0; right < columnSpan; right++) taken.add(`${row + down} ${column + right}`);
      const header = row < headerRows || cell.tagName === 'th';
      cells.push({ row, column, rowSpan, columnSpan, ...(header ? { header } : {}), blocks: blocksOf(cell) });
      column += columnSpan;
      columns = Math.max(columns, column);
    }
  }
  if (cells.length === 0) return null;
  // Rows that are shorter than others have places all the same.
  countCells(Math.max(0, rows.length * columns - counted));
  const spans = caption === null ? [] : spansOf(caption);
  return {
    type: 'table',
    page: null,
    rows: rows.length,
    columns,
    headerRows,
    cells,
    ...(spans.length > 0 ? { caption: spans } : {}),
  };
}
