import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertCollection } from '../../test/support/ingest-jobs.ts';
import { freshDatabase } from '../../test/support/postgres.ts';
import type { TenantId } from '../kernel/context.ts';
import { hexId } from '../kernel/ids.ts';
import { amountText, requireUnusedEmbedder } from './local-models.ts';

const state = {
  phase: 'downloading',
  bytes: 312_000_000,
  total: 640_000_000,
  bytesPerSecond: 21_400_000,
  secondsLeft: 16,
  message: null,
  part: 1,
  parts: 1,
} as const;

test.each([
  [{}, '312 of 640 MB  48 %  21.4 MB/s  16 s left'],
  [{ bytes: 0 }, '0 of 640 MB  0 %  21.4 MB/s  16 s left'],
  [{ bytes: 12_000, total: 95_400, bytesPerSecond: 64_300 }, '12 of 95 kB  12 %  64 kB/s  16 s left'],
  [{ bytes: 12_000, total: null, secondsLeft: null }, '12 kB  21.4 MB/s'],
  [{ bytes: 95_400, total: 95_400, phase: 'verifying', parts: 3, part: 2 }, 'file 2 of 3  95 kB  verifying'],
] as const)('the amount of a download is told in its unit: %j', (more, text) => {
  expect(amountText({ ...state, ...more })).toBe(text);
});

test('a model that collections need is not removed; they are named', async () => {
  const database = await freshDatabase();
  try {
    const { query } = database.db;
    const tenantId = hexId() as TenantId;
    await query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
    await insertCollection(query, tenantId);
    const model = JSON.stringify({ embedding_model: 'mine' });
    const config = sql<string>`ingest_config || ${model}::jsonb`;
    await query.updateTable('collections').set({ name: '인사 규정', ingest_config: config }).execute();
    await expect(requireUnusedEmbedder(database.db, 'mine')).rejects.toThrow('인사 규정');
    await expect(requireUnusedEmbedder(database.db, 'other')).resolves.toBeUndefined();
  } finally {
    await database.close();
  }
});
