import { expect, test } from 'vitest';
import { readSchema, schemaOf, type WantedField } from './fields.ts';

const field = (name: string, kind: WantedField['kind'] = 'text', description = '') => ({
  id: 1,
  name,
  kind,
  description,
});

test('lines of the form are a schema', () => {
  expect(
    schemaOf([field(' 계약 상대자 ', 'text', ' 을 '), field('금액', 'number'), field('v1.2', 'date'), field(' ')]),
  ).toEqual({
    type: 'object',
    properties: {
      '계약 상대자': { type: 'string', title: '계약 상대자', description: '을' },
      금액: { type: 'number', title: '금액' },
      'v1 2': { type: 'string', format: 'date', title: 'v1.2' },
    },
  });
  expect(schemaOf([field(''), field(' ')])).toBeNull();
  expect(schemaOf([field('a.b'), field('a b')])).toBeNull();
});

test('a schema that was pasted is an object, or nothing', () => {
  expect(readSchema('{"type":"object"}')).toEqual({ type: 'object' });
  for (const text of ['', '{', '[]', 'null', '1']) expect(readSchema(text)).toBeNull();
});
