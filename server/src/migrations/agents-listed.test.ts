import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../test/support/postgres.ts';
import { agentsListed } from './0018-agents-listed.ts';

test('what was decided before is compared with what was deployed then, and tasks keep their times', async () => {
  const fresh = await freshDatabase();
  const { query } = fresh.db;
  await sql`ALTER TABLE agent_runs DROP COLUMN state_at`.execute(query);
  await sql`ALTER TABLE agent_reviews DROP COLUMN compared_version_id`.execute(query);
  await sql`ALTER TABLE tool_servers DROP COLUMN description_url`.execute(query);
  await sql`INSERT INTO tenants (id, name) VALUES ('t', 'T')`.execute(query);
  await sql`INSERT INTO agents (id, tenant_id, slug, name, draft, created_by) VALUES ('a', 't', 's', 'n', '{}', 'x')`.execute(
    query,
  );
  await sql`
    INSERT INTO agent_versions (id, agent_id, tenant_id, number, definition, hash, created_by)
    SELECT 'v' || i, 'a', 't', i, '{}', 'h', 'x' FROM generate_series(1, 3) i`.execute(query);
  await sql`
    INSERT INTO agent_history (agent_id, tenant_id, action, version_number, made_by, at) VALUES
      ('a', 't', 'submitted', 1, 'x', '2026-01-01'), ('a', 't', 'approved', 1, 'x', '2026-01-02'),
      ('a', 't', 'deployed', 1, 'x', '2026-01-02'), ('a', 't', 'approved', 2, 'x', '2026-01-03'),
      ('a', 't', 'deployed', 2, 'x', '2026-01-03'), ('a', 't', 'undeployed', 2, 'x', '2026-01-04'),
      ('a', 't', 'rejected', 3, 'x', '2026-01-05'), ('a', 't', 'deployed', 1, 'x', '2026-01-06'),
      ('a', 't', 'withdrawn', 3, 'x', '2026-01-07')`.execute(query);
  await sql`
    INSERT INTO agent_reviews (id, agent_id, tenant_id, version_id, hash, state, submitted_by, decided_at) VALUES
      ('r1', 'a', 't', 'v1', 'h', 'approved', 'x', '2026-01-02T00:00:01Z'),
      ('r2', 'a', 't', 'v2', 'h', 'approved', 'x', '2026-01-03T00:00:01Z'),
      ('r3', 'a', 't', 'v3', 'h', 'rejected', 'x', '2026-01-05T00:00:01Z'),
      ('r4', 'a', 't', 'v3', 'h', 'withdrawn', 'x', '2026-01-07T00:00:01Z'),
      ('r5', 'a', 't', 'v3', 'h', 'pending', 'x', NULL)`.execute(query);
  await sql`
    WITH s AS (INSERT INTO agent_sessions (tenant_id, agent_id, context_id, type) VALUES ('t', 'a', 'c', 'api') RETURNING id)
    INSERT INTO agent_runs (id, tenant_id, agent_id, session_id, definition, input, state, updated_at, ended_at)
    SELECT run.id, 't', 'a', s.id, '{}', '{}', run.state, '2026-02-02', run.ended_at FROM s, (VALUES
      ('done', 'completed', timestamptz '2026-02-01'), ('waits', 'input-required', NULL)) AS run (id, state, ended_at)`.execute(
    query,
  );
  await query.transaction().execute((tx) => agentsListed.up(tx));
  const reviews = await query.selectFrom('agent_reviews').select(['id', 'compared_version_id']).orderBy('id').execute();
  expect(reviews.map((row) => [row.id, row.compared_version_id])).toEqual([
    ['r1', null],
    ['r2', 'v1'],
    ['r3', null],
    ['r4', 'v1'],
    ['r5', null],
  ]);
  const runs = await query.selectFrom('agent_runs').select(['id', 'state_at']).orderBy('id').execute();
  expect(runs.map((row) => [row.id, row.state_at.toISOString().slice(0, 10)])).toEqual([
    ['done', '2026-02-01'],
    ['waits', '2026-02-02'],
  ]);
  await fresh.close();
});
