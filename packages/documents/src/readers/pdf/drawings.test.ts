import { expect, test } from 'vitest';
import { drawBars, drawLines, drawPie } from '../../../test/charts.ts';
import { type PdfPage, PdfWriter } from '../../../test/pdf.ts';
import type { Block, Picture, Table } from '../../document.ts';
import { renderText } from '../../render/text.ts';
import { standardLimits } from '../../reader.ts';
import { drawingsOf } from './drawings.ts';
import type { AreaContext } from './entries.ts';
import type { Rect } from './geometry.ts';
import { readPdf } from './index.ts';
import { lineOf } from './lines.ts';

async function blocksOf(make: (page: PdfPage) => void): Promise<readonly Block[]> {
  const pdf = new PdfWriter();
  make(pdf.page());
  return (await readPdf(pdf.bytes(), { limits: standardLimits, pages: null, onPage: () => undefined })).blocks;
}
const picturesOf = (blocks: readonly Block[]) => blocks.filter((block): block is Picture => block.type === 'image');
const tableOf = (blocks: readonly Block[]) => blocks.find((block): block is Table => block.type === 'table');

const sentences = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at}번째 줄에는 경기가 살아난다는 말이 길게 적혀 있다`);
const years = ['2021', '2022', '2023', '2024'];
const series = [
  { name: '수출', values: [42, 55, 38, 61] },
  { name: '수입', values: [35, 33, 48, 52] },
];

test('a chart of lines is a figure with its words and its caption, beside text that keeps its sentences', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('앞', 3)).lines(56, 170, sentences('옆', 9), { size: 9, pitch: 14 });
    drawLines(page, { x: 320, y: 164, width: 200, height: 120 }, years, series, { grid: true });
    page.text(380, 300, '그림 1. 수출과 수입', { size: 8 });
  });
  const [picture, ...others] = picturesOf(blocks);
  expect(others).toEqual([]);
  expect(renderText([{ ...picture!, caption: [] }]).split('\n')).toEqual(
    expect.arrayContaining(['(억 달러)', '수출 수입', '80', '0', '2021 2022 2023 2024']),
  );
  expect(picture!.caption?.[0]?.text).toBe('그림 1. 수출과 수입');
  const rest = renderText(blocks.filter(({ type }) => type !== 'image'));
  expect(rest).not.toMatch(/달러|2021|^80$/m);
  expect(rest.replaceAll(/\s/g, '')).toContain(sentences('옆', 9).join('').replaceAll(/\s/g, ''));
});

test('bars that stand or lie, and the parts of a pie, are figures', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('앞', 3));
    drawBars(page, { x: 56, y: 180, width: 200, height: 120 }, years, [12, 31, 22, 45], { values: true });
    drawBars(page, { x: 310, y: 180, width: 200, height: 120 }, years, [12, 31, 22, 45], { across: true });
    drawPie(page, { x: 90, y: 340, width: 120, height: 120 }, [
      ['주거', 50],
      ['식료', 30],
      ['기타', 20],
    ]);
    page.lines(56, 500, sentences('뒤', 3));
  });
  expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'image', 'image', 'image', 'paragraph']);
  const words = picturesOf(blocks).map(({ text }) => text!.split(/\s/));
  expect(words[0]).toEqual(expect.arrayContaining(['12', '31', '22', '45', '2024', '60']));
  expect(words[1]).toEqual(['2021', '2022', '2023', '2024']);
  expect(words[2]).toEqual(expect.arrayContaining(['주거', '50%', '기타', '20%']));
});

test('lines down behind bars that lie in a frame make no table of their figures', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('앞', 3));
    const [x, y, width, height] = [80, 180, 200, 120];
    page.line(x, y, x + width, y).line(x, y + height, x + width, y + height);
    page.line(x, y, x, y + height).line(x + width, y, x + width, y + height);
    drawBars(page, { x: x + 4, y: y + 4, width: 180, height: 105 }, years, [12, 31, 22, 45], { across: true });
    for (let at = 0; at < 5; at++) {
      page.line(x + 28 + at * 38, y + 4, x + 28 + at * 38, y + 93);
      page.text(x + 24 + at * 38, y + 102, String(20 + at * 20), { size: 7 });
    }
  });
  expect(tableOf(blocks)).toBeUndefined();
  expect(picturesOf(blocks)[0]?.text).toContain('20 40 60 80 100');
});

test('a chart in a table stands in its cell', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('앞', 3));
    page.table(56, 180, [240, 240], [['수출 동향', '고용 동향']], 20);
    for (const x of [56, 296, 536]) page.line(x, 200, x, 350);
    page.line(56, 350, 536, 350);
    drawLines(page, { x: 70, y: 210, width: 200, height: 120 }, years, series);
    drawBars(page, { x: 310, y: 210, width: 200, height: 120 }, years, [12, 31, 22, 45]);
  });
  const cells = tableOf(blocks)!.cells.map((cell) => cell.blocks.map(({ type }) => type));
  expect(cells).toEqual([['paragraph'], ['paragraph'], ['image'], ['image']]);
});

test('titles in drawn arrows, cells that are struck out, and cells that are painted are no charts', async () => {
  const blocks = await blocksOf((page) => {
    const arrow = [
      [56, 90],
      [300, 90],
      [316, 104],
      [300, 118],
      [56, 118],
    ] as const;
    page.path(arrow, { fill: [0.7, 0.8, 0.9] });
    page.text(66, 110, 'Ⅰ', { size: 15, bold: true }).text(96, 110, '2024년 추진 배경', { size: 15, bold: true });
    page.lines(56, 150, sentences('글', 4));
    const rows = [
      ['구분', '2023년', '2024년'],
      ['도로', '10', '20'],
      ['하천', '', '30'],
    ];
    for (const [at, height] of [18, 18, 36].entries())
      page.fill(56 + at * 80, 218 + (36 - height), 80, height, [0.8, 0.8, 0.9]);
    page.table(56, 218, [80, 80, 80], rows, 18).path(
      [
        [136, 254],
        [216, 272],
      ],
      { stroke: [0, 0, 0] },
    );
  });
  expect(picturesOf(blocks)).toEqual([]);
  expect(renderText(blocks)).toContain('추진 배경');
  expect(tableOf(blocks)).toMatchObject({ rows: 3, columns: 3 });
});

test('the work for a page grows with its strokes and words, not with their product', () => {
  let reads = 0;
  const counted = <Shape extends Rect>(rect: Shape): Shape =>
    Object.defineProperty({ ...rect }, 'x0', {
      enumerable: true,
      get: () => {
        reads++;
        return rect.x0;
      },
    });
  const workFor = (count: number): number => {
    const place = (at: number, step: number) => 20 + ((at * step) % 5_003) / 10;
    const slants = Array.from({ length: count }, (_, at) => {
      const [x0, y0] = [place(at, 7), place(at, 13)];
      return counted({ x0, y0, x1: x0 + 9, y1: y0 + 9, single: false, filled: true });
    });
    const look = {
      size: 4,
      bold: false,
      italic: false,
      fixed: false,
      signs: false,
      face: '',
      colour: 0,
      invisible: false,
    };
    const lines = Array.from({ length: count }, (_, at) => {
      const [x0, base] = [place(at, 11), place(at, 17)];
      const box = { x0, y0: base - 3, x1: x0 + 4, y1: base + 1, base, hidden: false, apart: false };
      return counted(lineOf([{ ...box, text: '7', look: { ...look, quarter: 0, mark: -1 } }])!);
    });
    const graphics = { across: [], down: [], fills: [], images: [], painted: [], shapes: [], slants };
    reads = 0;
    const sheet = { x0: 0, y0: 0, x1: 595, y1: 842 };
    drawingsOf(graphics, { lines, glyphs: [], grids: [], sheet }, {} as AreaContext);
    return reads;
  };
  expect(workFor(10_000)).toBeLessThan(20 * workFor(1_000));
});
