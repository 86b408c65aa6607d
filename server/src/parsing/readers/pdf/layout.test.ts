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
