import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { cell, paragraph as p, writeHwpx } from '../../../test/hwpx.ts';
import type { Block } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { formFieldsOf } from '../../render/form-fields.ts';
import { readHwpx } from './index.ts';

const blocksOf = async (section: string, header = ''): Promise<readonly Block[]> =>
  (
    await readHwpx(writeHwpx({ sections: [section], header }), {
      limits: standardLimits,
      pages: null,
      onPage: () => {},
    })
  ).blocks;
const place = '<hp:sz width="1"/><hp:pos treatAsChar="1"/>';
const check = (attributes: string, name = 'checkBtn') => `<hp:${name} ${attributes}>${place}</hp:${name}>`;

test('boxes to tick and radio buttons keep their state, in the text and as fields', async () => {
  const blocks = await blocksOf(
    p(
      `<hp:tbl>${[
        `<hp:tr>${cell(p(check('caption="원천기술형" value="UNCHECKED" name="CheckBox1"')), [0, 0])}`,
        cell(p(check('caption="R&amp;&amp;D형" value="CHECKED" name="CheckBox2"')), [0, 1]),
        `${cell(p(check('caption="" value="INDETERMINATE" name="CheckBox3"')), [0, 2])}</hp:tr>`,
        `<hp:tr>${cell(p(check('caption="해당" value="CHECKED" name="R1" radioGroupName="여부"', 'radioBtn')), [1, 0])}`,
        `${cell(p(check('caption="확인" name="B1"', 'btn')), [1, 1])}</hp:tr>`,
      ].join('')}</hp:tbl>`,
    ),
  );
  expect(brief(blocks)).toEqual(['t p ☐원천기술형 | p ☑R&D형 | p ◪ | p ☑해당 | p 확인']);
  expect(blocks.flatMap(formFieldsOf)).toEqual([
    { kind: 'checkbox', name: 'CheckBox1', label: '원천기술형', checked: false, row: 0, column: 0 },
    { kind: 'checkbox', name: 'CheckBox2', label: 'R&D형', checked: true, row: 0, column: 1 },
    { kind: 'checkbox', name: 'CheckBox3', checked: null, row: 0, column: 2 },
    { kind: 'radio', name: '여부', label: '해당', checked: true, row: 1, column: 0 },
  ]);
});

test('a choice has what was chosen and what can be; a field to fill in its words', async () => {
  const items = '<hp:listItem displayText="서울특별시" value="11"/><hp:listItem displayText="" value="경기도"/>';
  const blocks = await blocksOf(
    p(`<hp:t>지역 </hp:t><hp:comboBox name="C1" selectedValue="11">${items}${place}</hp:comboBox>`) +
      p(`<hp:t>성명: </hp:t><hp:edit name="E1"><hp:text>홍길동</hp:text>${place}</hp:edit>`) +
      p(`<hp:edit name="E2"><hp:text/>${place}</hp:edit>`),
  );
  expect(brief(blocks)).toEqual(['p 지역 서울특별시', 'p 성명: 홍길동', 'p ']);
  expect(blocks.flatMap(formFieldsOf)).toEqual([
    { kind: 'choice', name: 'C1', label: '지역', value: '서울특별시', options: ['서울특별시', '경기도'] },
    { kind: 'text', name: 'E1', label: '성명', value: '홍길동' },
    { kind: 'text', name: 'E2', value: '' },
  ]);
});

test('bullets that can be ticked are items of a list with their state, never headings', async () => {
  const shape = (id: number, bullet: number, checked: 0 | 1) =>
    `<hh:paraPr id="${id}" checked="${checked}"><hh:heading type="BULLET" idRef="${bullet}" level="0"/></hh:paraPr>`;
  const header =
    '<hh:bullets><hh:bullet id="1" char="&#xF0A8;" checkedChar="&#xF0FE;"><hh:paraHead checkable="1"/></hh:bullet>' +
    '<hh:bullet id="2" char="●" checkedChar="☑"><hh:paraHead checkable="0"/></hh:bullet></hh:bullets>' +
    `<hh:paraProperties>${shape(0, 1, 0)}${shape(1, 1, 1)}${shape(2, 2, 1)}</hh:paraProperties>` +
    '<hh:styles><hh:style id="0" name="개요 1" paraPrIDRef="0"/></hh:styles>';
  const blocks = await blocksOf(
    p('보고서', 'paraPrIDRef="0" styleIDRef="0"') +
      p('예산', 'paraPrIDRef="1"') +
      p('점', 'paraPrIDRef="2" styleIDRef="9"'),
    header,
  );
  expect(brief(blocks)).toEqual(['l0 ☐ 보고서', 'l0 ☑ 예산', 'l0 ● 점']);
  expect(blocks).toMatchObject([{ items: [{ checked: false }, { checked: true }, {}] }]);
  expect(blocks.flatMap(formFieldsOf)).toEqual([
    { kind: 'checkbox', label: '보고서', checked: false },
    { kind: 'checkbox', label: '예산', checked: true },
  ]);
});
