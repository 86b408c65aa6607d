import { sql } from 'kysely';
import type { Queryable } from '../ports/database.ts';

/** Connectors of all tenants together. */
export interface ConnectorFigures {
  /** Runs whose turn may come at once. */
  readonly waiting: number;
  /** Runs that are at work. */
  readonly running: number;
  /** Connectors whose last run failed. */
  readonly failed: number;
  /** Since the run that has waited longest was asked for, in seconds; 0 where none waits. */
  readonly oldestSeconds: number;
}

/** Reads the figures of the queue. */
export async function readConnectorFigures({ query }: Queryable): Promise<ConnectorFigures> {
  const { rows } = await sql<ConnectorFigures>`
    SELECT count(*) FILTER (WHERE claim IS NULL) AS waiting,
      count(*) FILTER (WHERE claim IS NOT NULL) AS running,
      (SELECT count(*) FROM connectors WHERE 'failed' = (
        SELECT state FROM connector_runs WHERE connector_id = connectors.id ORDER BY number DESC LIMIT 1)) AS failed,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE claim IS NULL)), 0)::float8
        AS "oldestSeconds"
    FROM connector_runs WHERE state = 'running'`.execute(query);
  const [row] = rows;
  if (row === undefined) throw new Error('no figures of the queue');
  return row;
}
