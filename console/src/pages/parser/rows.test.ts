import type { ParserTable } from '@ai-studio/contract/console/parser.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cell, rowsOf } from './rows.ts';

const cell = (row: number, column: number, row_span = 1, column_span = 1): Cell => ({
  row,
  column,
  row_span,
  column_span,
  content: [],
});
const table = (rows: number, columns: number, cells: Cell[]): ParserTable => ({
  type: 'table',
  rows,
  columns,
  header_rows: 0,
  from_row: 0,
  to_row: rows,
  cells,
});
const widths = (rows: ReturnType<typeof rowsOf>) =>
  rows.map((row) => row.map((place) => ('cell' in place ? place.cell.column_span : -place.empty)));

describe('rows of a table', () => {
  test('keep their columns where cells are missing', () => {
    expect(widths(rowsOf(table(2, 4, [cell(0, 1), cell(1, 3)]), 0, 2))).toEqual([
      [-1, 1, -2],
      [-3, 1],
    ]);
  });

  test('leave the place to what reaches into them from above', () => {
    expect(widths(rowsOf(table(2, 3, [cell(0, 0, 2), cell(0, 1, 1, 2), cell(1, 2)]), 0, 2))).toEqual([
      [1, 2],
      [-1, 1],
    ]);
  });

  test('are as wide as the table, whatever the cells say', () => {
    const place = fc.record({
      row: fc.nat(5),
      column: fc.nat(7),
      down: fc.integer({ min: 1, max: 4 }),
      across: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 30 }), (given) => {
        const cells = given
          .map(({ row, column, down, across }) => cell(row, column, down, across))
          .toSorted((a, b) => a.row - b.row || a.column - b.column);
        const reach = new Int32Array(6);
        for (const [row, places] of rowsOf(table(6, 6, cells), 0, 6).entries()) {
          let width = reach.filter((until) => until > row).length;
          for (const one of places) {
            const span = 'cell' in one ? Math.min(one.cell.column_span, 6 - one.column) : one.empty;
            width += span;
            if ('cell' in one) reach.fill(row + one.cell.row_span, one.column, one.column + span);
          }
          expect(width).toBeGreaterThanOrEqual(6);
        }
      }),
    );
  });
});
