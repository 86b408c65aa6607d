import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import type { TenantId } from '../../kernel/context.ts';
import { createFoundCounts, readCounts } from './counts.ts';

const [ours, theirs, gone] = ['ours', 'theirs', 'gone'] as unknown as [TenantId, TenantId, TenantId];
const DAY_MS = 86_400_000;

describe('counts of personal values', () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase();
    await fresh.db.query
      .insertInto('tenants')
      .values([ours, theirs].map((id) => ({ id, name: id })))
      .execute();
  });
  beforeEach(() => fresh.db.query.deleteFrom('privacy_counts').execute());
  afterAll(() => fresh.close());

  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

  it('add up by day and type, of all processes, for each tenant alone', async () => {
    covers('guard.counts', 'guard.tenants');
    let now = Date.now() - 2 * DAY_MS;
    const [a, b] = [1, 2].map(() => createFoundCounts({ db: fresh.db, log: silent, now: () => now }));
    if (!a || !b) throw new Error('two processes');
    a.add(ours, 'chat', 'RRN');
    a.add(ours, 'agents', 'RRN', 2);
    b.add(ours, 'chat', 'RRN');
    a.add(theirs, 'chat', 'PHONE');
    await Promise.all([a.flush(), b.flush()]);
    now = Date.now();
    a.add(ours, 'chat', 'PHONE', 5);
    a.add(gone, 'chat', 'PHONE');
    await Promise.all([a.close(), b.close(), a.close()]);
    const [before, today] = [day(now - 2 * DAY_MS), day(now)];
    expect(await readCounts({ db: fresh.db }, ours, 30)).toEqual([
      { day: before, type: 'RRN', count: 4 },
      { day: today, type: 'PHONE', count: 5 },
    ]);
    expect(await readCounts({ db: fresh.db }, ours, 1)).toEqual([{ day: today, type: 'PHONE', count: 5 }]);
    expect(await readCounts({ db: fresh.db }, theirs, 30)).toEqual([{ day: before, type: 'PHONE', count: 1 }]);
  });

  it('are kept while the database cannot take them', async () => {
    const counts = createFoundCounts({ db: fresh.db, log: silent });
    await sql`ALTER TABLE privacy_counts RENAME TO counts_away`.execute(fresh.db.query);
    counts.add(ours, 'chat', 'RRN');
    await counts.flush();
    counts.add(ours, 'chat', 'RRN');
    await sql`ALTER TABLE counts_away RENAME TO privacy_counts`.execute(fresh.db.query);
    await counts.close();
    expect(await readCounts({ db: fresh.db }, ours, 1)).toMatchObject([{ type: 'RRN', count: 2 }]);
  });
});
