import { expect, test } from 'vitest';
import { PdfWriter } from '../../../test/pdf.ts';
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

test('headings of a table that are painted where the rest is drawn are its first row', async () => {
  const pdf = new PdfWriter();
  const page = pdf.page().lines(72, 120, prose('글', 4));
  for (const [x, text] of [
    [72, '구분'],
    [132, '개정 전'],
    [232, '개정 후'],
  ] as const)
    page.fill(x, 200, x === 72 ? 60 : 100, 16, [0.5, 0.7, 0.4]).text(x + 4, 212, text);
  // No line across stands at the top of what is drawn.
  for (const x of [72, 132, 232, 332]) page.line(x, 216, x, 276);
  for (const y of [236, 256, 276]) page.line(72, y, 332, y);
  for (const [row, texts] of [
    ['분류', '1군', '1급'],
    ['기준', '식수', '유행'],
    ['대상', '6종', '17종'],
  ].entries())
    for (const [column, text] of texts.entries()) page.text([76, 136, 236][column]!, 230 + row * 20, text);
  const { blocks } = await read(pdf);
  const table = blocks.find(({ type }) => type === 'table');
  expect(renderText([table!])).toBe('구분\t개정 전\t개정 후\n분류\t1군\t1급\n기준\t식수\t유행\n대상\t6종\t17종');
});

test('each column has its notes, whose points are no notes of their own', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .lines(60, 130, prose('왼', 30), { pitch: 18 })
    .lines(320, 130, prose('오', 30), { pitch: 18 })
    .line(60, 690, 280, 690)
    .lines(
      60,
      702,
      ['1) 약관의 규정을 말한다.', '2) 다음의 것을 말한다.', '1) 그 밖의 사고', '2) 법률이 정한 감염병'],
      {
        size: 8,
        pitch: 12,
      },
    )
    .line(320, 690, 540, 690)
    .lines(320, 702, ['3) 표준 약관 부표 4'], { size: 8 })
    .line(60, 770, 540, 770)
    .text(60, 784, '* 경제산업조사실 금융공정거래팀 입법조사관 그리고 그 밖의 여러 사람', { size: 8 });
  const { blocks } = await read(pdf);
  const notes = blocks.flatMap((block) =>
    block.type === 'footnote' ? [[block.marker, renderText(block.blocks)]] : [],
  );
  expect(notes.map(([marker]) => marker)).toEqual(['1)', '2)', '3)']);
  expect(notes[1]?.[1]).toMatch(/그 밖의 사고.*감염병/s);
});

test('a date that goes on in the next line begins no list', async () => {
  const pdf = new PdfWriter();
  pdf.page().lines(72, 120, ['이와 관련하여 세계보건기구는 지난 2020.', '3.11. 유행을 선언하였다.']);
  const { blocks } = await read(pdf);
  expect(renderText(blocks)).toBe('이와 관련하여 세계보건기구는 지난 2020. 3.11. 유행을 선언하였다.');
});

test('a paragraph behind a capital letter hangs together', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .text(72, 120, 'A. The consultant agrees to exercise special skill in a manner that is')
    .text(90, 134, 'reasonably satisfactory to the commission in all its parts and details')
    .text(90, 148, 'as specified.');
  const { blocks } = await read(pdf);
  expect(blocks).toHaveLength(1);
  expect(renderText(blocks)).toMatch(/^A\. The consultant .* that is reasonably .* details as specified\.$/);
});

test('a letter of another font that stands for the mark of a list is one', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .text(72, 120, '• Links')
    .text(90, 136, 'o', { fixed: true })
    .text(102, 136, 'Standard pushed by some')
    .text(90, 152, 'o', { fixed: true })
    .text(102, 152, 'Switches are available');
  const { blocks } = await read(pdf);
  expect(blocks).toHaveLength(1);
  expect(blocks[0]).toMatchObject({ type: 'list', items: [{ level: 0 }, { level: 1 }, { level: 1 }] });
  expect(renderText(blocks)).not.toMatch(/\bo\b/);
});
