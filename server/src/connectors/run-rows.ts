import type { ConnectorRun } from '@ai-studio/contract/retrieval/connector.ts';
import { type Selectable, sql } from 'kysely';
import { type ClaimedJob, createJobTable } from '../jobs/job-table.ts';
import type { Tables } from '../ports/database.ts';

/** Channel of the bus: a run waits. */
export const CONNECTORS_CHANNEL = 'connector_runs';

/** Runs of a connector that are kept. */
export const MAX_RUNS = 50;

/** The queue of runs. */
export const connectorJobs = createJobTable({
  table: 'connector_runs',
  id: 'id',
  states: { open: ['running'] },
  order: sql`number`,
  fairness: 'fewest_running',
  columns: ['id', 'tenant_id', 'connector_id', 'dry', 'removes_all', 'attempts'],
  leaseSeconds: 15,
  // One after the other, without a document taken or removed in between.
  maxAttempts: 10,
});

/** A run that this process makes. */
export type ClaimedRun = ClaimedJob<typeof connectorJobs>;

/** The record of a run. */
export const runRecord = (row: Selectable<Tables['connector_runs']>): ConnectorRun => ({
  run_id: row.id,
  state: row.state,
  dry: row.dry,
  seen: row.seen,
  added: row.added,
  changed: row.changed,
  removed: row.removed,
  failed: row.failed,
  held_back: row.held_back,
  readers_changed: row.readers_changed,
  readers_unknown: row.readers_unknown,
  failure: row.failure,
  changes: row.changes,
  problems: row.problems,
  created_at: row.created_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
});
