import { expect, test } from 'vitest';
import type { Block, FormField, TableCell } from '../document.ts';
import { coerce, dateOf } from './coerce.ts';
import { findValues } from './find.ts';
import { labelKey } from './labels.ts';
import { numberOf } from './numbers.ts';
import { passagesFor, placesOf } from './passages.ts';
import type { Wanted, WantedValue } from './wanted.ts';

const value = (path: string, type: WantedValue['type'] = 'string', more: Partial<WantedValue> = {}): WantedValue => ({
  path: path.split('.'),
  labels: [labelKey(path.split('.').at(-1) ?? '')],
  type,
  ...more,
});
const wanted = (...values: readonly WantedValue[]): Wanted => ({ values, rows: [] });
const box = { x: 10, y: 20, width: 100, height: 30 };
const p = (text: string, page = 1): Block => ({ type: 'paragraph', page, box, spans: [{ text }] });
const field = (one: FormField): Block => ({
  type: 'paragraph',
  page: 2,
  spans: [{ text: one.value ?? one.label ?? '', field: one }],
});
const table = (rows: readonly (readonly string[])[], headerRows = 0, page = 3): Block => ({
  type: 'table',
  page,
  box,
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  headerRows,
  cells: rows.flatMap((texts, row) =>
    texts.map((text, column): TableCell => ({ row, column, rowSpan: 1, columnSpan: 1, blocks: [p(text, page)] })),
  ),
});
const found = (blocks: readonly Block[], ...values: readonly WantedValue[]) =>
  Object.fromEntries(findValues({ blocks }, wanted(...values)).found.map((one) => [one.path.join('.'), one.value]));

