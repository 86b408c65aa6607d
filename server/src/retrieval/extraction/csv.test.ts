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
