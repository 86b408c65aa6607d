import { expect, test } from 'vitest';
import { csvDocument, csvHead } from './csv.ts';

const field = (name: string, value: string | number | boolean, page: number | null = 1) => ({
  name,
  value,
  page,
  confidence: 0.85,
  source: 'text' as const,
  quote: '',
});
const found = {
  document_id: 'd',
  document_name: '계약.hwp',
  state: 'done' as const,
  error: null,
  missing: [],
  warnings: [],
};

test('Korean is read by spreadsheets, and nothing of a document runs in them', () => {
  const run = { columns: ['상대자', 'amount', 'signed', 'items[].name'] };
  expect(csvHead(run, false)).toBe('\uFEFFdocument_id,document_name,error,상대자,amount,signed,items[].name\r\n');
  const fields = [
    field('상대자', '=HYPERLINK("http://x")'),
    field('amount', -5),
    field('items[0].name', '@a', 2),
    field('items[1].name', 'b', 3),
  ];
  expect(csvDocument(run, { ...found, fields }, false)).toBe(`d,계약.hwp,,"'=HYPERLINK(""http://x"")",-5,,'@a; b\r\n`);
  expect(csvHead({ columns: ['a'] }, true)).toBe('\uFEFFdocument_id,document_name,error,a,a (page),a (confidence)\r\n');
  expect(csvDocument({ columns: ['a'] }, { ...found, fields: [field('a', 'x', null)] }, true)).toBe(
    'd,계약.hwp,,x,,0.85\r\n',
  );
  const error = { code: 'conflict', message: 'not read, yet' };
  expect(csvDocument({ columns: ['a'] }, { ...found, document_name: '+a', error, fields: [] }, false)).toBe(
    `d,'+a,"conflict: not read, yet",\r\n`,
  );
});

test('the columns of a list stay row by row, with empty places, and tell values from what parts them', () => {
  const columns = ['items[].name', 'items[].price', 'items[].note'];
  const line = (...fields: ReturnType<typeof field>[]) => csvDocument({ columns }, { ...found, fields }, false);
  const rows = [field('items[0].name', '책상'), field('items[1].name', '의자'), field('items[1].price', 80_000)];
  expect(line(...rows)).toBe('d,계약.hwp,,책상; 의자,; 80000,\r\n');
  expect(line(field('items[0].name', '책상; 의자'), field('items[1].name', 'a;b'), field('items[2].name', '"c"'))).toBe(
    'd,계약.hwp,,"""책상; 의자""; a;b; """"""c""""""",,\r\n',
  );
  expect(line(field('items[0].name', 'a; b'), field('items[0].price', -5))).toBe('d,계약.hwp,,"""a; b""",-5,\r\n');
  const twice = csvDocument(
    { columns: ['items[].name'] },
    { ...found, fields: [field('items[1].name', 'b', 3)] },
    true,
  );
  expect(twice).toBe('d,계약.hwp,,; b,; 3,; 0.85\r\n');
});

test('a cell is cut where spreadsheets cut it, and says so', () => {
  const cell = (value: string) =>
    csvDocument({ columns: ['a'] }, { ...found, fields: [field('a', value)] }, false).slice(10, -2);
  expect(cell('가'.repeat(32_767))).toBe('가'.repeat(32_767));
  expect(cell('가'.repeat(32_768))).toBe(`${'가'.repeat(32_766)}…`);
  expect(cell(`-${'가'.repeat(32_766)}`)).toBe(`'-${'가'.repeat(32_764)}…`);
  expect(cell(`가${'😀'.repeat(20_000)}`)).toBe(`가${'😀'.repeat(16_382)}…`);
});
