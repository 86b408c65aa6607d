import { expect, test } from 'vitest';
import {
  columns,
  paragraph,
  sectionStart,
  simpleTable,
  table,
  textBox,
  writeHwp,
  type WrittenHwp,
} from '../../../test/hwp-writer/index.ts';
import { standardLimits } from '../../reader.ts';
import type { Document } from '../../document.ts';
import { readHwp } from './index.ts';
import { type ObjectPlace, type Paper, boxOf, objectArea } from './places.ts';

// The paper of the writer is A4 with margins of 8504 at the sides and 9920 above the body: 85 and 99.2 points.

const read = (...section: WrittenHwp['sections'][number]): Document =>
  readHwp(writeHwp({ sections: [section] }), {
    limits: standardLimits,
    pages: null,
    onPage: () => undefined,
  }) as Document;
const line = { lineWidth: 42_520 };

test('paragraphs have the box that their lines take of the first page', () => {
  const { blocks } = read(
    paragraph([sectionStart(), '제목'], { lines: [0], ...line }),
    paragraph('두 줄', { lines: [2000, 3600], ...line }),
    paragraph('다음 쪽으로 간다', { lines: [60_000, 0, 1600], ...line }),
  );
  expect(blocks.map(({ page, box }) => ({ page, box }))).toEqual([
    { page: 1, box: { x: 85, y: 99.2, width: 425.2, height: 10 } },
    { page: 1, box: { x: 85, y: 119.2, width: 425.2, height: 26 } },
    { page: 1, box: { x: 85, y: 699.2, width: 425.2, height: 10 } },
  ]);
});

test('paragraphs of a second column stand beside the first', () => {
  const { blocks } = read(
    paragraph([sectionStart(), columns(2, 2520), '왼쪽'], { lines: [0], lineWidth: 20_000 }),
    paragraph('오른쪽', { lines: [0], lineWidth: 20_000 }),
  );
  expect(blocks.map(({ page, box }) => ({ page, box }))).toEqual([
    { page: 1, box: { x: 85, y: 99.2, width: 200, height: 10 } },
    { page: 1, box: { x: 310.2, y: 99.2, width: 200, height: 10 } },
  ]);
});

test('columns of widths that are not told, and lines without a width, have no box', () => {
  const { blocks } = read(
    paragraph([sectionStart(), columns(2), '왼쪽'], { lines: [0], lineWidth: 20_000 }),
    paragraph('오른쪽', { lines: [0], lineWidth: 20_000 }),
    paragraph('너비 없음', { lines: [2000] }),
  );
  expect(blocks.map(({ box }) => box === undefined)).toEqual([false, true, true]);
});

test('a table that is alone in its line stands there; one beside words does not tell where', () => {
  const rows = [
    ['가', '나'],
    ['1', '2'],
  ];
  const cells = rows.flatMap((texts, row) =>
    texts.map((text, column) => ({ row, column, content: [paragraph(text)] })),
  );
  const inline = table({ rows: 2, columns: 2, cells, inline: true });
  const { blocks } = read(
    paragraph([sectionStart(), '앞'], { lines: [0], ...line }),
    paragraph([inline], { lines: [2000], ...line }),
    paragraph(['글', inline], { lines: [9000], ...line }),
    paragraph([simpleTable(rows)], { lines: [20_000], ...line }),
  );
  const tables = blocks.filter(({ type }) => type === 'table');
  expect(tables.map(({ box }) => box)).toEqual([
    { x: 85, y: 119.2, width: 300, height: 50 },
    undefined,
    { x: 0, y: 299.2, width: 300, height: 50 },
  ]);
});

test('a frame with one paragraph gives that its box', () => {
  const { blocks } = read(
    paragraph([sectionStart(), textBox([paragraph('상자 안의 글')])], { lines: [1000], ...line }),
  );
  expect(blocks).toMatchObject([{ type: 'paragraph', box: { x: 0, y: 109.2, width: 300, height: 50 } }]);
});

