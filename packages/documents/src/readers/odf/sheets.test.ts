import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { type OdfForm, cell, p, row, writeOdf } from '../../../test/odf.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';

const read = (form: OdfForm) =>
  readDocument(writeOdf(form), null, { limits: standardLimits, pages: null, onPage: () => undefined });
const sheet = (rows: string, more: Partial<OdfForm> = {}) =>
  read({ kind: 'spreadsheet', body: `<table:table table:name="a">${rows}</table:table>`, ...more });

describe('sheets as LibreOffice and Excel write them', () => {
  test('comments on cells are read, with the cells that they are about', async () => {
    const note = (text: string) =>
      `<office:annotation><dc:creator>박둘</dc:creator><dc:date>2026-01-02T03:04:05</dc:date>${p(text)}</office:annotation>`;
    const { blocks, warnings } = await sheet(
      row(cell('이름') + cell(note('확인이 필요한 금액이며 다음 달까지 고친다.') + p('10'))) +
        row(cell('', 'table:number-columns-repeated="27"') + cell(note('빈 칸에도 있다.'))),
    );
    expect(brief(blocks)).toEqual([
      'h1 a',
      't p 이름 | p 10',
      'comment B1 p 확인이 필요한 금액이며 다음 달까지 고친다.',
      'comment AB2 p 빈 칸에도 있다.',
    ]);
    expect(blocks[2]).toMatchObject({ author: '박둘' });
    expect(warnings).toEqual([]);
  });

  test('cells far from each other are tables of their own, and a title over all columns costs nothing', async () => {
    const { blocks } = await sheet(
      row(cell('제목', 'table:number-columns-spanned="16384"')) +
        row(cell('가') + cell('', 'table:number-columns-repeated="16000"') + cell('나')) +
        row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048000"') +
        row(cell('다')),
    );
    expect(brief(blocks)).toEqual(['h1 a', 't p 제목 | p 가 | p 나', 't p 다']);
    expect(blocks[1]).toMatchObject({ rows: 2, columns: 2 });
  });

  test('a cell without text shows its value, one whose zero is not shown nothing', async () => {
    const value = (attributes: string, text = '') =>
      `<table:table-cell ${attributes.replaceAll(/^|(?<= )/gu, 'office:')}>${text}</table:table-cell>`;
    const { blocks } = await sheet(
      row(
        value('value-type="float" value="0.30000000000000004"') +
          value('value-type="percentage" value="0.125"') +
          value('value-type="currency" value="5000" currency="KRW"') +
          value('value-type="date" date-value="2026-01-02T03:04:05"') +
          value('value-type="time" time-value="PT9H05M00S"') +
          value('value-type="boolean" boolean-value="true"') +
          value('value-type="string" string-value="글"') +
          value('value-type="float" value="7"', '<text:p/>') +
          value('value-type="float" value="0"', '<text:p/>'),
      ),
    );
    expect(brief(blocks)[1]).toBe(
      't p 0.3 | p 12.5% | p 5000 KRW | p 2026-01-02 03:04:05 | p 09:05:00 | p TRUE | p 글 | p 7',
    );
  });

  test('cells of columns that are not shown are hidden; copies of other files are no sheets', async () => {
    const copy = `<table:table table:name="'file:///b.ods'#x"><table:table-source xlink:href="b.ods"/>${row(cell('다른 파일의 값이다'))}</table:table>`;
    const columns =
      '<table:table-column/><table:table-column-group><table:table-column table:visibility="collapse"/></table:table-column-group>';
    const own = `<table:table table:name="a">${columns}${row(cell('보인다') + cell('안 보인다'))}</table:table>`;
    const { pages, blocks, warnings } = await read({ kind: 'spreadsheet', body: own + copy });
    expect(pages).toMatchObject([{ name: 'a' }]);
    expect(blocks[1]).toMatchObject({ cells: [{ column: 0 }, { column: 1, hidden: true }] });
    expect([blocks[1]].flatMap((one) => (one?.type === 'table' ? one.cells.map(({ hidden }) => hidden) : []))).toEqual([
      undefined,
      true,
    ]);
    expect(warnings).toEqual([]);
  });

  test('what LibreOffice puts on every printed page is no text that is missing; words that people wrote there are read', async () => {
    const field = '<text:p>Page <text:page-number>1</text:page-number></text:p>';
    const masterStyles =
      `<style:master-page style:name="Default"><style:header><text:p><text:sheet-name>???</text:sheet-name></text:p></style:header><style:footer>${field}</style:footer></style:master-page>` +
      '<style:master-page style:name="Own"><style:header><style:region-left><text:p>대외비 문서, <text:title>???</text:title></text:p></style:region-left></style:header><style:header-left style:display="false"><text:p>보이지 않는 머리말</text:p></style:header-left></style:master-page>';
    const plain = await sheet(row(cell('1')), { masterStyles });
    expect(plain.warnings).toEqual([]);
    expect(brief(plain.blocks)).toEqual(['h1 a', 't p 1']);
    const own = await read({
      kind: 'spreadsheet',
      styles: '<style:style style:name="ta" style:family="table" style:master-page-name="Own"/>',
      body: `<table:table table:name="a" table:style-name="ta">${row(cell('1'))}</table:table>`,
      masterStyles,
    });
    expect(brief(own.blocks)).toEqual(['header p 대외비 문서,', 'h1 a', 't p 1']);
  });

  test('what stands in comments of the XML is not counted as text', async () => {
    const { warnings } = await sheet(
      `${row(cell('값'))}<!-- ${row(cell('예전의 글이며 지금은 아니다.'.repeat(3)))} -->`,
    );
    expect(warnings).toEqual([]);
  });
});

