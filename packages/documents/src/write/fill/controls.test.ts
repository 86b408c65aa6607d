import { expect, test } from 'vitest';
import * as word from '../../../test/docx.ts';
import * as hancom from '../../../test/hwpx.ts';
import { openPackage } from '../../package/zip.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../../readers/index.ts';
import { blockText } from '../../render/text.ts';
import { fillTemplate } from './index.ts';

const readOptions = { limits: standardLimits, pages: null, onPage: () => undefined };
const blocksOf = async (bytes: Uint8Array, format: string) =>
  (await readDocument(bytes, `a.${format}`, readOptions)).blocks;
const textsIn = async (bytes: Uint8Array, format: string) => (await blocksOf(bytes, format)).map(blockText);
const partOf = async (bytes: Uint8Array, name: string): Promise<string> =>
  new TextDecoder().decode((await (await openPackage(bytes, standardLimits)).read(name)) ?? new Uint8Array());

const begin = (id: number, name: string) =>
  `<hp:ctrl><hp:fieldBegin id="${id}" type="CLICK_HERE" name="${name}"/></hp:ctrl>`;
const end = (id: number) => `<hp:ctrl><hp:fieldEnd beginIDRef="${id}"/></hp:ctrl>`;

test('a 누름틀 over several paragraphs has its value in the first, and its old text in none', async () => {
  const section = [
    hancom.paragraph(`${hancom.text('앞 ')}${begin(1, 'a')}${hancom.text('여기에')}`, '', [0]),
    hancom.paragraph(hancom.text('내용을<hp:lineBreak/>쓰세요'), '', [1_000]),
    hancom.paragraph(`${hancom.text('끝')}${end(1)}${hancom.text(' 뒤')}`, '', [2_000]),
    hancom.paragraph(`${begin(2, 'b')}${hancom.text('둘')}${end(2)}`),
  ].join('');
  const filled = await fillTemplate(hancom.writeHwpx({ sections: [section] }), { a: '값', b: '2' }, standardLimits);
  expect(filled).toMatchObject({ unfilled: [], unused: [] });
  expect(await textsIn(filled.bytes, 'hwpx')).toEqual(['앞 값', '뒤', '2']);
  expect(await partOf(filled.bytes, 'Contents/section0.xml')).not.toMatch(/linesegarray|lineBreak/);
});

test('a 누름틀 in a cell, and one around a table with fields of its own, are filled each', async () => {
  const cell = hancom.cell(
    hancom.paragraph(`${begin(2, 'b')}${hancom.text('둘')}`) + hancom.paragraph(hancom.text('이상') + end(2)),
    [0, 0],
  );
  const section = [
    hancom.paragraph(`${begin(1, 'a')}${hancom.text('하나')}`),
    hancom.paragraph(`<hp:tbl rowCnt="1" colCnt="1"><hp:tr>${cell}</hp:tr></hp:tbl>`),
    hancom.paragraph(hancom.text('까지') + end(1)),
  ].join('');
  const filled = await fillTemplate(hancom.writeHwpx({ sections: [section] }), { a: '가', b: '나' }, standardLimits);
  expect(filled).toMatchObject({ unfilled: [], unused: [] });
  expect((await textsIn(filled.bytes, 'hwpx')).map((text) => text.trim()).filter(Boolean)).toEqual(['가', '나']);
});

test('a 누름틀 without an end stays, and is named', async () => {
  const file = hancom.writeHwpx({
    sections: [hancom.paragraph(`${begin(1, 'a')}${hancom.text('하나')}`) + hancom.paragraph('둘')],
  });
  const filled = await fillTemplate(file, { a: '가' }, standardLimits);
  expect(filled.unfilled).toEqual(['a']);
  expect(await textsIn(filled.bytes, 'hwpx')).toEqual(['하나', '둘']);
});