test('cells of a table stand in it by their sizes, on the page that the table begins on', () => {
  const row = (at: number, height: number, texts: readonly string[]) =>
    texts.map((text, column) => ({ row: at, column, height, content: [paragraph(text)] }));
  const tableOf = (rows: number, height: number) =>
    table({
      rows,
      columns: 2,
      cells: Array.from({ length: rows }, (_, at) => row(at, height, [`가${at}`, `나${at}`])).flat(),
      inline: rows < 10,
    });
  const { blocks } = read(
    paragraph([sectionStart(), tableOf(2, 2500)], { lines: [2000], ...line }),
    paragraph('사이의 글이다.', { lines: [9000], ...line }),
    paragraph([tableOf(30, 3000)], { lines: [11_000], ...line }),
  );
  const [short, long] = blocks.filter((block) => block.type === 'table');
  expect(short?.cells.map(({ box }) => box)).toEqual([
    { x: 85, y: 119.2, width: 100, height: 25 },
    { x: 185, y: 119.2, width: 100, height: 25 },
    { x: 85, y: 144.2, width: 100, height: 25 },
    { x: 185, y: 144.2, width: 100, height: 25 },
  ]);
  const second = long?.cells.findIndex(({ page }) => page === 2) ?? -1;
  expect(second).toBeGreaterThan(20);
  expect(long?.cells.slice(second).every(({ page, box }) => page === 2 && box === undefined)).toBe(true);
});

const paper: Paper = {
  width: 60_000,
  height: 80_000,
  body: 60_000,
  bodyTop: 10_000,
  bodyLeft: 5000,
  bodyWidth: 50_000,
};
const firstLine = {
  paper,
  column: { x: 5000, width: 50_000 },
  line: { x: 5000, y: 20_000, width: 50_000, height: 1000 },
};
const margin = { left: 0, right: 0, top: 0, bottom: 0 };
const objectBox = (place: ObjectPlace, alignment = 0) => {
  const area = objectArea(place, firstLine, alignment);
  return area === null ? null : boxOf(area, paper);
};
const at = (from: 'paper' | 'page' | 'paragraph', align: 'start' | 'center' | 'end', offset = 0) => ({
  from,
  align,
  offset,
});

test.each([
  ['the paper', at('paper', 'end', 1000), at('paper', 'start', 500), { x: 490, y: 5, width: 100, height: 50 }],
  ['the body', at('page', 'center'), at('page', 'end'), { x: 250, y: 650, width: 100, height: 50 }],
  ['its paragraph', at('paragraph', 'start'), at('paragraph', 'start', 200), { x: 50, y: 202, width: 100, height: 50 }],
])('an object is placed by %s', (_, across, down, box) => {
  expect(objectBox({ inline: false, across, down, width: 10_000, height: 5000, margin })).toEqual(box);
});

test('the white around an object is placed with it', () => {
  const wide = { width: 10_000, height: 5000, margin: { left: 300, right: 300, top: 200, bottom: 200 } };
  const below = { inline: false, down: at('paragraph', 'start', 200), ...wide };
  const size = { width: 100, height: 50 };
  expect(objectBox({ ...below, across: at('page', 'start') })).toEqual({ x: 53, y: 204, ...size });
  expect(objectBox({ ...below, across: at('page', 'end') })).toEqual({ x: 447, y: 204, ...size });
  expect(objectBox({ ...below, inline: true, across: at('page', 'start') }, 3)).toEqual({ x: 250, y: 202, ...size });
});

test('a table whose line has no width, as it takes the room of that, stands there', () => {
  const { blocks } = read(
    paragraph([sectionStart(), '앞'], { lines: [0], ...line }),
    paragraph([simpleTable([['가', '나']])], { lines: [20_000] }),
  );
  expect(blocks.at(-1)).toMatchObject({ type: 'table', box: { x: 0, y: 299.2, width: 300, height: 50 } });
});

test('what goes over the foot of the body ends there, and what lies beside the sheet has no box', () => {
  const long = {
    inline: false,
    across: at('page', 'start'),
    down: at('paragraph', 'start'),
    width: 100,
    height: 900_000,
    margin,
  };
  expect(objectBox(long)).toMatchObject({ y: 200, height: 500 });
  expect(boxOf({ x: 70_000, y: 0, width: 10, height: 10 }, paper)).toBeNull();
  expect(boxOf({ x: Number.NaN, y: 0, width: 10, height: 10 }, paper)).toBeNull();
});
