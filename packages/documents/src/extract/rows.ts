import type { Table, TableCell } from '../document.ts';
import { coerce } from './coerce.ts';
import { confidences, type FoundValue } from './findings.ts';
import { labelKey, withoutUnit } from './labels.ts';
import { cellText } from './parts.ts';
import { cellPlace, type Place } from './places.ts';
import type { WantedRows, WantedValue } from './wanted.ts';

/** Rows of a list; more are cut off. */
export const MAX_LIST_ROWS = 5_000;
/** Rows at the top of a table that are looked at for its head: titles and remarks may stand before it. */
const MAX_ROWS_ABOVE = 10;

interface Column {
  readonly wanted: WantedValue;
  readonly factor: number;
}

/** The head of a table. */
interface Head {
  /** The row behind it. */
  readonly end: number;
  readonly at: ReadonlyMap<number, Column>;
}

/** A cell at the top of a table, with what it may head: by its own name, and by that without its unit. */
interface TopCell {
  readonly cell: TableCell;
  readonly isFilled: boolean;
  readonly wanted: WantedValue | undefined;
  readonly withoutUnit: Column | undefined;
}

function topCells({ cells, headerRows }: Table, { columns }: WantedRows): readonly TopCell[] {
  const byLabel = new Map(columns.toReversed().flatMap((wanted) => wanted.labels.map((label) => [label, wanted])));
  return cells
    .filter(({ row }) => row < Math.max(headerRows, MAX_ROWS_ABOVE))
    .map((cell) => {
      const text = cellText(cell);
      const bare = withoutUnit(text);
      const wanted = bare === null ? undefined : byLabel.get(labelKey(bare.label));
      return {
        cell,
        isFilled: text !== '',
        wanted: byLabel.get(labelKey(text)),
        withoutUnit: bare === null || wanted === undefined ? undefined : { wanted, factor: bare.factor },
      };
    });
}

/** The columns that these cells head; their own names come before those without a unit. */
function columnsAt(cells: readonly TopCell[]): ReadonlyMap<number, Column> {
  const at = new Map<number, Column>();
  const taken = new Set<WantedValue>();
  const take = (column: number, one: Column) => {
    if (taken.has(one.wanted) || at.has(column)) return;
    taken.add(one.wanted);
    at.set(column, one);
  };
  for (const { cell, wanted } of cells) if (wanted !== undefined) take(cell.column, { wanted, factor: 1 });
  for (const { cell, withoutUnit: one } of cells) if (one !== undefined) take(cell.column, one);
  return at;
}

/** Rows that may stand before the head: titles and remarks, which have few cells beside those of the head. */
function isHeadBelow(top: readonly TopCell[], row: number): boolean {
  const filled = top.filter(({ isFilled, cell }) => isFilled && cell.row <= row).map(({ cell }) => cell);
  const byRow = Map.groupBy(filled, (cell) => cell.row);
  const width = byRow.get(row)?.length ?? 0;
  return width > 1 && [...byRow].every(([at, { length }]) => at === row || length === 1 || length * 2 <= width);
}

/** The row of a table that names the most of its columns, at least half of them; a head over several rows is one. */
function headOf(table: Table, wanted: WantedRows): Head | null {
  const top = topCells(table, wanted);
  const heads: Head[] = [];
  const tryRows = (from: number, to: number) => {
    const inside = top.filter(({ cell }) => cell.row >= from && cell.row < to);
    const at = columnsAt(inside);
    const isSpread = inside.some(({ cell }) => cell.row === from && cell.row + cell.rowSpan > to);
    if (at.size > 0 && at.size * 2 >= wanted.columns.length) heads.push({ end: isSpread ? to + 1 : to, at });
  };
  tryRows(0, Math.max(1, table.headerRows));
  for (let row = 0; row < MAX_ROWS_ABOVE; row++) {
    if (row > 0 && !isHeadBelow(top, row)) continue;
    tryRows(row, row + 1);
    if (top.some(({ cell }) => cell.row === row && cell.columnSpan > 1)) tryRows(row, row + 2);
  }
  return heads.reduce<Head | null>((best, head) => (best !== null && head.at.size <= best.at.size ? best : head), null);
}

/** A head that stands again, as at the top of a page. */
const isHeadAgain = (cells: readonly { readonly text: string; readonly column: Column }[]): boolean =>
  cells.length > 1 &&
  cells.every(({ text, column }) => {
    const labels = column.wanted.labels;
    return labels.includes(labelKey(text)) || labels.includes(labelKey(withoutUnit(text)?.label ?? ''));
  });

/** The rows of a table whose head bears the labels, each with its values; none where its head is that of another. */
export function rowsOf(table: Table, wanted: WantedRows, place: Place): readonly (readonly FoundValue[])[] {
  const head = headOf(table, wanted);
  if (head === null) return [];
  const confidence = confidences.cellBeside * (0.5 + head.at.size / wanted.columns.length / 2);
  const rows = new Map<number, { cell: TableCell; text: string; column: Column }[]>();
  for (const cell of table.cells) {
    const column = head.at.get(cell.column);
    if (column === undefined || cell.row + cell.rowSpan <= head.end) continue;
    const one = { cell, text: cellText(cell), column };
    // A cell over several rows holds for each of them.
    for (let row = Math.max(head.end, cell.row); row < cell.row + cell.rowSpan; row++) {
      const known = rows.get(row);
      if (known === undefined) rows.set(row, [one]);
      else known.push(one);
    }
  }
  return [...rows]
    .toSorted(([a], [b]) => a - b)
    .filter(([, cells]) => !isHeadAgain(cells))
    .map(([, cells]) =>
      cells.flatMap(({ cell, text, column }): FoundValue[] => {
        const value = coerce(text, column.wanted, column.factor);
        const { path } = column.wanted;
        return value === null
          ? []
          : [{ ...cellPlace(cell, place), path, value, confidence, source: 'table', quote: text }];
      }),
    )
    .filter((values) => values.length > 0);
}
