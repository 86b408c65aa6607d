import { expect, test } from 'vitest';
import * as word from '../../../test/docx.ts';
import * as hancom from '../../../test/hwpx.ts';
import { writeZip } from '../../../test/zip.ts';
import type { Block } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../../readers/index.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { blockText } from '../../render/text.ts';
import { writeDocument } from '../index.ts';
import { packageFormats } from '../options.ts';
import { fillTemplate } from './index.ts';

const readOptions = { limits: standardLimits, pages: null, onPage: () => undefined };
const read = async (bytes: Uint8Array, format: string): Promise<string> =>
  renderMarkdown((await readDocument(bytes, `a.${format}`, readOptions)).blocks);
const tableOf = (blocks: readonly Block[]) => blocks.find((block) => block.type === 'table');

const template = `# {{제목}}

신청인: {{applicant.name}} / 동의 {{?agree}} / 유형 {{?kind=원천}}원천기술형 {{?kind=혁신}}혁신제품형

| 품목 | 수량 |
|---|---|
| {{items.name}} | {{items.count}} |
| 합계 | {{total}} |

비고: {{memo}}`;

test.each(packageFormats)('a template of %s is filled: values, boxes to tick, rows for a list', async (format) => {
  const given = await readDocument(Buffer.from(template), 'a.md', readOptions);
  const { bytes: written } = await writeDocument(given, format, {
    pictures: new Map(),
    pageNumbers: true,
    numbering: 'official',
  });
  const data = {
    제목: '지원 <신청>서',
    applicant: { name: '홍길동' },
    agree: true,
    kind: '혁신',
    items: [
      { name: '{{total}}', count: 2 },
      { name: '의자', count: 4 },
      { name: '등', count: 1 },
    ],
    total: 7,
    extra: 1,
  };
  const filled = await fillTemplate(written, data, standardLimits);
  expect(filled).toMatchObject({ format, unfilled: ['memo'], unused: ['extra'] });
  const { blocks, warnings } = await readDocument(filled.bytes, `a.${format}`, readOptions);
  expect(warnings).toEqual([]);
  expect(renderMarkdown(blocks)).toBe(
    [
      String.raw`# 지원 \<신청>서`,
      '신청인: 홍길동 / 동의 ☑ / 유형 ☐원천기술형 ☑혁신제품형',
      '| 품목 | 수량 |\n| --- | --- |\n| {{total}} | 2 |\n| 의자 | 4 |\n| 등 | 1 |\n| 합계 | 7 |',
      '비고:',
    ].join('\n\n'),
  );
  const none = await fillTemplate(written, { ...data, items: [] }, standardLimits);
  const { blocks: empty } = await readDocument(none.bytes, `a.${format}`, readOptions);
  expect(tableOf(empty)).toMatchObject({ rows: 2 });
});

test('cells that reach over repeated rows reach over all of them, and those below move', async () => {
  const given = await readDocument(
    Buffer.from(
      '<table><tr><td rowspan="2">구분</td><td>머리</td></tr><tr><td>{{list.x}}</td></tr><tr><td>끝</td><td>1</td></tr></table>',
    ),
    'a.md',
    readOptions,
  );
  for (const format of packageFormats) {
    const { bytes: written } = await writeDocument(given, format, {
      pictures: new Map(),
      pageNumbers: false,
      numbering: 'official',
    });
    const { bytes } = await fillTemplate(written, { list: [{ x: '가' }, { x: '나' }, { x: '다' }] }, standardLimits);
    const { blocks } = await readDocument(bytes, `a.${format}`, readOptions);
    const places = tableOf(blocks)?.cells.map(({ row, column, rowSpan }) => [row, column, rowSpan]);
    expect(places).toEqual([
      [0, 0, 4],
      [0, 1, 1],
      [1, 1, 1],
      [2, 1, 1],
      [3, 1, 1],
      [4, 0, 1],
      [4, 1, 1],
    ]);
  }
});

