import { describe, expect, test } from 'vitest';
import { testDamage } from '../../../test/damage.ts';
import { number, rows, text, writeXlsx, xlsxParts } from '../../../test/xlsx.ts';
import type { Block, Document } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { numberText, kindOf } from './formats.ts';
import { readXlsx } from './index.ts';

const read = async (bytes: Uint8Array, limits = {}): Promise<Document> =>
  readXlsx(bytes, { limits: { ...standardLimits, ...limits }, pages: null, onPage: () => undefined });

const tables = (blocks: readonly Block[]) => blocks.filter((block) => block.type === 'table');

describe('XLSX', () => {
  test('cells show what they stand for', async () => {
    const { blocks, pages } = await read(
      writeXlsx(
        [
          {
            name: '예산',
            data: rows(
              text('A1', '항목') + text('B1', '날짜') + text('C1', '비율') + text('D1', '값'),
              `<c r="A2" t="s"><v>0</v></c>${number('B2', 46_347, 1)}${number('C2', 0.125, 2)}<c r="D2" t="str"><f>1+1</f><v>둘</v></c>`,
              `<c r="A3" t="b"><v>1</v></c>${number('B3', 46_347.5, 3)}${number('C3', '0.30000000000000004')}<c r="D3" t="e"><v>#DIV/0!</v></c>`,
            ),
          },
        ],
        {
          strings:
            '<si><r><t xml:space="preserve">인건 </t></r><r><rPr><b/></rPr><t>비</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si>',
        },
      ),
    );
    expect(pages).toEqual([{ number: 1, name: '예산' }]);
    expect(renderMarkdown(blocks)).toBe(
      [
        '# 예산',
        '| 항목 | 날짜 | 비율 | 값 |\n| --- | --- | --- | --- |\n| 인건 **비** | 2026-11-21 | 12.5% | 둘 |\n| TRUE | 2026-11-21 12:00 | 0.3 | #DIV/0! |',
      ].join('\n\n'),
    );
  });

  test('merged cells, parts of a sheet, captions and hidden things', async () => {
    const { blocks, pages } = await read(
      writeXlsx([
        {
          name: '가',
          data: `<row r="1">${text('A1', '표 제목')}</row><row r="2">${text('A2', '구분')}${text('B2', '상반기')}</row><row r="3" hidden="1">${text('B3', '1분기')}${text('C3', '2분기')}</row><row r="4">${text('A4', '합계')}${number('B4', 1)}${number('C4', 2)}</row><row r="8">${text('F8', '따로')}</row>`,
          after: '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:A3"/><mergeCell ref="B2:C2"/></mergeCells>',
        },
        { name: '나', state: 'hidden', data: rows(text('A1', '숨은 글')) },
      ]),
    );
    expect(pages).toMatchObject([{ name: '가' }, { name: '나', hidden: true }]);
    expect(tables(blocks)).toMatchObject([
      {
        rows: 3,
        columns: 3,
        caption: [{ text: '표 제목' }],
        cells: [
          { row: 0, column: 0, rowSpan: 2 },
          { row: 0, column: 1, columnSpan: 2 },
          { row: 1, column: 1, hidden: true },
          { row: 1, column: 2, hidden: true },
          { row: 2, column: 0 },
          { row: 2, column: 1 },
          { row: 2, column: 2 },
        ],
      },
    ]);
    expect(blocks.find((block) => block.type === 'paragraph' && block.page === 1)).toMatchObject({
      spans: [{ text: '따로' }],
    });
    expect(blocks.filter(({ page }) => page === 2).every(({ hidden }) => hidden === true)).toBe(true);
  });

  test.each([
    [60, 'yyyy-mm-dd', '1900-02-28'],
    [0.75, 'h:mm:ss', '18:00:00'],
    [1234.5, '#,##0.0 "m"', '1234.5'],
    [0.5, '[Red]0.0%', '50%'],
    [45_000, '[$-412]yyyy"년"', '2023-03-15'],
    [1.5, '[h]:mm', '36:00'],
    [0.5, 'mm:ss', '12:00:00'],
  ])('%d as %s is %s', (value, format, shown) => {
    expect(numberText(String(value), kindOf(200, new Map([[200, format]])), false)).toBe(shown);
  });

  test('a formula whose value the file does not tell is shown itself', async () => {
    const { blocks } = await read(
      writeXlsx([
        {
          name: '가',
          data: rows(
            text('A1', '합'),
            '<c r="A2"><f>SUM(B1:B9)</f></c>',
            '<c r="A3"><f>1+1</f><v>2</v></c><c r="B3" t="str"><f>IF(A3,"")</f><v></v></c>',
          ),
        },
      ]),
    );
    expect(tables(blocks)).toMatchObject([
      { cells: [{}, { blocks: [{ spans: [{ text: '=SUM(B1:B9)' }] }] }, { blocks: [{ spans: [{ text: '2' }] }] }] },
    ]);
  });

  test('more cells than may be are refused, empty workbooks too', async () => {
    const cells = rows(...Array.from({ length: 50 }, (_, at) => number(`A${at + 1}`, at)));
    await expect(read(writeXlsx([{ name: 'a', data: cells }]), { cells: 10 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    await expect(read(writeXlsx([]))).rejects.toMatchObject({ code: 'CORRUPTED' });
  });
});

describe('damage', () =>
  testDamage(
    'xlsx',
    readXlsx,
    xlsxParts([{ name: '가', data: rows(text('A1', '가') + number('B1', 1), text('A2', '나')) }]),
  ));