test.each([
  ['1,200원', 1_200],
  ['△3.5%', -3.5],
  ['1억 5천만원', 150_000_000],
  ['금 2조 3,000억 원', 2_300_000_000_000],
  ['₩ -12', -12],
  ['제목', null],
  ['2024년 5월', null],
  ['5천 200만원', 52_000_000],
  ['3백 20', 320],
  ['2024.5.6', null],
  ['12 345', null],
  ['(500)', -500],
  ['(1,234.5)', -1_234.5],
  ['합계(500)', null],
  ['(500) 이월', null],
  ['(500원)', null],
  ['천분의 1.25', 0.00125],
  ['1,000분의 3', 0.003],
  ['3,5', null],
  ['1,2345', null],
  ['500, 부가세 별도', 500],
  ['금 일억오천만원정', 150_000_000],
  ['일금 삼백이십만 원', 3_200_000],
  ['금 일억이천삼백사십오만육천칠백팔십구원정(₩123,456,789)', 123_456_789],
  ['삼천만 원(30,000,000원)', 30_000_000],
  ['삼천만 원(3,000,000원)', null],
  ['이사', null],
])('numbers are read as documents write them: %s', (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test.each([
  ['2024년 3월 5일(화)', '2024-03-05'],
  ['2024. 3. 5.', '2024-03-05'],
  ["'24.3.5", '2024-03-05'],
  ['20240305', '2024-03-05'],
  ['2024-02-31', null],
  ['3월 5일', null],
])('dates too: %s', (text, date) => {
  expect(dateOf(text)).toBe(date);
});

test('texts become what is wanted, or nothing', () => {
  expect(coerce('12.5', value('a', 'integer'))).toBeNull();
  expect(coerce('해당 없음', value('a', 'boolean'))).toBe(false);
  expect(coerce('아마', value('a', 'boolean'))).toBeNull();
  expect(coerce('중소 기업', value('a', 'string', { options: ['대기업', '중소기업'] }))).toBe('중소기업');
  expect(coerce('학교', value('a', 'string', { options: ['대기업', '중소기업'] }))).toBeNull();
});

test("options that differ in signs alone are told apart, and one that can't be told is none", () => {
  const grade = (text: string, ...options: readonly string[]) => coerce(text, value('a', 'string', { options }));
  expect(['A+', 'A-', 'A', 'a +'].map((text) => grade(text, 'A+', 'A-', 'A'))).toEqual(['A+', 'A-', 'A', 'A+']);
  expect(['C', 'C++', 'c#'].map((text) => grade(text, 'C', 'C++', 'C#'))).toEqual(['C', 'C++', 'C#']);
  expect(grade('A-', 'A+', 'B+')).toBeNull();
  expect(grade('가 나', '가-나', '가/나')).toBeNull();
  expect(grade('Ａ＋', 'A+')).toBe('A+');
});

test('numbers are one of their options too', () => {
  const level = value('a', 'integer', { options: [1, 2, 3] });
  expect([coerce('2등급', level), coerce('5', level)]).toEqual([2, null]);
});

test('labels are known with what stands before them', () => {
  for (const text of [
    '① 계약금액',
    '⑴ 계약금액',
    'Ⅲ. 계약금액',
    '3) 계약 금액',
    '가. 계약금액',
    '○ 1-2. 계약금액',
    '(1) 계약금액',
  ])
    expect(labelKey(text)).toBe('계약금액');
  expect(labelKey('1.5톤')).toBe('15톤');
  const blocks = [p('① 계약금액(원): 5,000,000원'), p('예산(백만원): 12.5'), p('예산: 3'), p('기간(안): 2일')];
  expect(found(blocks, value('계약금액', 'number'), value('예산', 'number'), value('기간'))).toEqual({
    계약금액: 5_000_000,
    예산: 3,
  });
  expect(found(blocks.slice(0, 2), value('예산', 'number'))).toEqual({ 예산: 12_500_000 });
});

test('fields of forms give their value, and boxes that are ticked what stands beside them', () => {
  const blocks = [
    field({ kind: 'text', label: '성명', value: '홍길동' }),
    field({ kind: 'checkbox', label: '동의함', checked: true }),
    field({ kind: 'checkbox', label: '원천기술형', checked: false }),
    field({ kind: 'checkbox', label: '혁신제품형', checked: true }),
    field({ kind: 'text', label: '비고', value: '' }),
  ];
  const kind = value('유형', 'string', { options: ['원천기술형', '혁신제품형'] });
  const all = findValues({ blocks }, wanted(value('성명'), value('동의함', 'boolean'), kind, value('비고'))).found;
  expect(all.map(({ path, value: one }) => [path[0], one])).toEqual([
    ['성명', '홍길동'],
    ['동의함', true],
    ['유형', '혁신제품형'],
  ]);
  expect(all[0]).toMatchObject({ page: 2, source: 'form', quote: '홍길동', confidence: 0.95 });
});

test('cells give what stands beside their label, or below it, and never another label', () => {
  const blocks = [
    table([
      ['1. 성   명', '홍길동', '생년월일', "'90. 1. 2."],
      ['주소', '', '전화번호', '02-123-4567'],
    ]),
    table([
      ['신청 금액', '기간'],
      ['3천만원', '12개월'],
    ]),
  ];
  expect(
    found(
      blocks,
      value('성명'),
      value('생년월일', 'string', { date: true }),
      value('주소'),
      value('전화번호'),
      value('신청금액', 'number'),
      value('기간'),
    ),
  ).toEqual({ 성명: '홍길동', 생년월일: '1990-01-02', 전화번호: '02-123-4567', 신청금액: 30_000_000, 기간: '12개월' });
});

test('lines with colons give their values, several beside each other too', () => {
  const blocks = [p('○ 성  명 : 홍길동    연락처: 010-1234-5678'), p('기간：2024. 1. 1. ~ 2024. 12. 31.\n장소: 서울')];
  const all = findValues({ blocks }, wanted(value('성명'), value('연락처'), value('장소'), value('없는것'))).found;
  expect(all.map(({ value: one }) => one)).toEqual(['홍길동', '010-1234-5678', '서울']);
  expect(all[0]).toMatchObject({ page: 1, box, source: 'text' });
});

test('of several places the most certain counts', () => {
  const blocks = [p('성명: 아닌 사람'), field({ kind: 'text', label: '성명', value: '홍길동' }), p('성명: 다른 사람')];
  expect(found(blocks, value('성명'))).toEqual({ 성명: '홍길동' });
});

test('rows of tables are lists of objects, over tables that go on', () => {
  const columns = [
    value('품명'),
    value('수량', 'integer'),
    { ...value('단가', 'number'), labels: [labelKey('단가(원)'), labelKey('단가')] },
  ];
  const blocks = [
    table(
      [
        ['연번', '품명', '수량', '단가(원)'],
        ['1', '책상', '3', '120,000'],
        ['2', '의자', '12', ''],
      ],
      1,
    ),
    table([['이름', '나이']], 1),
    table(
      [
        ['품 명', '수 량', '단 가'],
        ['등', '1', '9,900'],
      ],
      1,
      4,
    ),
  ];
  const all = findValues({ blocks }, { values: [], rows: [{ path: ['items'], columns }] }).found;
  expect(all.map(({ path, value: one, page }) => [path.join('.'), one, page])).toEqual([
    ['items.0.품명', '책상', 3],
    ['items.0.수량', 3, 3],
    ['items.0.단가', 120_000, 3],
    ['items.1.품명', '의자', 3],
    ['items.1.수량', 12, 3],
    ['items.2.품명', '등', 4],
    ['items.2.수량', 1, 4],
    ['items.2.단가', 9_900, 4],
  ]);
});

test('what a model is shown are first the passages that name what is missing; its quotations are found again', () => {
  const blocks = [p('가'.repeat(50)), p('계약 금액은 삼천만 원으로 한다.', 7), p('나'.repeat(50))];
  expect(passagesFor({ blocks }, ['계약금액'], 80)).toEqual({
    text: `${'가'.repeat(50)}\n\n계약 금액은 삼천만 원으로 한다.`,
    whole: false,
  });
  expect(passagesFor({ blocks }, [], 1_000).whole).toBe(true);
  expect(placesOf({ blocks }, ['금액은  삼천만원', '없는 말', ''])).toEqual([{ page: 7, box }, null, null]);
});

test('hostile texts are looked through in time that grows with their length', () => {
  const blocks = [
    p('1'.repeat(100_000)),
    p('1,'.repeat(50_000)),
    p(`${'가 '.repeat(50_000)}:`),
    p(': '.repeat(50_000)),
    p(`가${' '.repeat(200_000)}나${' '.repeat(200_000)}:`),
  ];
  expect(found(blocks, value('성명'), value('수', 'number'))).toEqual({});
  const boxes = [
    p('☑ '.repeat(50_000)),
    p(Array.from({ length: 20_000 }, (_, at) => `☑ ${at}`).join('\n')),
    p(`☑ ${'가 '.repeat(50_000)}:`),
    table(Array.from({ length: 5 }, () => Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? '성명' : '☑')))),
    table(Array.from({ length: 10_000 }, () => ['당사자', '성명'])),
  ];
  const name = { ...value('당사자.성명'), within: [[labelKey('당사자')]] };
  expect(found(boxes, name, value('유형', 'string', { options: ['가', '나'] }))).toEqual({});
  expect(numberOf('1 '.repeat(60))).not.toBe(Number.NaN);
  expect(numberOf(`${'1억'.repeat(40)}x`.repeat(30))).toBeNull();
});

