import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { PdfWriter } from '../../../test/pdf.ts';
import { markerOf } from '../../text/korean-headings.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

// Forms that reports of others have: lists of contents without dots, tables without lines between rows, boxes in a row, text at the foot.

const read = async (pdf: PdfWriter) =>
  brief(
    (await readPdf(Uint8Array.from(pdf.bytes()), { limits: standardLimits, pages: null, onPage: () => undefined }))
      .blocks,
  );

const prose = [
  '이 보고서는 회의에서 나온 말을 글로 옮기고 그 가운데 무거운 문장만을 골라 짧게 줄이는 방법',
  '을 다루며 여러 해에 걸쳐 모은 회의록을 가지고 그 방법이 얼마나 잘 맞는지를 하나하나 재었고',
  '그 결과를 다음 해의 사업을 세우는 데에 쓸 수 있도록 장마다 표로 만들어 붙였으며 모자란 점은',
  '끝에 따로 적었다.',
];

describe('lists of contents without dots', () => {
  const entries = [
    ['1.1', '시스템 소개', '4'],
    ['1.2', '화면 구성', '5'],
    ['1.3', '역할과 책임', '5'],
    ['2.1', '모듈', '9'],
    ['2.2', '데이터베이스', '13'],
  ] as const;

  test('are an entry a row, and no table', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    for (const [at, [number, title, where]] of entries.entries())
      page
        .text(60, 150 + at * 20, number)
        .text(90, 150 + at * 20, title)
        .text(540 - 5 * where.length, 150 + at * 20, where);
    expect(await read(pdf)).toEqual(entries.map((entry) => `contents ${entry.join(' ')}`));
  });

  test('but not where the figures fall', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    for (const [at, [number, title]] of entries.entries())
      page
        .text(60, 150 + at * 20, number)
        .text(90, 150 + at * 20, title)
        .text(530, 150 + at * 20, String(90 - at));
    expect((await read(pdf)).some((line) => line.startsWith('contents'))).toBe(false);
  });
});

describe('tables without lines between their rows', () => {
  const ruled = (columns: readonly (readonly string[])[]) => {
    const pdf = new PdfWriter();
    const page = pdf.page().table(57, 100, [120, 80, 80], [['직급', '정원', '현원']], 20);
    page.table(57, 120, [120, 80, 80], [['', '', '']], 66);
    for (const [column, lines] of columns.entries()) page.lines([61, 181, 261][column]!, 136, lines, { pitch: 18 });
    return pdf;
  };

  test('have a row for each line of figures', async () => {
    const figures = [
      ['서기관', '행정주사', '전산주사'],
      ['$11', '4', '3억원'],
      ['10', '△1', '-'],
    ];
    expect(await read(ruled(figures))).toEqual([
      't p 직급 | p 정원 | p 현원 | p 서기관 | p $11 | p 10 | p 행정주사 | p 4 | p △1 | p 전산주사 | p 3억원 | p -',
    ]);
  });

  test('and none where they hold words', async () => {
    const [table] = await read(
      ruled([
        ['서기관', '행정주사', '전산주사'],
        ['11', '4', '3'],
        ['기획을', '맡은', '사람'],
      ]),
    );
    expect(table!.split(' | ')).toHaveLength(6);
  });
});

describe('boxes in a row', () => {
  const years = (rows: (year: number) => readonly string[], gap: number) => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    // The file writes them out of order.
    for (const at of [2, 0, 1])
      page.table(
        57 + at * (100 + gap),
        100,
        [100],
        rows(2023 + at).map((text) => [text]),
        24,
      );
    return pdf;
  };

  test('are one table, from left to right', async () => {
    const [table] = await read(years((year) => [String(year), `계획 ${year}`], 15));
    expect(table!.split(' | ').filter((cell) => /\d/.test(cell))).toEqual([
      't p 2023',
      'p 2024',
      'p 2025',
      'p 계획 2023',
      'p 계획 2024',
      'p 계획 2025',
    ]);
  });

  test('but not where they stand apart', async () => {
    expect(await read(years((year) => [String(year), `계획 ${year}`], 60))).toHaveLength(3);
  });
});

describe('text at the ends of a page', () => {
  test('ends where the other lines do, so that a sentence goes on over the page', async () => {
    const pdf = new PdfWriter();
    pdf.page().lines(57, 100, prose).lines(57, 500, prose).text(57, 780, prose[0]!);
    pdf.page().text(57, 60, prose[3]!).lines(57, 200, prose);
    const lines = (await read(pdf)).map((line) => line.replaceAll(' ', ''));
    expect(lines).toContain(`p${prose[0]}${prose[3]}`.replaceAll(' ', ''));
  });

  test('a number in the middle below two columns is no part of them', async () => {
    const column = (name: string) =>
      Array.from({ length: 12 }, (_, at) => `${name} 단의 ${at + 1}번째 줄에는 이런 말이 있고`);
    const pdf = new PdfWriter();
    for (const page of [1, 2])
      pdf
        .page()
        .lines(57, 560, column('왼쪽'), { pitch: 18 })
        .lines(307, 560, column('오른'), { pitch: 18 })
        .text(295, 776, String(page));
    const text = (await read(pdf)).join(' ');
    expect(text.indexOf('왼쪽 단의 12')).toBeLessThan(text.indexOf('오른 단의 1번'));
  });
});

describe('what only looks like a table', () => {
  test('lines of text with a background of their own', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    for (const [at, line] of prose.entries())
      page.fill(57, 100 + at * 14, 440, 14, [0.9, 0.9, 0.9]).text(57, 110 + at * 14, line);
    expect((await read(pdf)).some((line) => line.startsWith('t '))).toBe(false);
  });

  test('dates behind one mark, set apart', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    for (const at of [0, 1, 2, 3])
      page
        .text(57, 100 + at * 18, `○ 201${at}.`)
        .text(115, 100 + at * 18, `${at + 2}.`)
        .text(150, 100 + at * 18, `법률 제${at + 11}호 공포`);
    expect((await read(pdf)).some((line) => line.startsWith('t '))).toBe(false);
  });
});

test('a law that a sentence names heads nothing', () => {
  expect(markerOf('제8조 및 제9조에 따라 지은 건물')).toBeNull();
  expect(markerOf('제8조 제2항의 사람')).toBeNull();
  expect(markerOf('제8조 (목적)')?.style).toBe('article');
  expect(markerOf('제8조 이 법은')?.style).toBe('article');
});
