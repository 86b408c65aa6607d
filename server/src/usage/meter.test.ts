import fc from 'fast-check';
import { sql } from 'kysely';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { freshDatabase, silent, type FreshDatabase } from '../../test/support/postgres.ts';
import { lockFile } from '../adapters/embedded/file-lock.ts';
import { openDatabase } from '../adapters/postgres/index.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Database } from '../ports/database.ts';
import { createMeter, type UsageRow } from './index.ts';

/** A call; calls of another engine are counted apart. */
const row = (engine: string, more: Partial<UsageRow> = {}): UsageRow => ({
  at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  tenantId: 't1' as TenantId,
  keyId: 'k1',
  userId: null,
  endpoint: 'chat',
  model: 'CORE-GOV',
  engine,
  status: 200,
  outcome: 'ok',
  stream: true,
  promptTokens: 10,
  completionTokens: 20,
  reasoningTokens: null,
  firstTokenMs: 12.5,
  latencyMs: 100.25,
  ...more,
});

/** The files in which calls are kept. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:journal|jsonl)$/.test(name));

describe('the meter', () => {
  let fresh: FreshDatabase;
  let folder: string;

  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'studio-test-'));
    await sql`TRUNCATE usage_slices`.execute(fresh.db.query);
    return () => rmSync(folder, { recursive: true });
  });
  afterAll(() => fresh.close());

  const stored = async () =>
    (
      await sql<{ id: string }>`SELECT engine AS id FROM usage_slices ORDER BY writer, number`.execute(fresh.db.query)
    ).rows.map(({ id }) => id);
  const ids = (count: number, name = 'r') => Array.from({ length: count }, (_, i) => `${name}${i}`);

  /** Makes every write fail until the returned function is called: the table is gone. */
  async function takeAway(): Promise<() => Promise<unknown>> {
    await sql`ALTER TABLE usage_slices RENAME TO usage_away`.execute(fresh.db.query);
    return () => sql`ALTER TABLE usage_away RENAME TO usage_slices`.execute(fresh.db.query);
  }

  /** The database, with so many answers lost after the statement was carried out. */
  function losingAnswers(count: number): Database {
    let left = count;
    const query = fresh.db.query.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) =>
        left-- > 0
          ? Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
          : Promise.resolve(result),
    });
    return { ...fresh.db, query };
  }

  it('adds up calls that differ in their counts only, and keeps others apart', async () => {
    const meter = createMeter({ db: fresh.db, log: silent, folder, lockFile });
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    const canceled = { keyId: null, engine: null, firstTokenMs: null, outcome: 'canceled', status: 499 } as const;
    meter.record(row('e'));
    meter.record(row('e', { at: new Date(at - 500), latencyMs: 0.25, reasoningTokens: 5 }));
    meter.record(row('x', { ...canceled, stream: false }));
    meter.record(row('e', { at: at + 1, latencyMs: 128, firstTokenMs: null }));
    await meter.flush();
    const rows = await fresh.db.query.selectFrom('usage_slices').selectAll().orderBy('number').execute();
    const same = { tenant_id: 't1', endpoint: 'chat', model: 'CORE-GOV' };
    expect(rows).toMatchObject([
      {
        ...same,
        first_at: new Date(at - 500),
        last_at: new Date(at + 1),
        key_id: 'k1',
        engine: 'e',
        stream: true,
        outcome: 'ok',
        status: 200,
        calls: 3,
        prompt_tokens: 30,
        completion_tokens: 60,
        reasoning_tokens: 5,
        first_token_ms: 25,
        latency_ms: 228.5,
        // 12.5 twice; 0.25, 100.25 and 128.
        first_token_counts: [0, 0, 0, 0, 2],
        latency_counts: [1, 0, 0, 0, 0, 0, 0, 2],
      },
      {
        ...same,
        key_id: null,
        engine: null,
        stream: false,
        outcome: 'canceled',
        status: 499,
        calls: 1,
        first_token_ms: 0,
        first_token_counts: [],
      },
    ]);
    await meter.close();
  });

  it('adds up whatever comes in whatever order', async () => {
    const call = fc.record({
      keyId: fc.constantFrom('k1', 'k2', null),
      model: fc.constantFrom('A', 'B'),
      status: fc.constantFrom(200, 503),
      stream: fc.boolean(),
      promptTokens: fc.nat(1000),
      latencyMs: fc.nat(100_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
        await sql`TRUNCATE usage_slices`.execute(fresh.db.query);
        const meter = createMeter({ db: fresh.db, log: silent, folder, lockFile });
        for (const fields of calls) meter.record(row('e', fields));
        await meter.close();
        const slices = await fresh.db.query.selectFrom('usage_slices').selectAll().execute();
        const name = (key: string | null, model: string, status: number, stream: boolean) =>
          [key, model, status, stream].join();
        const wanted: Record<string, number> = {};
        for (const { keyId, model, status, stream, promptTokens } of calls) {
          const of = name(keyId, model, status, stream);
          wanted[of] = (wanted[of] ?? 0) + promptTokens;
        }
        const found = slices.map((s) => [name(s.key_id, s.model, s.status, s.stream), s.prompt_tokens] as const);
        expect(found).toHaveLength(Object.keys(wanted).length);
        expect(Object.fromEntries(found)).toEqual(wanted);
        expect(slices.reduce((sum, { calls: n }) => sum + n, 0)).toBe(calls.length);
        for (const { calls: n, latency_counts: counts } of slices) expect(counts.reduce((a, b) => a + b, 0)).toBe(n);
      }),
      { numRuns: 25 },
    );
  });

  it('writes by itself after its interval, and at once when many came', async () => {
    const slow = createMeter({ db: fresh.db, log: silent, folder, lockFile, intervalMs: 3_600_000 });
    const quick = createMeter({ db: fresh.db, log: silent, folder, lockFile, intervalMs: 5 });
    quick.record(row('quick'));
    await eventually(async () => expect(await stored()).toEqual(['quick']));
    for (const id of ids(1_000)) slow.record(row(id));
    await eventually(async () => expect(await stored()).toHaveLength(1_001));
    await Promise.all([slow.close(), quick.close()]);
  });

  it('loses nothing of what came during writes and up to the end', async () => {
    const meter = createMeter({ db: fresh.db, log: silent, folder, lockFile, intervalMs: 1 });
    const all = ids(5_000);
    for (const [i, id] of all.entries()) {
      meter.record(row(id));
      if (i % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([meter.close(), meter.close()]);
    expect(await stored()).toEqual(all);
  });

  it('keeps rows while the database is away and writes them when it is back', async () => {
    const bringBack = await takeAway();
    const meter = createMeter({ db: fresh.db, log: silent, folder, lockFile, intervalMs: 5 });
    const all = ids(100);
    for (const id of all) meter.record(row(id));
    await eventually(() => expect(filesIn(folder)).toHaveLength(1));
    meter.record(row('later'));
    await bringBack();
    await eventually(async () => expect((await stored()).sort()).toEqual([...all, 'later'].sort()));
    await eventually(() => expect(filesIn(folder)).toEqual([]));
    await meter.close();
  });

  it('stopped while the database is away leaves its rows for the next start', async () => {
    const bringBack = await takeAway();
    const first = createMeter({ db: fresh.db, log: silent, folder, lockFile });
    for (const id of ids(30)) first.record(row(id));
    await first.close();
    await bringBack();
    expect(await stored()).toEqual([]);
    // Two processes start at the same time on the same folder.
    const next = [1, 2].map(() => createMeter({ db: fresh.db, log: silent, folder, lockFile }));
    await Promise.all(next.map((meter) => meter.flush()));
    expect(await stored()).toEqual(ids(30));
    expect(filesIn(folder)).toEqual([]);
    await Promise.all(next.map((meter) => meter.close()));
  });

  it('counts a row once though the answer to its write was lost', async () => {
    const meter = createMeter({ db: losingAnswers(2), log: silent, folder, lockFile, intervalMs: 5 });
    for (const id of ids(3)) meter.record(row(id));
    await eventually(async () => expect(await stored()).toEqual(ids(3)));
    await meter.close();
    expect(await stored()).toEqual(ids(3));
  });

  it('leaves out a row that the database refuses, and only that', async () => {
    const meter = createMeter({ db: fresh.db, log: silent, folder, lockFile });
    for (const id of ids(5)) meter.record(row(id));
    meter.record(row('bad', { outcome: 'no' as 'ok' }));
    meter.record(row('worse', { promptTokens: 1.5, model: 'a\0b' }));
    meter.record(row('good'));
    await meter.close();
    expect(await stored()).toEqual([...ids(5), 'good']);
  });

  it('does not hold up or fail the caller, whatever happens', async () => {
    const bringBack = await takeAway();
    const meter = createMeter({
      db: fresh.db,
      log: silent,
      folder: '/dev/null/nowhere',
      lockFile,
    });
    for (const id of ids(2_500)) expect(meter.record(row(id))).toBeUndefined();
    await expect(meter.close()).resolves.toBeUndefined();
    await bringBack();
  });
});

describe('the meter on a database that restarts', () => {
  it('ends with every row', async () => {
    const fresh = await freshDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'studio-test-'));
    const db = await openDatabase({ connection: fresh.connection, log: silent, poolSize: 2 });
    const meter = createMeter({ db, log: silent, folder, lockFile, intervalMs: 2 });
    const total = 400;
    for (let i = 0; i < total; i++) {
      meter.record(row(`r${i}`));
      if (i % 40 === 0) {
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(
          fresh.db.query,
        );
      }
    }
    await eventually(async () => {
      await meter.flush();
      expect(filesIn(folder)).toEqual([]);
    });
    await meter.close();
    const { rows } = await sql<{
      n: number;
      d: number;
    }>`SELECT count(*) AS n, count(DISTINCT engine) AS d FROM usage_slices`.execute(fresh.db.query);
    expect(rows[0]).toEqual({ n: total, d: total });
    await db.close();
    await fresh.close();
    rmSync(folder, { recursive: true });
  });
});