test('a value stands where its field or its cell does; of a table on another page no box is given', () => {
  const place = (y: number) => ({ x: 50, y, width: 20, height: 10 });
  const cell = (row: number, column: number, text: string, more: Partial<TableCell> = {}): TableCell => ({
    row,
    column,
    rowSpan: 1,
    columnSpan: 1,
    blocks: [{ type: 'paragraph', page: more.page ?? 1, spans: [{ text }] }],
    ...more,
  });
  const tick: FormField = { kind: 'checkbox', label: '동의함', checked: true, box: place(300) };
  const form: Block = {
    type: 'table',
    page: 1,
    box,
    rows: 3,
    columns: 2,
    headerRows: 0,
    cells: [
      cell(0, 0, '성명'),
      cell(0, 1, '홍길동', { box: place(100) }),
      cell(1, 0, '주소', { page: 2 }),
      cell(1, 1, '서울', { page: 2 }),
      cell(2, 0, '동의'),
      cell(2, 1, '', { blocks: [field(tick)] }),
    ],
  };
  const asked = [value('성명'), value('주소'), value('동의함', 'boolean')];
  expect(
    findValues({ blocks: [form] }, wanted(...asked)).found.map(({ path, page, box: at }) => [path[0], page, at]),
  ).toEqual(
    expect.arrayContaining([
      ['성명', 1, place(100)],
      ['주소', 2, undefined],
      ['동의함', 1, place(300)],
    ]),
  );
  expect(placesOf({ blocks: [form] }, ['홍길동'])).toEqual([{ page: 1, box: place(100) }]);
});