test('a field that programs cut into runs is one, its lines are lines', async () => {
  const body = word.paragraph(`${word.run('성명 {{na', '<w:b/>')}${word.run('me')}${word.run('}} 님')}`);
  const docx = await fillTemplate(word.writeDocx({ body }), { name: '홍\n길동' }, standardLimits);
  expect(await read(docx.bytes, 'docx')).toBe('**성명 홍  \n길동** 님');
  const section = hancom.paragraph(`${hancom.text('성명 {{na')}${hancom.text('me}} 님')}`, '', [100]);
  const hwpx = await fillTemplate(hancom.writeHwpx({ sections: [section] }), { name: '홍\n길동' }, standardLimits);
  expect(await read(hwpx.bytes, 'hwpx')).toBe('성명 홍  \n길동 님');
});

test('fields that the programs know by name are filled: content controls', async () => {
  const control = (properties: string, shown: string) =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${word.run(shown)}</w:sdtContent></w:sdt>`;
  const body = word.paragraph(
    [
      control('<w:tag w:val="name"/><w:showingPlcHdr/><w:text/>', '여기에 입력'),
      control('<w:tag w:val="agree"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>', '☐'),
      control('<w:tag w:val="other"/><w:text/>', '그대로'),
    ].join(''),
  );
  const { bytes, unused } = await fillTemplate(
    word.writeDocx({ body }),
    { name: '홍길동', agree: true },
    standardLimits,
  );
  expect(unused).toEqual([]);
  const { blocks } = await readDocument(bytes, 'a.docx', readOptions);
  expect(blocks[0]).toMatchObject({
    spans: [
      { text: '홍길동', field: { kind: 'text', name: 'name', value: '홍길동' } },
      { field: { kind: 'checkbox', name: 'agree', checked: true } },
      { field: { kind: 'text', name: 'other', value: '그대로' } },
    ],
  });
});

test('fields that the programs know by name are filled: 누름틀 and boxes of forms', async () => {
  const runs = [
    '<hp:ctrl><hp:fieldBegin id="7" type="CLICK_HERE" name="name"/></hp:ctrl>',
    hancom.text('이곳을 마우스로 누르고 내용을 입력하세요.'),
    '<hp:ctrl><hp:fieldEnd beginIDRef="7"/></hp:ctrl>',
    '<hp:checkBtn name="agree" caption="동의" value="UNCHECKED"/>',
    '<hp:radioBtn name="r1" radioGroupName="kind" caption="원천" value="CHECKED"/>',
    '<hp:radioBtn name="r2" radioGroupName="kind" caption="혁신" value="UNCHECKED"/>',
  ].join('');
  const file = hancom.writeHwpx({ sections: [hancom.paragraph(runs)] });
  const { bytes } = await fillTemplate(file, { name: '홍길동', agree: 'yes', kind: '혁신' }, standardLimits);
  expect(await read(bytes, 'hwpx')).toBe('홍길동☑동의☐원천☑혁신');
});

test('rows are repeated in the table that they are of, not in one around it', async () => {
  const row = (...cells: string[]) => `<w:tr>${cells.map((content) => `<w:tc>${content}</w:tc>`).join('')}</w:tr>`;
  const paragraph = (text: string) => word.paragraph(word.run(text));
  const inner = `<w:tbl>${row(paragraph('품목'))}${row(paragraph('{{items.name}}'))}</w:tbl>`;
  const body = `<w:tbl>${row(paragraph('성명 {{name}}'), `${inner}${paragraph('')}`)}</w:tbl>`;
  const data = { name: '홍길동', items: [{ name: '책상' }, { name: '의자' }] };
  const { bytes } = await fillTemplate(word.writeDocx({ body }), data, standardLimits);
  const table = tableOf((await readDocument(bytes, 'a.docx', readOptions)).blocks);
  expect(table).toMatchObject({ rows: 1 });
  expect(tableOf(table?.cells[1]?.blocks ?? [])).toMatchObject({ rows: 3 });
});

test('a field without any letters is filled too', async () => {
  const control = (name: string, content: string) =>
    `<w:sdt><w:sdtPr><w:tag w:val="${name}"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
  const body = control('a', '<w:p/>') + word.paragraph(control('b', '<w:r><w:t></w:t></w:r>') + control('c', ''));
  const docx = await fillTemplate(word.writeDocx({ body }), { a: '가', b: '나', c: '다' }, standardLimits);
  expect(await read(docx.bytes, 'docx')).toBe('가\n\n나다');
  const field = (id: number, shown: string) =>
    `<hp:ctrl><hp:fieldBegin id="${id}" type="CLICK_HERE" name="n${id}"/></hp:ctrl>${shown}<hp:ctrl><hp:fieldEnd beginIDRef="${id}"/></hp:ctrl>`;
  const section = hancom.paragraph(field(1, '') + field(2, '<hp:t/>'));
  const hwpx = await fillTemplate(hancom.writeHwpx({ sections: [section] }), { n1: '가', n2: '나' }, standardLimits);
  expect(await read(hwpx.bytes, 'hwpx')).toBe('가나');
});

