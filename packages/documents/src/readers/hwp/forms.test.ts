import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { form, paragraph, table, writeHwp, type WrittenHwp } from '../../../test/hwp-writer/index.ts';
import type { Document } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { formFieldsOf } from '../../render/form-fields.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { readFormObject } from './forms.ts';
import { readHwp } from './index.ts';

const readSection = (section: WrittenHwp['sections'][number], info: WrittenHwp['info'] = {}): Document =>
  readHwp(writeHwp({ sections: [section], info }), {
    limits: standardLimits,
    pages: null,
    onPage: () => {},
  }) as Document;
const fieldsOf = ({ blocks }: Document) => blocks.flatMap(formFieldsOf);

test('boxes to tick and radio buttons keep their state, in the text and as fields', () => {
  const cells = [
    form('+cbt', 'CheckBox1', { Caption: '원천기술형', Value: 0 }),
    form('+cbt', 'CheckBox2', { Caption: 'R&&D &혁신', Value: 1 }),
    form('+cbt', 'CheckBox3', { Caption: '', Value: 2, TriState: true }),
    form('+rbt', 'RadioButton1', { Caption: '해당', RadioGroupName: '여부', Value: 1 }),
  ].map((one, column) => ({ row: 0, column, content: [paragraph([one])] }));
  const more = { row: 1, column: 0, columnSpan: 4, content: [paragraph('비고')] };
  const document = readSection([paragraph([table({ rows: 2, columns: 4, cells: [...cells, more] })])]);
  expect(brief(document.blocks)).toEqual(['t p ☐원천기술형 | p ☑R&D 혁신 | p ◪ | p ☑해당 | p 비고']);
  expect(fieldsOf(document)).toEqual([
    { kind: 'checkbox', name: 'CheckBox1', label: '원천기술형', checked: false, row: 0, column: 0 },
    { kind: 'checkbox', name: 'CheckBox2', label: 'R&D 혁신', checked: true, row: 0, column: 1 },
    { kind: 'checkbox', name: 'CheckBox3', checked: null, row: 0, column: 2 },
    { kind: 'radio', name: '여부', label: '해당', checked: true, row: 0, column: 3 },
  ]);
});

test('a line of boxes is no heading, whatever its letters look like', () => {
  const document = readSection(
    [
      paragraph('신청 안내를 읽고 아래에 표시한다. 두 가지 가운데 하나를 고른다.'),
      paragraph(
        [form('+cbt', 'A', { Caption: '가형', Value: 1 }), ' ', form('+cbt', 'B', { Caption: '나형', Value: 0 })],
        {
          chars: [[0, 1]],
        },
      ),
    ],
    { charShapes: [{}, { size: 2000, bold: true }] },
  );
  expect(brief(document.blocks).at(-1)).toBe('p ☑가형 ☐나형');
});

test('what was chosen and typed is the text; a field that is empty is a field all the same', () => {
  const document = readSection([
    paragraph(['지역: ', form('+cob', 'ComboBox1', { Text: '경기도' })]),
    paragraph(['성명: ', form('+edt', 'Edit1', { Text: '홍:길동 Value:int:1', MultiLine: false })]),
    paragraph(['비고: ', form('+edt', 'Edit2', { Text: '' })]),
    paragraph([form('+edt', 'Edit3', { Text: '' })]),
  ]);
  expect(brief(document.blocks)).toEqual(['p 지역: 경기도', 'p 성명: 홍:길동 Value:int:1', 'p 비고: ', 'p ']);
  expect(fieldsOf(document)).toEqual([
    { kind: 'choice', name: 'ComboBox1', label: '지역', value: '경기도' },
    { kind: 'text', name: 'Edit1', label: '성명', value: '홍:길동 Value:int:1' },
    { kind: 'text', name: 'Edit2', label: '비고', value: '' },
    { kind: 'text', name: 'Edit3', value: '' },
  ]);
});

test('bullets that can be ticked are items of a list with their state, never headings', () => {
  const document = readSection(
    [
      paragraph('할 일', { shape: 0 }),
      paragraph('보고서 제출', { shape: 1, style: 1 }),
      paragraph('예산 확인', { shape: 2, style: 1 }),
      paragraph('보통 점', { shape: 3 }),
    ],
    {
      bullets: [['\uf0a8', '\uf0fe'], '●'],
      styles: ['바탕글', '개요 2'],
      paraShapes: [
        {},
        { head: 'bullet', headId: 1 },
        { head: 'bullet', headId: 1, checked: true },
        { head: 'bullet', headId: 2, checked: true },
      ],
    },
  );
  expect(renderMarkdown(document.blocks)).toBe('할 일\n\n- ☐ 보고서 제출\n- ☑ 예산 확인\n- ● 보통 점');
  expect(fieldsOf(document)).toEqual([
    { kind: 'checkbox', label: '보고서 제출', checked: false },
    { kind: 'checkbox', label: '예산 확인', checked: true },
  ]);
});

test('letters that stand where nothing is read are warned about', () => {
  const words = paragraph('가나다라마 바사아자차 카타파하'.repeat(4));
  const unknown = { code: 11, id: 'zzzz', record: { tag: 0x47, data: Buffer.from('zzzz'), children: [words] } };
  const { warnings } = readSection([paragraph(['읽히는 글', unknown])]);
  expect(warnings).toMatchObject([{ code: 'text_not_read' }]);
});

test('settings that lead back, and long words among them, end', () => {
  const record = (text: string) => Buffer.concat([Buffer.from('tde+'), Buffer.from(text, 'utf16le')]);
  for (const text of [`Abc:wstring:-14`, 'a'.repeat(500_000), 'a:wstring:'.repeat(50_000)])
    expect(readFormObject(record(text)).field).toMatchObject({ kind: 'text' });
});
