import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { type OdfForm, cell, p, row, writeOdf } from '../../../test/odf.ts';
import type { Document } from '../../document.ts';
import { standardLimits, type ReadOptions } from '../../reader.ts';
import { formFieldsOf } from '../../render/form-fields.ts';
import { readDocument } from '../index.ts';

const options: ReadOptions = { limits: standardLimits, pages: null, onPage: () => {} };
const read = async (form: OdfForm, given: Partial<ReadOptions> = {}): Promise<Document> =>
  readDocument(writeOdf(form), null, { ...options, ...given });
const linesOf = async (body: string, styles = '') => brief((await read({ kind: 'text', body, styles })).blocks);

describe('texts', () => {
  test('headings by their level, looks of letters, blanks and breaks', async () => {
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold" style:text-position="super 58%"/></style:style>';
    const document = await read({
      kind: 'text',
      styles,
      body:
        '<text:h text:outline-level="1">제1장 총칙</text:h><text:h text:outline-level="2">목적</text:h>' +
        p(
          '이 <text:span text:style-name="T1">규정</text:span>은<text:s text:c="2"/>다음<text:tab/>을\n  정한다<text:line-break/>끝 <text:a xlink:href="https://a.example/">곳</text:a>',
        ),
      meta: '<dc:title>규정</dc:title><meta:initial-creator>김하나</meta:initial-creator><meta:creation-date>2026-01-02T03:04:05Z</meta:creation-date>',
    });
    expect(document).toMatchObject({
      format: 'odt',
      meta: { title: '규정', author: '김하나', created: '2026-01-02T03:04:05.000Z' },
      pages: [],
      warnings: [],
    });
    expect(brief(document.blocks)).toEqual(['h1 제1장 총칙', 'h2 목적', 'p 이 규정은  다음\t을 정한다\n끝 곳']);
    expect(document.blocks[2]).toMatchObject({
      spans: [{}, { text: '규정', bold: true, script: 'super' }, {}, { text: '곳', link: 'https://a.example/' }],
    });
  });

  test('lists with their numbers, also in Hangul, within each other and going on', async () => {
    const number = (level: number, format: string, suffix: string) =>
      `<text:list-level-style-number text:level="${level}" style:num-format="${format}" style:num-suffix="${suffix}"/>`;
    const styles =
      `<text:list-style style:name="L1">${number(1, '1', '.')}${number(2, '가, 나, 다, ...', '.')}</text:list-style>` +
      '<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="□"/></text:list-style>';
    const item = (content: string) => `<text:list-item>${content}</text:list-item>`;
    const list = (style: string, items: string, more = '') =>
      `<text:list text:style-name="${style}" ${more}>${items}</text:list>`;
    const inner = `<text:list>${item(p('가를 한다.'))}${item(p('나를 한다.'))}</text:list>`;
    expect(
      await linesOf(
        list('L1', item(p('첫째로 이것을 한다.') + inner) + item(p('둘째로 저것을 한다.'))) +
          p('사이의 글이다.') +
          list('L1', item(p('셋째로 그것을 한다.')), 'text:continue-numbering="true"') +
          list('L1', item(p('다시 처음부터 한다.'))) +
          list('L2', item(p('점을 찍은 것이다.'))),
        styles,
      ),
    ).toEqual([
      'l0 1. 첫째로 이것을 한다.',
      'l1 가. 가를 한다.',
      'l1 나. 나를 한다.',
      'l0 2. 둘째로 저것을 한다.',
      'p 사이의 글이다.',
      'l0 3. 셋째로 그것을 한다.',
      'l0 1. 다시 처음부터 한다.',
      'l0 □ 점을 찍은 것이다.',
    ]);
  });

  test('tables with merged cells, headings that repeat, and tables within cells', async () => {
    const covered = '<table:covered-table-cell/>';
    const table = `<table:table><table:table-header-rows>${row(cell('구분') + cell('값', 'table:number-columns-spanned="2"') + covered)}</table:table-header-rows>${row(cell('가', 'table:number-rows-spanned="2"') + cell('1') + cell('2'))}${row(covered + cell('3') + cell(`<table:table>${row(cell('안'))}</table:table>`))}</table:table>`;
    const { blocks } = await read({ kind: 'text', body: table });
    expect(brief(blocks)).toEqual(['t p 구분 | p 값 | p 가 | p 1 | p 2 | p 3 | t p 안']);
    expect(blocks[0]).toMatchObject({
      rows: 3,
      columns: 3,
      headerRows: 1,
      cells: [{}, { columnSpan: 2, header: true }, { row: 1, rowSpan: 2 }, {}, {}, { row: 2, column: 1 }, {}],
    });
  });

  test('notes, comments, frames, headers and what was deleted', async () => {
    const note =
      '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>각주의 글</text:p></text:note-body></text:note>';
    const comment = '<office:annotation><dc:creator>박둘</dc:creator><text:p>메모</text:p></office:annotation>';
    const frame =
      '<draw:frame><draw:image/><svg:desc>그림 설명</svg:desc></draw:frame><draw:frame><draw:text-box><text:p>상자의 글</text:p></draw:text-box></draw:frame>';
    const gone =
      '<text:tracked-changes><text:changed-region><text:deletion><text:p>지운 글</text:p></text:deletion></text:changed-region></text:tracked-changes>';
    const { blocks } = await read({
      kind: 'text',
      body: gone + p(`본문이다${note}.${comment}${frame}`),
      masterStyles: '<style:master-page><style:header><text:p>머리말</text:p></style:header></style:master-page>',
    });
    expect(brief(blocks)).toEqual([
      'header p 머리말',
      'p 본문이다1.',
      'footnote 1 p 각주의 글',
      'comment  p 메모',
      'i 그림 설명',
      'p 상자의 글',
    ]);
    expect(blocks[1]).toMatchObject({ spans: [{}, { note: 'footnote-1' }, {}] });
  });

  test('pages are those of the last layout, and can be asked for', async () => {
    const styles =
      '<style:style style:name="B" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>';
    const body = `${p('첫째 쪽')}<text:soft-page-break/>${p('둘째 쪽')}${p('셋째 쪽', 'B')}`;
    const document = await read({ kind: 'text', body, styles });
    expect(document.pages.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(document.blocks.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(brief((await read({ kind: 'text', body, styles }, { pages: new Set([2]) })).blocks)).toEqual(['p 둘째 쪽']);
  });

  test('fields of forms stand where they are shown', async () => {
    const forms = `<office:forms><form:form><form:checkbox form:id="c1" form:name="agree" form:label="동의" form:current-state="checked"/><form:text form:id="t1" form:name="name" form:current-value="홍길동"/></form:form></office:forms>`;
    const { blocks } = await read({
      kind: 'text',
      body: forms + p('<draw:control draw:control="c1"/>') + p('성명 <draw:control draw:control="t1"/>'),
    });
    expect(brief(blocks)).toEqual(['p ☑동의', 'p 성명 홍길동']);
    expect(blocks.flatMap(formFieldsOf)).toEqual([
      { kind: 'checkbox', name: 'agree', label: '동의', checked: true },
      { kind: 'text', name: 'name', label: '성명', value: '홍길동' },
    ]);
  });
});

test('a sheet is a page with its table, without the empty rows that fill it', async () => {
  const sheet = (name: string, rows: string, style = '') =>
    `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;
  const styles =
    '<style:style style:name="hid" style:family="table"><style:table-properties table:display="false"/></style:style>';
  const empty = row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048000"');
  const rows =
    row(cell('', 'table:number-columns-repeated="2"') + cell('이름') + cell('값')) +
    row(cell('', 'table:number-columns-repeated="2"') + cell('가') + cell('1,000')) +
    empty;
  const document = await read({
    kind: 'spreadsheet',
    styles,
    body: sheet('예산', rows) + sheet('숨김', row(cell('x')), 'hid'),
  });
  expect(document).toMatchObject({ format: 'ods', pages: [{ name: '예산' }, { name: '숨김', hidden: true }] });
  expect(brief(document.blocks)).toEqual(['h1 예산', 't p 이름 | p 값 | p 가 | p 1,000', 'h1 숨김', 't p x']);
  expect(document.blocks[1]).toMatchObject({ page: 1, rows: 2, columns: 2 });
});

test('what a few cells repeat counts as cells and as letters', async () => {
  const sheet = (cells: string) =>
    read({
      kind: 'spreadsheet',
      body: `<table:table table:name="a">${row(cells, 'table:number-rows-repeated="1000"')}</table:table>`,
    });
  const repeated = 'table:number-columns-repeated="256"';
  await expect(sheet(cell('1', repeated).repeat(64))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await expect(sheet(cell('가'.repeat(1_000), repeated))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(brief((await sheet(cell('1') + cell('2'))).blocks)[1]).toMatch(/^t p 1 \| p 2 \| p 1 /u);
});

test('a field that is shown many times counts each time', async () => {
  const options = Array.from({ length: 1_000 }, (_, at) => `<form:option form:label="${'가'.repeat(20)}${at}"/>`).join(
    '',
  );
  const forms = `<office:forms><form:form><form:listbox form:id="l">${options}</form:listbox></form:form></office:forms>`;
  const body = forms + p('<draw:control draw:control="l"/>'.repeat(5_000));
  await expect(read({ kind: 'text', body })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('the numbers of a list end, however far it says that they begin', async () => {
  for (const start of ['2000000000', '20000000000', 'Infinity', '-5', 'x']) {
    const styles = `<text:list-style style:name="L">${['a', 'I', '1'].map((format, at) => `<text:list-level-style-number text:level="${at + 1}" style:num-format="${format}" text:start-value="${start}" text:display-levels="3"/>`).join('')}</text:list-style>`;
    const list = (content: string) =>
      `<text:list text:style-name="L"><text:list-item>${content}</text:list-item></text:list>`;
    const [line = ''] = await linesOf(list(list(list(p('글이다.')))), styles);
    expect(line.length).toBeLessThan(60);
    expect(line).toContain('글이다.');
  }
  const styles = `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="${'가'.repeat(100_000)}"/></text:list-style>`;
  const items = `<text:list-item>${p('글')}</text:list-item>`.repeat(2_000);
  await expect(linesOf(`<text:list text:style-name="L">${items}</text:list>`, styles)).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
});

test('a slide is a page with its title, its frames and what is to be said', async () => {
  const frame = (content: string, role = '') =>
    `<draw:frame presentation:class="${role}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
  const notes = `<presentation:notes>${frame(p('천천히 말한다'), 'notes')}</presentation:notes>`;
  const document = await read({
    kind: 'presentation',
    body: `<draw:page draw:name="page1">${frame(p('추진 계획'), 'title')}${frame(p('내용이다'))}${notes}</draw:page>`,
  });
  expect(document).toMatchObject({ format: 'odp', pages: [{ number: 1, name: '추진 계획' }] });
  expect(brief(document.blocks)).toEqual(['h1 추진 계획', 'p 내용이다', 'speaker  p 천천히 말한다']);
});

test('one with a password is refused, and so is a drawing', async () => {
  await expect(read({ kind: 'text', body: p('비밀'), encrypted: true })).rejects.toMatchObject({ code: 'ENCRYPTED' });
  await expect(read({ kind: 'graphics' as 'text', body: '' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});
