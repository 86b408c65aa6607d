import { afterAll, expect, test } from 'vitest';
import type { TenantId } from '../../kernel/context.ts';
import { createSecretBox } from '../../kernel/secret-box.ts';
import type { Database } from '../../ports/database.ts';
import { createSearch } from '../../privacy/index.ts';
import { createMask } from './mask.ts';

const search = createSearch();
afterAll(() => search.close());
const mask = createMask({
  db: {} as Database,
  box: createSecretBox(Buffer.alloc(32, 7)),
  keepHours: 1,
  search,
  countTokens: () => Promise.resolve(1),
  askModel: { has: () => false, ask: () => expect.fail('no model') },
  modelOf: () => Promise.resolve(null),
  counts: { add: () => undefined },
});
const actor = { tenantId: 'a'.repeat(32) as TenantId, keyId: null, userId: null };
const maskAs = (given: string, types: readonly string[] | null) =>
  mask(actor, { text: given, types, onTokens: () => undefined });
const text = 'Write to kim@example.com, or call 010-1234-5678.';

test('every type is masked where none is named; of named ones those that there are', async () => {
  const all = await maskAs(text, null);
  expect(all.found).toBe(2);
  expect(all.text).not.toMatch(/kim@|010-1234/);
  expect(await maskAs(text, [])).toEqual(all);
  expect(await maskAs(text, ['NOTHING'])).toEqual(all);
  const mail = await maskAs(text, ['EMAIL', 'NOTHING']);
  expect(mail.found).toBe(1);
  expect(mail.text).toContain('010-1234-5678');
});

test('of an empty text nothing is asked', async () => {
  expect(await maskAs('', null)).toEqual({ text: '', found: 0 });
});
