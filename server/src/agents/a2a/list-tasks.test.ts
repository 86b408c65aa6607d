import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts';
import type { Database, Queryable } from '../../ports/database.ts';
import type { AgentContext } from './context.ts';
import type { ListCall } from './calls.ts';
import type { A2aDeps } from './deps.ts';
import { listTasks } from './list-tasks.ts';

const RUNS = 3_000;
let fresh: FreshDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  ({ db } = fresh);
  // Two agents; of each two thirds over the API. Several tasks share one moment.
  await sql`
    WITH t AS (INSERT INTO tenants (id, name) VALUES ('t', 'T') RETURNING id),
    a AS (INSERT INTO agents (id, tenant_id, slug, name, draft, created_by)
      SELECT 'a' || i, id, 'slug' || i, 'n', '{}', 'x' FROM t, generate_series(0, 1) i RETURNING id),
    s AS (INSERT INTO agent_sessions (tenant_id, agent_id, context_id, type)
      SELECT 't', a.id, 'c' || i, CASE WHEN i % 3 = 0 THEN 'chat' ELSE 'api' END FROM a, generate_series(1, 300) i
      RETURNING id, agent_id, context_id)
    INSERT INTO agent_runs (id, tenant_id, agent_id, session_id, definition, input, state, state_at)
    SELECT md5(s.agent_id || i), 't', s.agent_id, s.id, jsonb_build_object('text', repeat('definition ', 100)),
      '{"text":"x","files":[],"data":null}', CASE WHEN i % 50 = 1 THEN 'failed' ELSE 'completed' END,
      timestamptz '2026-01-01' + (i / 4) * interval '1 microsecond'
    FROM generate_series(1, ${RUNS}) i JOIN s ON s.context_id = 'c' || (1 + i % 300)`.execute(db.query);
  await sql`VACUUM ANALYZE agent_runs`.execute(db.query);
  await sql`ANALYZE agent_sessions`.execute(db.query);
});
afterAll(() => fresh?.close());

const ctx = { agent: { agent: { id: 'a1' } } } as AgentContext;
const everything: ListCall = {
  contextId: null,
  state: null,
  size: 50,
  after: null,
  changedSince: null,
  historyLength: 0,
  artifacts: false,
};
const depsOf = (database: Queryable) => ({ db: database }) as A2aDeps;

test('pages have every task of the agent once, the last changed first', async () => {
  const seen: { readonly id: string; readonly at: number }[] = [];
  let after: string | null = null;
  do {
    const page = await listTasks(depsOf(db), ctx, { ...everything, size: 70, after });
    expect(page.total).toBe((RUNS / 3) * 2);
    seen.push(...page.tasks.map(({ id, stateAt }) => ({ id, at: stateAt.getTime() })));
    after = page.nextPageToken === '' ? null : page.nextPageToken;
  } while (after !== null);
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM agent_runs r JOIN agent_sessions s ON s.id = r.session_id
    WHERE r.agent_id = 'a1' AND s.type = 'api' ORDER BY r.state_at DESC, r.number DESC`.execute(db.query);
  expect(seen.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  const failed = await listTasks(depsOf(db), ctx, { ...everything, state: 'failed' });
  expect(failed.tasks.every(({ state }) => state === 'failed')).toBe(true);
  expect(failed.total).toBeGreaterThan(0);
});

test('no page reads all tasks of the service', async () => {
  const second = await listTasks(depsOf(db), ctx, everything);
  await db.transaction(async (tx) => {
    const scans = async () => {
      const { rows } = await sql<{ listed: number; all: number }>`
        SELECT pg_stat_get_xact_numscans('agent_runs_listed'::regclass)::int AS listed,
          pg_stat_get_xact_numscans('agent_runs'::regclass)::int AS all`.execute(tx);
      return rows[0] ?? { listed: 0, all: 0 };
    };
    const before = await scans();
    for (const call of [everything, { ...everything, after: second.nextPageToken }])
      await listTasks(depsOf({ query: tx }), ctx, call);
    const after = await scans();
    expect([after.listed - before.listed, after.all - before.all]).toEqual([4, 0]);
  });
});
