import { describe, expect, it } from 'vitest';
import { type FlowingCell, tableFlow, tableSteps } from './table-pages.ts';

const linesAt = (...tops: readonly number[]) =>
  tops.map((top) => ({ start: 0, top, height: 1000, left: 0, width: 40_000 }));
const cellOf = (row: number, height: number, ...records: readonly (readonly number[])[]): FlowingCell => ({
  row,
  rowSpan: 1,
  height,
  lines: () => records.map((tops) => linesAt(...tops)),
});
const room = { top: 40_000, crosses: false, height: () => 60_000 };
const whole = { partsRows: false, repeated: 0, offset: 0, height: 10_000_000 };
const parted = { ...whole, partsRows: true };
const every = (step: number, to: number) => Array.from({ length: Math.floor(to / step) + 1 }, (_, at) => at * step);

describe('tables over pages', () => {
  it('moves rows whole where a table asks for it', () => {
    const cells = [0, 1, 2].map((row) => cellOf(row, 15_000, [0]));
    expect(tableSteps(cells, 3, room, whole)).toMatchObject({ begins: [0, 1, 1], last: 1, bottom: 30_000 });
  });

  it('follows the lines of a row that begin at the top again', () => {
    const cells = [
      cellOf(
        0,
        82_000,
        every(1600, 16_000),
        [17_600, 0, 1600],
        every(1600, 52_800).map((top) => top + 3200),
        [0],
      ),
    ];
    const steps = tableSteps(cells, 1, room, parted);
    expect(steps).toMatchObject({ begins: [0], last: 2, bottom: 1000 });
    expect(steps.records(cells[0]!)).toEqual([0, 0, 1, 2]);
  });

  it('takes no lines for another page that begin at the top in each paragraph', () => {
    const cells = [cellOf(0, 9600, [0, 1600], [0, 1600], [0, 1600]), cellOf(1, 4000, [0])];
    expect(tableSteps(cells, 2, { ...room, top: 1000 }, parted)).toMatchObject({ begins: [0, 0], last: 0 });
  });

  it('keeps text that fits above the foot, and cuts the white below it', () => {
    const cells = [cellOf(0, 30_000, [0, 1600]), cellOf(1, 5000, [0])];
    expect(tableSteps(cells, 2, room, parted)).toMatchObject({ begins: [0, 1], last: 1, bottom: 15_000 });
  });

  it('lets a row that is higher than a page go on at its lines', () => {
    const cells = [cellOf(0, 150_000, every(1600, 145_600)), cellOf(1, 5000, [0])];
    const steps = tableSteps(cells, 2, { ...room, top: 0 }, parted);
    expect(steps.begins).toEqual([0, 2]);
    expect(tableSteps([cellOf(0, 9_000_000, [0])], 1, room, parted).last).toBeLessThan(2);
  });

  it('begins above a line that stands below its first part', () => {
    const cells = [0, 1, 2, 3].map((row) => cellOf(row, 20_000, [0]));
    const below = { top: 58_000, crosses: true, height: () => 60_000 };
    expect(tableSteps(cells, 4, below, { ...whole, height: 55_000 }).begins).toEqual([0, 0, 1, 1]);
  });

  it('counts the head that stands on each page anew', () => {
    const place = {
      inline: false,
      across: { from: 'column', align: 'start', offset: 0 },
      down: { from: 'paragraph', align: 'start', offset: 500 },
      width: 1,
      height: 60_000,
      margin: { left: 0, right: 0, top: 283, bottom: 0 },
    } as const;
    const heads = [0, 1, 2].map((row) => ({ ...cellOf(row, 20_000, [0]), header: row === 0 }));
    const flow = tableFlow({ place, splits: 'rows', repeatsHead: true, cells: heads });
    expect(flow).toEqual({ partsRows: false, repeated: 1, offset: 783, height: 60_000 });
    expect(tableSteps(heads, 3, { top: 0, crosses: false, height: () => 45_000 }, flow!)).toMatchObject({
      begins: [0, 0, 1],
      bottom: 40_000,
    });
    expect(
      tableFlow({ place: { ...place, inline: true }, splits: 'rows', repeatsHead: true, cells: heads }),
    ).toBeNull();
    expect(tableFlow({ place, splits: 'never', repeatsHead: true, cells: heads })).toBeNull();
  });
});
