import { sql } from 'kysely';
import type { Queryable } from '../../ports/database.ts';

/** What is to be taken in, of all tenants and processes together. */
export interface IngestFigures {
  /** Documents whose turn may come at once. */
  readonly waiting: number;
  /** Documents that are at work. */
  readonly running: number;
  /** Documents that are tried again later, as something is away. */
  readonly delayed: number;
  /** Documents that will not be found until somebody does something. */
  readonly failed: number;
  /** Since the document that has waited longest came, in seconds; 0 where none waits. */
  readonly oldestSeconds: number;
}

/** Reads the figures of the queue. */
export async function readIngestFigures({ query }: Queryable): Promise<IngestFigures> {
  const { rows } = await sql<IngestFigures>`
    SELECT count(*) FILTER (WHERE state = 'queued' AND not_before <= clock_timestamp()) AS waiting,
      count(*) FILTER (WHERE state = 'running') AS running,
      count(*) FILTER (WHERE state = 'queued' AND not_before > clock_timestamp()) AS delayed,
      (SELECT count(*) FROM documents WHERE state = 'failed') AS failed,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM ingest_jobs`.execute(query);
  const [row] = rows;
  if (row === undefined) throw new Error('no figures of the queue');
  return row;
}
