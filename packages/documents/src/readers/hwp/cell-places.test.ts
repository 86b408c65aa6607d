import { expect, test } from 'vitest';
import { cellAreas } from './cell-places.ts';

const cell = (row: number, column: number, width: number, height: number, [rowSpan, columnSpan] = [1, 1]) => ({
  row,
  column,
  rowSpan,
  columnSpan,
  width,
  height,
});

test('cells stand where the sizes of those before them lead; a row is as high as its highest cell', () => {
  const cells = [
    cell(0, 0, 1000, 500),
    cell(0, 1, 3000, 700),
    cell(1, 0, 1000, 400),
    cell(1, 1, 1200, 400),
    cell(1, 2, 1800, 300),
  ];
  cells[1] = { ...cells[1]!, columnSpan: 2 };
  expect(cellAreas(cells, 2, 3)).toEqual([
    { x: 0, y: 0, width: 1000, height: 700 },
    { x: 1000, y: 0, width: 3000, height: 700 },
    { x: 0, y: 700, width: 1000, height: 400 },
    { x: 1000, y: 700, width: 1200, height: 400 },
    { x: 2200, y: 700, width: 1800, height: 400 },
  ]);
});

test('lines that only cells over several columns or rows end at follow from those', () => {
  const cells = [
    cell(0, 0, 2000, 300, [1, 2]),
    cell(0, 2, 500, 900, [2, 1]),
    cell(1, 0, 700, 600),
    cell(1, 1, 1300, 600),
  ];
  const areas = cellAreas([...cells, cell(2, 0, 2500, 250, [1, 3])], 3, 3);
  expect(areas.map((area) => area?.x)).toEqual([0, 2000, 0, 700, 0]);
  expect(areas.map((area) => area?.y)).toEqual([0, 0, 300, 300, 900]);
});

test('a cell whose place does not follow, or that contradicts its column, has none', () => {
  expect(cellAreas([cell(0, 0, 0, 300), cell(0, 1, 900, 300)], 1, 2)).toEqual([null, null]);
  const torn = [cell(0, 0, 1000, 300), cell(0, 1, 900, 300), cell(1, 0, 2600, 300), cell(1, 1, 900, 300)];
  expect(cellAreas(torn, 2, 2).map((area) => area === null)).toEqual([false, false, true, false]);
  expect(cellAreas([cell(0, 0, 1000, 0)], 1, 1)).toEqual([null]);
});
