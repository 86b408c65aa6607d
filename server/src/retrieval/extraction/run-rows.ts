import type { Extraction } from '@ai-studio/contract/retrieval/extraction.ts';
import { type Selectable, sql } from 'kysely';
import { type ClaimedJob, createJobTable } from '../../jobs/job-table.ts';
import { columnsOf, readExtractSchema } from '../../parsing/index.ts';
import type { Tables } from '../../ports/database.ts';

type RunRow = Selectable<Tables['extraction_runs']>;

/** The queue of extractions: of a tenant one after the other. */
export const extractionJobs = createJobTable({
  table: 'extraction_runs',
  id: 'id',
  states: { open: ['running'] },
  order: sql`number`,
  fairness: 'fewest_running',
  columns: [
    'id',
    'tenant_id',
    'collection_id',
    'schema',
    'model',
    'instructions',
    'key_id',
    'user_id',
    'administers',
    'attempts',
  ],
  leaseSeconds: 15,
  // One after the other, without a document done in between.
  maxAttempts: 10,
});

/** An extraction that this process makes. */
export type ClaimedExtraction = ClaimedJob<typeof extractionJobs>;

/** Columns of what callers are told. */
export const recordColumns = [
  'id',
  'collection_id',
  'state',
  'schema',
  'model',
  'total',
  'done',
  'failed',
  'failure',
  'made_by',
  'created_at',
  'ended_at',
] as const;

/** The record of an extraction. */
export const extractionRecord = (row: Pick<RunRow, (typeof recordColumns)[number]>): Extraction => ({
  extraction_id: row.id,
  collection_id: row.collection_id,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  columns: columnsOf(readExtractSchema(row.schema, { isKept: true })),
  schema: JSON.parse(row.schema) as Record<string, unknown>,
  model: row.model,
  failure: row.failure,
  by: row.made_by,
  created_at: row.created_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
});
