import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { cell, paragraph as p, run, writeDocx } from '../../../test/docx.ts';
import { standardLimits } from '../../reader.ts';
import { formFieldsOf } from '../../render/form-fields.ts';
import { readDocx } from './index.ts';

const blocksOf = async (body: string) =>
  (await readDocx(writeDocx({ body }), { limits: standardLimits, pages: null, onPage: () => {} })).blocks;
const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const box = (tag: string, checked: 0 | 1) =>
  control(
    `<w:tag w:val="${tag}"/><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox>`,
    run(checked ? '☒' : '☐'),
  );

test('content controls are fields with their state, what was chosen and what was typed', async () => {
  const items = '<w:listItem w:displayText="서울" w:value="11"/><w:listItem w:value="경기"/>';
  const blocks = await blocksOf(
    p(`${box('agree', 1)}${run(' 동의 ')}${box('refuse', 0)}${run(' 거부')}`) +
      p(`${run('지역: ')}${control(`<w:tag w:val="region"/><w:dropDownList>${items}</w:dropDownList>`, run('서울'))}`) +
      p(`${run('성명: ')}${control('<w:alias w:val="신청인"/><w:text/>', run('홍길동'))}`) +
      p(`${run('비고: ')}${control('<w:tag w:val="note"/><w:showingPlcHdr/><w:text/>', run('여기를 누르세요'))}`) +
      control('<w:tag w:val="whole"/><w:text/>', p('문단 전체')),
  );
  expect(brief(blocks)).toEqual(['p ☑ 동의 ☐ 거부', 'p 지역: 서울', 'p 성명: 홍길동', 'p 비고: ', 'p 문단 전체']);
  expect(blocks.flatMap(formFieldsOf)).toEqual([
    { kind: 'checkbox', name: 'agree', label: '동의', checked: true },
    { kind: 'checkbox', name: 'refuse', label: '거부', checked: false },
    { kind: 'choice', name: 'region', label: '지역', value: '서울', options: ['서울', '경기'] },
    { kind: 'text', label: '신청인', value: '홍길동' },
    { kind: 'text', name: 'note', label: '비고', value: '' },
    { kind: 'text', name: 'whole', value: '문단 전체' },
  ]);
});

test('the older form fields are fields too', async () => {
  const begin = (data: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r>`;
  const separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
  const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
  const blocks = await blocksOf(
    p(
      `${begin('<w:name w:val="C1"/><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')}${end}${run(' 예')}`,
    ) +
      p(
        `${run('구분 ')}${begin('<w:name w:val="D1"/><w:ddList><w:result w:val="1"/><w:listEntry w:val="가"/><w:listEntry w:val="나"/></w:ddList>')}${end}`,
      ) +
      p(`${run('이름 ')}${begin('<w:name w:val="T1"/><w:textInput/>')}${separate}${run('김하나')}${end}${run(' 님')}`) +
      p(`${run('주소 ')}${begin('<w:name w:val="T2"/><w:textInput/>')}${separate}${run('     ')}${end}`),
  );
  expect(brief(blocks)).toEqual(['p ☑ 예', 'p 구분 나', 'p 이름 김하나 님', 'p 주소 ']);
  expect(blocks.flatMap(formFieldsOf)).toEqual([
    { kind: 'checkbox', name: 'C1', label: '예', checked: true },
    { kind: 'choice', name: 'D1', label: '구분', value: '나', options: ['가', '나'] },
    { kind: 'text', name: 'T1', label: '이름', value: '김하나' },
    { kind: 'text', name: 'T2', label: '주소', value: '' },
  ]);
});

test('a control around words of a text is no field, and a box in a cell keeps its state', async () => {
  const table = `<w:tbl><w:tr>${cell('동의')}${cell(p(box('agree', 1)))}</w:tr></w:tbl>`;
  const blocks = await blocksOf(p(control('<w:richText/>', run('보통 글'))) + table);
  expect(brief(blocks)).toEqual(['p 보통 글', 't p 동의 | p ☑']);
  expect(blocks.flatMap(formFieldsOf)).toEqual([{ kind: 'checkbox', name: 'agree', checked: true, row: 0, column: 1 }]);
});
