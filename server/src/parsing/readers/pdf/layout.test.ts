import { expect, test } from 'vitest';
import { PdfWriter } from '../../../../test/documents/pdf.ts';
import { renderText } from '../../render/text.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

const read = async (pdf: PdfWriter) =>
  readPdf(pdf.bytes(), { limits: standardLimits, pages: null, onPage: () => undefined });
const partsOf = async (pdf: PdfWriter) => renderText((await read(pdf)).blocks).split('\n\n');

const prose = (name: string, lines: number) =>
  Array.from({ length: lines }, (_, at) => `${name}${at} ${'가'.repeat(4)} `.padEnd(24, '나'));

test('a column that begins with a table is read after the one beside it, however short its caption is', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .lines(56, 120, prose('왼', 12), { pitch: 15 })
    .text(316, 102, '표 1 기준', { size: 8 })
    .table(
      316,
      108,
      [60, 60, 60],
      [
        ['구분', '기준', '배점'],
        ['필요성', '효과', '40'],
        ['중복성', '없음', '30'],
        ['표준', '맞음', '30'],
      ],
    );
  const [first, second] = await partsOf(pdf);
  expect(first).toMatch(/^왼0/);
  expect(second).toContain('필요성\t효과\t40');
});

test('a title whose second line stands below the words behind its number is one', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .text(72, 130, '2 Expanding Linear Addresses:', { size: 20, bold: true })
    .text(92, 156, 'Five Level Paging', { size: 20, bold: true })
    .lines(72, 190, prose('글', 6));
  const { blocks } = await read(pdf);
  expect(blocks[0]).toMatchObject({ type: 'heading' });
  expect(renderText(blocks.slice(0, 1))).toBe('2 Expanding Linear Addresses: Five Level Paging');
});

test('lines of one cell of a table without lines down stay together at the spacing of Korean documents', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .lines(72, 120, prose('글', 4))
    .line(72, 200, 400, 200)
    .line(72, 224, 400, 224)
    .text(76, 216, '발행처')
    .text(200, 216, '한빛연구원')
    .text(76, 240, '주소')
    .lines(200, 240, ['서울특별시 종로구', '세종대로 1', '전화 02-123-4567'], { pitch: 17 })
    .text(76, 298, '전송')
    .text(200, 298, '02-765-4321')
    .line(72, 306, 400, 306);
  const { blocks } = await read(pdf);
  const table = blocks.find(({ type }) => type === 'table');
  expect(table).toMatchObject({ rows: 3, columns: 2 });
  expect(renderText([table!]).split('\n')[1]).toBe('주소\t서울특별시 종로구 세종대로 1 전화 02-123-4567');
});
