import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { type PdfPage, PdfWriter } from '../../../test/pdf.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

// Two pages printed side by side on a sheet.

const SHEET = { width: 842, height: 595 };
const LEFT = 40;
const RIGHT = LEFT + SHEET.width / 2;
const WIDTHS = [80, 120, 140];

const blocksOf = async (pdf: PdfWriter) =>
  (await readPdf(Uint8Array.from(pdf.bytes()), { limits: standardLimits, pages: null, onPage: () => undefined }))
    .blocks;

const said = (name: string) => [
  `${name} 시험은 서류와 면접의 두 단계로 치르며 앞 단계에`,
  '합격한 사람만이 다음 단계를 볼 수 있고 그 결과는 누리집에',
  '올린다.',
];

const number = (sheet: PdfPage, x: number, value: number) => sheet.text(x + 165, 570, `- ${value} -`);

/** Lines of both pages at the same heights. */
const sheetOf = (pdf: PdfWriter, from: number, names: readonly [string, string]) => {
  const sheet = pdf.page(SHEET);
  for (const [at, x] of [LEFT, RIGHT].entries()) {
    sheet.lines(x, 90, said(names[at] ?? ''), { size: 9 });
    number(sheet, x, from + at);
  }
  return sheet;
};

const running = async (pdf: PdfWriter) => brief((await blocksOf(pdf)).filter(({ type }) => type !== 'footer'));
const letters = (lines: readonly string[]) => lines.map((line) => line.replaceAll(' ', ''));

describe('sheets that two pages are printed on', () => {
  test('are read page by page, rows of tables too', async () => {
    const pdf = new PdfWriter();
    const sheet = sheetOf(pdf, 1, ['가람', '나루']);
    sheet.table(
      LEFT,
      200,
      [60, 60],
      [
        ['직급', '인원'],
        ['6급', '3'],
      ],
    );
    sheet.table(
      RIGHT,
      200,
      [60, 60],
      [
        ['분야', '자격'],
        ['전산', '기사'],
      ],
    );
    sheet.text(LEFT, 300, '응시 자격 없음', { size: 9 }).text(LEFT + 200, 300, '해당 없음', { size: 9 });
    sheet.text(RIGHT, 300, '접수 기간 사흘', { size: 9 }).text(RIGHT + 200, 300, '우편 접수', { size: 9 });
    const lines = letters(await running(pdf));
    const places = ['가람시험은', '직급', '응시자격없음', '나루시험은', '분야', '접수기간사흘'].map((word) =>
      lines.findIndex((line) => line.includes(word)),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(lines.filter((line) => line.includes('-1-') || line.includes('-2-'))).toEqual([]);
  });

  test('hold a table and a sentence that go on from the left page to the right one', async () => {
    const pdf = new PdfWriter();
    const sheet = pdf.page(SHEET);
    sheet.lines(LEFT, 90, said('가람'), { size: 9 });
    sheet.table(
      LEFT,
      460,
      WIDTHS,
      [
        ['구분', '내용', '비고'],
        ['하나', '서류', '사흘'],
      ],
      24,
    );
    sheet.table(RIGHT, 60, WIDTHS, [['둘째', '면접', '하루']], 24);
    sheet.lines(RIGHT, 200, said('나루'), { size: 9 });
    number(number(sheet, LEFT, 1), RIGHT, 2);
    const next = sheetOf(pdf, 3, ['다솜', '라온']);
    expect(next.width).toBe(SHEET.width);
    const tables = (await blocksOf(pdf)).filter(({ type }) => type === 'table');
    expect(brief(tables)).toEqual(['t p 구분 | p 내용 | p 비고 | p 하나 | p 서류 | p 사흘 | p 둘째 | p 면접 | p 하루']);
  });

  test('are known by their margins where pages have no numbers, and one page wide is one page', async () => {
    const pdf = new PdfWriter();
    const sheet = pdf.page(SHEET);
    const column = Array.from(
      { length: 24 },
      (_, at) => `${'가나다라마바사아자차카타'[at % 12]}람의 강은 바다로 흐른다`,
    );
    sheet.lines(LEFT, 90, column, { size: 10, pitch: 16 }).lines(RIGHT, 90, column, { size: 10, pitch: 16 });
    sheet.table(LEFT, 495, [170, 170], [['왼쪽', '하나']]).table(RIGHT, 495, [170, 170], [['오른쪽', '둘']]);
    expect(letters(await running(pdf)).findIndex((line) => line.includes('왼쪽'))).toBeLessThan(
      letters(await running(pdf)).length / 2 + 1,
    );
    const wide = new PdfWriter();
    wide
      .page(SHEET)
      .table(
        LEFT,
        200,
        [200, 300, 200],
        [
          ['이름', '가운데를 지나는 칸', '비고'],
          ['가람', '나루', '다솜'],
        ],
      )
      .text(LEFT + 165, 570, '- 1 -')
      .text(RIGHT + 165, 570, '- 2 -');
    expect((await running(wide))[0]).toBe('t p 이름 | p 가운데를 지나는 칸 | p 비고 | p 가람 | p 나루 | p 다솜');
  });
});