const control = (properties: string, shown: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${word.run(shown)}</w:sdtContent></w:sdt>`;

test('fields that the data has no value for stay as they are, and are named', async () => {
  const body = word.paragraph(
    [
      control('<w:tag w:val="name"/><w:showingPlcHdr/><w:text/>', '여기에 입력'),
      control('<w:tag w:val=""/><w:alias w:val="성명"/><w:text/>', '이름'),
      control('<w:tag w:val="contents"/><w:docPartObj/>', '차례'),
    ].join(''),
  );
  const docx = await fillTemplate(word.writeDocx({ body }), {}, standardLimits);
  expect(docx.unfilled).toEqual(['name', '성명']);
  const runs = [
    `${begin(1, 'a')}${hancom.text('여기')}${end(1)}`,
    '<hp:checkBtn name="box" caption="동의" value="CHECKED"/>',
    '<hp:radioBtn name="r1" radioGroupName="kind" caption="원천" value="CHECKED"/>',
    '<hp:radioBtn name="r2" radioGroupName="kind" caption="혁신" value="UNCHECKED"/>',
    '<hp:edit name="memo"><hp:text>비고</hp:text></hp:edit>',
  ].join('');
  const file = hancom.writeHwpx({ sections: [hancom.paragraph(runs)] });
  const hwpx = await fillTemplate(file, {}, standardLimits);
  expect(hwpx.unfilled).toEqual(['a', 'box', 'kind', 'memo']);
  expect(await textsIn(hwpx.bytes, 'hwpx')).toEqual(await textsIn(file, 'hwpx'));
});

test('a content control is filled by its title where its tag is none, and forgets what it was bound to', async () => {
  const binding = '<w:dataBinding w:xpath="/a" w:storeItemID="{1}"/>';
  const body = word.paragraph(
    control(`<w:alias w:val="성명"/><w:tag w:val=""/>${binding}<w:text/>`, '옛 이름') +
      control(`<w:tag w:val="other"/>${binding}<w:text/>`, '그대로'),
  );
  const { bytes } = await fillTemplate(word.writeDocx({ body }), { 성명: '홍길동' }, standardLimits);
  expect(await textsIn(bytes, 'docx')).toEqual(['홍길동그대로']);
  const main = await partOf(bytes, 'word/document.xml');
  expect(main.split('<w:dataBinding')).toHaveLength(2);
  expect(main.indexOf('<w:dataBinding')).toBeGreaterThan(main.indexOf('"other"'));
});

test('dates keep no other day than the one that they show', async () => {
  const date = (tag: string) => control(`<w:tag w:val="${tag}"/><w:date w:fullDate="2020-01-01T00:00:00Z"/>`, '날짜');
  const body = word.paragraph(['a', 'b', 'c', 'd', 'e'].map(date).join(''));
  const data = { a: '2026-11-28', b: '2026. 3. 1.', c: '2026년 3월 2일', d: '미정', e: '2026-02-31' };
  const { bytes } = await fillTemplate(word.writeDocx({ body }), data, standardLimits);
  const dates = [...(await partOf(bytes, 'word/document.xml')).matchAll(/<w:date( w:fullDate="[^"]*")?\/>/g)];
  expect(dates.map(([, attribute]) => attribute?.slice(13, 23))).toEqual([
    '2026-11-28',
    '2026-03-01',
    '2026-03-02',
    undefined,
    undefined,
  ]);
});

test('lists to choose from show the caption of the entry whose caption or value is given', async () => {
  const items = '<w:listItem w:displayText="서울특별시" w:value="11"/><w:listItem w:value="26"/>';
  const list = (tag: string) =>
    control(`<w:tag w:val="${tag}"/><w:dropDownList w:lastValue="99">${items}</w:dropDownList>`, '고르세요');
  const body = word.paragraph(['a', 'b', 'c', 'd'].map(list).join(word.run('/')));
  const docx = await fillTemplate(
    word.writeDocx({ body }),
    { a: '11', b: '서울특별시', c: 26, d: '제주' },
    standardLimits,
  );
  expect(await textsIn(docx.bytes, 'docx')).toEqual(['서울특별시/서울특별시/26/제주']);
  const last = [...(await partOf(docx.bytes, 'word/document.xml')).matchAll(/<w:dropDownList( w:lastValue="\d+")?>/g)];
  expect(last.map(([, attribute]) => attribute?.trim())).toEqual([
    'w:lastValue="11"',
    'w:lastValue="11"',
    'w:lastValue="26"',
    undefined,
  ]);
  const box = (name: string) =>
    `<hp:comboBox name="${name}" selectedValue=""><hp:listItem displayText="서울특별시" value="11"/></hp:comboBox>`;
  const file = hancom.writeHwpx({ sections: [hancom.paragraph(box('a') + hancom.text('/') + box('b'))] });
  const hwpx = await fillTemplate(file, { a: '11', b: '서울특별시' }, standardLimits);
  expect(await textsIn(hwpx.bytes, 'hwpx')).toEqual(['서울특별시/서울특별시']);
  expect((await partOf(hwpx.bytes, 'Contents/section0.xml')).split('selectedValue="11"')).toHaveLength(3);
});