test('cells behind a merged one are read where the covered ones were left out', async () => {
  const rows =
    row(cell('가', 'table:number-columns-spanned="2" table:number-rows-spanned="2"') + cell('나')) +
    row(cell('다')) +
    row(cell('라') + cell('마') + cell('바'));
  const { blocks } = await read({ kind: 'text', body: `<table:table>${rows}</table:table>` });
  expect(brief(blocks)).toEqual(['t p 가 | p 나 | p 다 | p 라 | p 마 | p 바']);
  expect(blocks[0]).toMatchObject({
    rows: 3,
    columns: 3,
    cells: [{}, { column: 2 }, { row: 1, column: 2 }, {}, {}, {}],
  });
});

test('words within elements of other formats are read', async () => {
  const { blocks } = await read({ kind: 'text', body: p('이 <x:mark xmlns:x="urn:x">표시한</x:mark> 글') });
  expect(brief(blocks)).toEqual(['p 이 표시한 글']);
});

test('titles of slides keep their lines and looks apart; footers of slides and of their master page are read once', async () => {
  const frame = (content: string, role = '') =>
    `<draw:frame presentation:class="${role}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
  const slide = (title: string) =>
    `<draw:page draw:master-page-name="M" presentation:use-footer-name="f1">${frame(title, 'title')}</draw:page>`;
  const { pages, blocks } = await read({
    kind: 'presentation',
    body:
      '<presentation:footer-decl presentation:name="f1">저작권 2026</presentation:footer-decl><presentation:footer-decl presentation:name="f2">쓰이지 않는다</presentation:footer-decl>' +
      slide(p('추진<text:line-break/>계획') + p('제2차')) +
      slide(p('끝<office:annotation><text:p>메모이다</text:p></office:annotation>')),
    masterStyles: `<style:master-page style:name="M">${frame(p('제목을 넣으십시오'), 'title')}${frame(p('대외비'), 'footer')}${frame(p('<presentation:footer/>'), 'footer')}</style:master-page>`,
  });
  expect(brief(blocks)).toEqual([
    'h1 추진 계획 제2차',
    'h1 끝',
    'comment  p 메모이다',
    'footer p 저작권 2026',
    'footer p 대외비',
  ]);
  expect(pages).toMatchObject([{ name: '추진 계획 제2차' }, { name: '끝' }]);
});
