import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/postgres.ts';
import { usage } from './0002-usage.ts';
import { usageSlices } from './0003-usage-slices.ts';

it('calls counted before are kept, each as a slice of its own', async () => {
  const fresh = await freshDatabase();
  const { query } = fresh.db;
  await sql`DROP TABLE usage_slices`.execute(query);
  await query.transaction().execute(async (tx) => {
    await usage.up(tx);
    await sql`INSERT INTO usage VALUES
      ('w', 1, '2026-01-02T03:04:05Z', 'r1', 't', 'k', 'chat', 'M', 'e', 200, 'ok', true, 10, 20, NULL, 12.5, 100.25),
      ('w', 2, '2026-01-02T03:04:06Z', 'r2', 't', NULL, 'chat', 'M', NULL, 499, 'canceled', false, 1, 0, 3, NULL, 0.25)`.execute(
      tx,
    );
    await usageSlices.up(tx);
  });
  expect(await query.selectFrom('usage_slices').selectAll().orderBy('number').execute()).toMatchObject([
    {
      first_at: new Date('2026-01-02T03:04:05Z'),
      calls: 1,
      prompt_tokens: 10,
      reasoning_tokens: 0,
      first_token_ms: 12.5,
      first_token_counts: [0, 0, 0, 0, 1],
      latency_counts: [0, 0, 0, 0, 0, 0, 0, 1],
    },
    { calls: 1, reasoning_tokens: 3, first_token_ms: 0, first_token_counts: [], latency_counts: [1] },
  ]);
  await fresh.close();
});
