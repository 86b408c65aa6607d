import type { UsageQuery } from '@ai-studio/contract/console/usage.ts';
import { usageGroups } from '@ai-studio/contract/console/usage.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockFile } from '../adapters/embedded/file-lock.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../test/support/postgres.ts';
import type { TenantId } from '../kernel/context.ts';
import { createMeter, type Meter, reportUsage, type UsageOf, type UsageRow, usageOfKeys } from './index.ts';
import { mergeSlices } from './merge-slices.ts';
import { percentileOf } from './percentile.ts';

const ours = 'ours' as TenantId;
const theirs = 'theirs' as TenantId;

const call = (at: string, more: Partial<UsageRow> = {}): UsageRow => ({
  at: new Date(at),
  tenantId: ours,
  keyId: 'k1',
  userId: null,
  endpoint: 'chat',
  model: 'CORE-GOV',
  engine: 'e',
  status: 200,
  outcome: 'ok',
  stream: true,
  promptTokens: 10,
  completionTokens: 20,
  reasoningTokens: 5,
  firstTokenMs: 3,
  latencyMs: 100,
  ...more,
});

describe('a usage report', () => {
  let fresh: FreshDatabase;
  let meter: Meter;

  beforeAll(async () => {
    fresh = await freshDatabase();
    const { query } = fresh.db;
    await query
      .insertInto('tenants')
      .values([
        { id: ours, name: 'Ours' },
        { id: theirs, name: 'Theirs' },
      ])
      .execute();
    await query
      .insertInto('users')
      .values([
        { id: 'ada', email: 'ada@example.org', name: 'Ada' },
        { id: 'bob', email: 'bob@example.org', name: 'Bob' },
      ])
      .execute();
    const key = (id: string, tenant_id: TenantId, created_by: string | null) => ({
      id,
      tenant_id,
      created_by,
      name: `key ${id}`,
      sha256: Buffer.from(id),
      key_start: 'aist_',
      key_last4: '1234',
      scopes: ['chat'],
      version: 0,
    });
    await query
      .insertInto('api_keys')
      .values([
        { ...key('k1', ours, 'ada'), deleted_at: new Date() },
        key('k2', ours, 'bob'),
        key('k3', ours, null),
        key('t1', theirs, 'ada'),
      ])
      .execute();
  });
  beforeEach(async () => {
    await fresh.db.query.deleteFrom('usage_slices').execute();
    const folder = mkdtempSync(join(tmpdir(), 'studio-test-'));
    meter = createMeter({ db: fresh.db, log: silent, folder, lockFile, intervalMs: 3_600_000 });
    return async () => {
      await meter.close();
      rmSync(folder, { recursive: true });
    };
  });
  afterAll(() => fresh.close());

  const january = { from: '2026-01-01T00:00:00Z', to: '2026-01-04T00:00:00Z' };
  const report = (query: Partial<UsageQuery>, of: UsageOf = null, tenantId = ours) =>
    reportUsage({ db: fresh.db, flush: () => meter.flush() }, tenantId, of, {
      group: 'day',
      time_zone: 'UTC',
      ...january,
      ...query,
    });
  const requestsOf = async (...args: Parameters<typeof report>) =>
    Object.fromEntries((await report(...args)).rows.map(({ label, requests }) => [label, requests]));

  it('tells of what was counted a moment ago, and of days without a call', async () => {
    meter.record(call('2026-01-01T23:59:59.999Z'));
    meter.record(call('2026-01-03T00:00:00.000Z', { outcome: 'error', status: 503, latencyMs: 1000 }));
    meter.record(call('2026-01-03T00:00:01.000Z', { outcome: 'canceled', firstTokenMs: null }));
    const { rows, total, from, to } = await report({});
    expect({ from, to }).toEqual({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-04T00:00:00.000Z' });
    expect(rows.map(({ key, label, requests }) => [key, label, requests])).toEqual([
      ['2026-01-01T00:00:00Z', '2026-01-01', 1],
      ['2026-01-02T00:00:00Z', '2026-01-02', 0],
      ['2026-01-03T00:00:00Z', '2026-01-03', 2],
    ]);
    expect(rows[1]).toMatchObject({ latency_p50: null, first_token_p95: null, prompt_tokens: 0 });
    expect(total).toEqual({
      requests: 3,
      errors: 1,
      canceled: 1,
      prompt_tokens: 30,
      completion_tokens: 60,
      reasoning_tokens: 15,
      pages: 0,
      audio_in_ms: 0,
      audio_out_ms: 0,
      characters: 0,
      // Two of 100 (65 to 128) and one of 1,000 (513 to 1,024); two of 3 (3 to 4).
      latency_p50: 112,
      latency_p95: 947.2,
      first_token_p50: 3,
      first_token_p95: 3.9,
    });
  });

  it('days and hours begin where people are, though calls of both days came in one moment', async () => {
    for (const at of ['2026-01-01T14:59:59.9Z', '2026-01-01T15:00:00Z']) meter.record(call(at));
    expect(
      await requestsOf({ time_zone: 'Asia/Seoul', from: '2025-12-31T15:00:00Z', to: '2026-01-02T15:00:00Z' }),
    ).toEqual({
      '2026-01-01': 1,
      '2026-01-02': 1,
    });
    const { rows } = await report({
      group: 'hour',
      time_zone: 'Asia/Kathmandu',
      from: '2026-01-01T13:15:00Z',
      to: '2026-01-01T15:15:00Z',
    });
    expect(rows.map(({ key, label, requests }) => [key, label, requests])).toEqual([
      ['2026-01-01T13:15:00Z', '2026-01-01 19:00', 0],
      ['2026-01-01T14:15:00Z', '2026-01-01 20:00', 2],
    ]);
  });

  it('a day of 23 and one of 25 hours are a day', async () => {
    meter.record(call('2026-03-08T05:00:00Z'));
    meter.record(call('2026-03-09T03:59:00Z'));
    meter.record(call('2026-11-01T04:00:00Z'));
    meter.record(call('2026-11-02T04:59:00Z'));
    const zone = { time_zone: 'America/New_York' };
    expect(await requestsOf({ ...zone, from: '2026-03-08T05:00:00Z', to: '2026-03-10T04:00:00Z' })).toEqual({
      '2026-03-08': 2,
      '2026-03-09': 0,
    });
    expect(await requestsOf({ ...zone, from: '2026-11-01T04:00:00Z', to: '2026-11-03T05:00:00Z' })).toEqual({
      '2026-11-01': 2,
      '2026-11-02': 0,
    });
  });

  it('without a beginning tells of the last thirty days, from their first midnight', async () => {
    const at = async (to: string, time_zone: string) => {
      const { db } = fresh;
      const { from, rows } = await reportUsage(
        { db, flush: () => meter.flush(), now: () => Date.parse(to) },
        ours,
        null,
        { group: 'day', time_zone },
      );
      expect(rows).toHaveLength(30);
      return from;
    };
    expect(await at('2026-01-31T10:00:00Z', 'Asia/Seoul')).toBe('2026-01-01T15:00:00.000Z');
    expect(await at('2026-03-20T12:00:00Z', 'America/New_York')).toBe('2026-02-19T05:00:00.000Z');
    expect(await at('2026-11-10T12:00:00Z', 'America/New_York')).toBe('2026-10-12T04:00:00.000Z');
    expect(await at('2026-11-30T12:00:00Z', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z');
    expect(await at('2026-04-06T12:00:00Z', 'America/New_York')).toBe('2026-03-08T05:00:00.000Z');
  });

  it('names keys, deleted ones too, and counts their calls for who made them', async () => {
    meter.record(call('2026-01-01T01:00:00Z'));
    meter.record(call('2026-01-01T01:00:00Z', { keyId: 'k2' }));
    meter.record(call('2026-01-01T01:00:00Z', { keyId: 'k3' }));
    meter.record(call('2026-01-01T01:00:00Z', { keyId: null, userId: 'ada' }));
    meter.record(call('2026-01-01T01:00:00Z', { keyId: 't1', tenantId: theirs }));
    expect(await requestsOf({ group: 'key' })).toEqual({ 'key k1': 1, 'key k2': 1, 'key k3': 1, '': 1 });
    expect(await requestsOf({ group: 'user' })).toEqual({ Ada: 2, Bob: 1, '': 1 });
    expect(await requestsOf({ group: 'user', user_id: 'ada' })).toEqual({ Ada: 2 });
    expect(await requestsOf({ group: 'key', key_id: 'k2' })).toEqual({ 'key k2': 1 });
    expect(await requestsOf({ group: 'status' })).toEqual({ 200: 4 });
    expect(await requestsOf({ group: 'model', model: 'no' })).toEqual({});
  });

  it("a person's own is their calls and their keys', whatever they ask for", async () => {
    meter.record(call('2026-01-01T01:00:00Z'));
    meter.record(call('2026-01-01T01:00:00Z', { keyId: null, userId: 'ada' }));
    meter.record(call('2026-01-01T01:00:00Z', { keyId: 'k2' }));
    meter.record(call('2026-01-01T01:00:00Z', { keyId: 't1', tenantId: theirs }));
    expect(await requestsOf({ group: 'user' }, 'ada')).toEqual({ Ada: 2 });
    expect(await requestsOf({ group: 'user', user_id: 'bob' }, 'ada')).toEqual({});
    expect(await requestsOf({ group: 'key', key_id: 'k2' }, 'ada')).toEqual({});
    expect(await requestsOf({ group: 'key' }, null, theirs)).toEqual({ 'key t1': 1 });
  });

  it('every grouping adds up to what was counted', async () => {
    const calls = fc.record({
      at: fc.date({ min: new Date(january.from), max: new Date('2026-01-03T23:59:59Z'), noInvalidDate: true }),
      keyId: fc.constantFrom('k1', 'k2', null),
      userId: fc.constantFrom('ada', 'bob', null),
      status: fc.constantFrom(200, 503),
      promptTokens: fc.nat(1_000_000),
      pages: fc.nat(10_000),
      audioInMs: fc.nat(10_000_000),
      audioOutMs: fc.nat(10_000_000),
      characters: fc.nat(4_096),
      latencyMs: fc.nat(1_000_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { maxLength: 30 }), fc.constantFrom(...usageGroups), async (all, group) => {
        await fresh.db.query.deleteFrom('usage_slices').execute();
        for (const { at, ...more } of all) meter.record(call(at.toISOString(), more));
        const { rows, total } = await report({ group, time_zone: 'Asia/Seoul' });
        const tokens = all.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
        const pages = all.reduce((sum, one) => sum + one.pages, 0);
        expect(total).toMatchObject({ requests: all.length, prompt_tokens: tokens, pages });
        expect(rows.reduce((sum, row) => sum + row.pages, 0)).toBe(pages);
        const speech = {
          audio_in_ms: all.reduce((sum, one) => sum + one.audioInMs, 0),
          audio_out_ms: all.reduce((sum, one) => sum + one.audioOutMs, 0),
          characters: all.reduce((sum, one) => sum + one.characters, 0),
        };
        expect(total).toMatchObject(speech);
        for (const name of ['audio_in_ms', 'audio_out_ms', 'characters'] as const)
          expect(rows.reduce((sum, row) => sum + row[name], 0)).toBe(speech[name]);
        expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(all.length);
        expect(rows.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0)).toBe(tokens);
      }),
      { numRuns: 40 },
    );
  });

  it('slices of earlier days are merged, and no report tells another thing for it', async () => {
    const calls = Array.from({ length: 400 }, (_, i) =>
      call(new Date(Date.parse(january.from) + i * 10 * 60_000).toISOString(), {
        keyId: ['k1', 'k2', null][i % 3] ?? null,
        userId: i % 3 === 2 ? 'ada' : null,
        firstTokenMs: i % 5 === 0 ? null : i,
        latencyMs: i * i,
        status: i % 7 === 0 ? 503 : 200,
        outcome: i % 7 === 0 ? 'error' : 'ok',
        ...(i % 2 === 0 ? { pages: i, audioInMs: 3 * i, audioOutMs: 5 * i, characters: 7 * i } : {}),
      }),
    );
    for (const one of calls) {
      meter.record(one);
      await meter.flush();
      meter.record(one);
      await meter.flush();
    }
    const today = call(new Date().toISOString());
    for (let i = 0; i < 3; i++) {
      meter.record(today);
      await meter.flush();
    }
    const all = () =>
      Promise.all(
        usageGroups.map((group) => report({ group, time_zone: 'Asia/Kathmandu', from: '2025-12-31T18:15:00Z' })),
      );
    const before = await all();
    expect(before[0]?.total.requests).toBeGreaterThan(700);
    expect(await mergeSlices({ db: fresh.db })).toBe(800);
    expect(await all()).toEqual(before);
    const { rows } = await sql<{ n: number; old: number }>`
      SELECT count(*) AS n, count(*) FILTER (WHERE writer LIKE 'merged/%') AS old FROM usage_slices`.execute(
      fresh.db.query,
    );
    expect(rows[0]).toEqual({ n: (rows[0]?.old ?? 0) + 3, old: 400 });
    expect(await mergeSlices({ db: fresh.db })).toBe(0);
  });

  it('what a key was used for since a moment', async () => {
    meter.record(call('2026-01-01T01:00:00Z'));
    meter.record(call('2026-01-02T01:00:00Z'));
    meter.record(call('2026-01-02T01:00:00Z', { keyId: null }));
    await meter.flush();
    const used = await usageOfKeys({ db: fresh.db }, ours, new Date('2026-01-02T00:00:00Z'));
    expect([...used]).toEqual([['k1', { requests: 1, tokens: 30 }]]);
  });

  it.each([
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: '+09:00' }, 'time_zone'],
    [{ time_zone: "UTC'; DROP TABLE users; --" }, 'time_zone'],
    [{ from: '2026-01-04T00:00:00.001Z' }, 'from'],
    [{ from: '2016-01-04T00:00:00Z' }, 'from'],
    [{ group: 'hour', from: '2025-01-04T00:00:00Z' }, 'from'],
    [{ from: '0000-01-01T00:00:00Z', to: '0000-01-02T00:00:00Z' }, 'to'],
    [{ model: 'a\0b' }, 'model'],
  ] as const)('refuses %o', async (query, param) => {
    await expect(report(query)).rejects.toMatchObject({ code: 'invalid_request', param });
  });
});

describe('a percentile', () => {
  it('lies in the entry that holds it, and never falls as its share grows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { maxLength: 20 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (counts, a, b) => {
          const [low, high] = [percentileOf(counts, Math.min(a, b)), percentileOf(counts, Math.max(a, b))];
          if (counts.every((count) => count === 0)) return low === null && high === null;
          return low !== null && high !== null && low <= high && high <= 2 ** (counts.length - 1);
        },
      ),
    );
  });
});
