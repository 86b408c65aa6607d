import { expect, test } from 'vitest';
import type { Block, Span } from '../document.ts';
import { fieldSpan } from '../text/form-fields.ts';
import { formFieldsOf } from './form-fields.ts';
import { renderPrediction } from './json.ts';

const paragraph = (...spans: (Span | string)[]): Block => ({
  type: 'paragraph',
  page: null,
  spans: spans.map((one) => (typeof one === 'string' ? { text: one } : one)),
});

test('boxes that are letters of the text are fields, with the words up to the next one', () => {
  expect(formFieldsOf(paragraph('□ 남 ☑ 여   성별'))).toEqual([
    { kind: 'checkbox', checked: false, label: '남' },
    { kind: 'checkbox', checked: true, label: '여' },
  ]);
  expect(formFieldsOf(paragraph('■ 신규 □ 계속'))).toHaveLength(2);
});

test('a square that stands alone before words is a bullet', () => {
  expect(formFieldsOf(paragraph('□ 추진 배경'))).toEqual([]);
  expect(formFieldsOf(paragraph('■ 추진 배경'))).toEqual([]);
  expect(formFieldsOf(paragraph('□ 가 □ 나'))).toEqual([]);
});

test('the words beside a field are its label: behind a box, before what is filled in', () => {
  const box = (checked: boolean) => fieldSpan({ kind: 'checkbox', checked });
  expect(formFieldsOf(paragraph('성별 ', box(false), ' 남 ', box(true), ' 여'))).toEqual([
    { kind: 'checkbox', checked: false, label: '남' },
    { kind: 'checkbox', checked: true, label: '여' },
  ]);
  expect(formFieldsOf(paragraph('성명 : ', fieldSpan({ kind: 'text', value: '홍길동' })))).toEqual([
    { kind: 'text', value: '홍길동', label: '성명' },
  ]);
});

test('a cell to fill in takes its label from the cell before it, and the interface says where it stands', () => {
  const cell = (column: number, block: Block) => ({ row: 0, column, rowSpan: 1, columnSpan: 1, blocks: [block] });
  const table: Block = {
    type: 'table',
    page: 1,
    rows: 1,
    columns: 2,
    headerRows: 0,
    cells: [cell(0, paragraph('연락처')), cell(1, paragraph(fieldSpan({ kind: 'text', name: 'Tel', value: '' })))],
  };
  const { all_pages: pages } = renderPrediction({ format: 'hwp', meta: {}, pages: [], blocks: [table], warnings: [] });
  expect(pages[0]?.classes[0]?.fields).toEqual([
    { kind: 'text', name: 'Tel', label: '연락처', value: '', row: 0, column: 1 },
  ]);
});

test('cells and fields say where they stand, and on which page where that is another one', () => {
  const box = { x: 10, y: 20.1, width: 30.2, height: 40 };
  const field = fieldSpan({ kind: 'checkbox', checked: true, box: { x: 12, y: 22, width: 9, height: 9 } });
  const place = { rowSpan: 1, columnSpan: 1, column: 0 };
  const table: Block = {
    type: 'table',
    page: 1,
    box,
    rows: 2,
    columns: 1,
    headerRows: 0,
    cells: [
      { ...place, row: 0, blocks: [paragraph('가')] },
      { ...place, row: 1, box, page: 2, blocks: [paragraph(field, ' 나')] },
    ],
  };
  const { all_pages: pages } = renderPrediction({ format: 'pdf', meta: {}, pages: [], blocks: [table], warnings: [] });
  const [block] = pages[0]?.classes ?? [];
  expect(block).toMatchObject({ bbox: [10, 20.1, 40.2, 60.1] });
  expect(block?.table?.cells[0]).not.toHaveProperty('bbox');
  expect(block?.table?.cells[1]).toMatchObject({ bbox: [10, 20.1, 40.2, 60.1], page: 2 });
  expect(block?.fields).toEqual([
    { kind: 'checkbox', checked: true, label: '나', row: 1, column: 0, bbox: [12, 22, 21, 31], page: 2 },
  ]);
});

test('a table of fields alone ends', () => {
  const rows = 150_000;
  const cells = Array.from({ length: rows }, (_, row) => ({
    row,
    column: 1,
    rowSpan: 1,
    columnSpan: 1,
    blocks: [{ type: 'paragraph', page: null, spans: [fieldSpan({ kind: 'text', value: '가' })] } as const],
  }));
  expect(formFieldsOf({ type: 'table', page: null, rows, columns: 2, headerRows: 0, cells })).toHaveLength(2_000);
});