test('values are letters alone: no fields of their own, and nothing that XML cannot hold', async () => {
  const control = `<w:sdt><w:sdtPr><w:tag w:val="a"/></w:sdtPr><w:sdtContent>${word.run('여기')}</w:sdtContent></w:sdt>`;
  const body = word.paragraph(`${control}${word.run('/{{b}}')}`);
  const data = { a: '{{c}}', b: 'x\u0000\u0001\uFFFEy\uD800</w:t>', c: '남의 값' };
  const { bytes, unused } = await fillTemplate(word.writeDocx({ body }), data, standardLimits);
  expect(unused).toEqual(['c']);
  const { blocks, warnings } = await readDocument(bytes, 'a.docx', readOptions);
  expect([blocks.map(blockText), warnings]).toEqual([['{{c}}/xy\uFFFD</w:t>'], []]);
});

test('fields that never end and very many fields take no time', async () => {
  const fill = (text: string) =>
    fillTemplate(word.writeDocx({ body: word.paragraph(word.run(text)) }), { a: 'x' }, standardLimits);
  const blanks = ' '.repeat(200_000);
  expect(await fill(`{{${blanks}`)).toMatchObject({ unfilled: [], unused: ['a'] });
  expect(await fill(`{{?a=${blanks}`)).toMatchObject({ unfilled: [], unused: ['a'] });
  expect(await fill('{{ a }}'.repeat(10_000))).toMatchObject({ unfilled: [], unused: [] });
  await expect(fill('{{a}}'.repeat(10_001))).rejects.toThrow(/10000 fields/);
});

test('a large value that is asked for again and again is refused', async () => {
  const body = word.paragraph(word.run('{{a}}'.repeat(3)));
  await expect(fillTemplate(word.writeDocx({ body }), { a: 'x'.repeat(20_000_000) }, standardLimits)).rejects.toThrow(
    /too large/,
  );
  const one = word.writeDocx({ body: word.paragraph(word.run('{{a}}')) });
  await expect(fillTemplate(one, { a: '\n'.repeat(300_000) }, standardLimits)).rejects.toThrow(/too large/);
});

test('what is no template is refused', async () => {
  await expect(fillTemplate(Buffer.from('글'), {}, standardLimits)).rejects.toThrow(/DOCX or HWPX/);
  // A file that a document holds, of which a part can be had.
  const parts = [
    ...word.docxParts({ body: word.paragraph(word.run('{{name}}')) }),
    ['held.bin', '글'.repeat(500)],
  ] as const;
  const damaged = writeZip(parts);
  damaged.fill(0xff, damaged.indexOf('held.bin') + 8, damaged.indexOf('held.bin') + 12);
  await expect(fillTemplate(damaged, {}, standardLimits)).rejects.toThrow(/parts of it can not be read/);
  const broken = hancom.writeHwpx({ sections: ['<hp:p><hp:run>'] });
  await expect(fillTemplate(broken, {}, standardLimits)).rejects.toThrow(/damaged at Contents\/section0.xml/);
  const list = Array.from({ length: 20_001 }, () => ({ x: 1 }));
  const table = '<hp:tbl rowCnt="1" colCnt="1"><hp:tr>' + hancom.cell('{{list.x}}', [0, 0]) + '</hp:tr></hp:tbl>';
  const many = hancom.writeHwpx({ sections: [hancom.paragraph(table)] });
  await expect(fillTemplate(many, { list }, standardLimits)).rejects.toThrow(/20000 rows/);
});
