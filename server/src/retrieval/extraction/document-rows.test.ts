import { expect, test } from 'vitest';
import { documentRecord, type Found, storedFound } from './document-rows.ts';

const row = { ord: 0, document_id: 'd', name: 'a.pdf', state: 'done', error_code: null, error_message: null } as const;
const field = (at: number): Found['fields'][number] => ({
  name: `items[${at}].note`,
  value: 'x'.repeat(900),
  page: 1,
  confidence: 0.9,
  source: 'table',
  quote: '',
});

test('a document keeps the values that there is room for, and says so where those are not all', () => {
  const missing = ['total'];
  const few = { fields: [field(0), field(1)], missing, warnings: [] };
  expect(documentRecord({ ...row, found: storedFound(few) })).toMatchObject(few);
  const stored = storedFound({ ...few, fields: Array.from({ length: 3_000 }, (_, at) => field(at)) });
  expect(stored.length).toBeLessThan(1_010_000);
  const { fields, warnings, ...rest } = documentRecord({ ...row, found: stored });
  expect(rest.missing).toEqual(missing);
  expect(fields.length).toBeGreaterThan(900);
  expect(fields).toEqual(Array.from(fields, (_, at) => field(at)));
  expect(warnings).toEqual([
    { code: 'values_cut', message: expect.stringContaining(`first ${fields.length} of 3000`) as string },
  ]);
});
