import { type Selectable, sql } from 'kysely';
import { createJobTable, type Query } from '../../jobs/job-table.ts';
import type { TenantTurns } from '../../jobs/tenant-turns.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Database, Queryable } from '../../ports/database.ts';
import type { IngestJobsTable } from '../tables.ts';
import { afterSeconds, databaseNow } from '../writing/table.ts';

/** A job of this process. */
export interface Job extends Pick<
  Selectable<IngestJobsTable>,
  | 'document_id'
  | 'collection_id'
  | 'kind'
  | 'stage'
  | 'revision'
  | 'base_edits'
  | 'build_table'
  | 'ingest_config'
  | 'attempts'
  | 'waiting_since'
> {
  readonly tenant_id: TenantId;
  readonly claim: string;
}

/** The state of a document that users see for a stage. */
const publicState = (stage: Job['stage']) => (stage === 'copying' ? 'chunking' : stage);

/** Crashed attempts before a document is suspected to crash the process, and the maximum delay of a suspect, in seconds. */
const UNSUSPECTED_ATTEMPTS = 3;
const MAX_SUSPECT_WAIT_SECONDS = 60;

/** The queue of documents that are taken in: uploads come before changes of whole collections. */
export const ingestJobs = createJobTable({
  table: 'ingest_jobs',
  id: 'document_id',
  states: { queued: 'queued', running: 'running' },
  due: sql<boolean>`not_before <= clock_timestamp()`,
  order: sql`kind DESC, created_at, document_id`,
  fairness: 'fewest_running',
  onClaim: { started_at: databaseNow },
  columns: [
    'document_id',
    'tenant_id',
    'collection_id',
    'kind',
    'stage',
    'revision',
    'base_edits',
    'build_table',
    'ingest_config',
    'attempts',
    'waiting_since',
  ],
  leaseSeconds: 15,
  // Counted anew with every stage.
  maxAttempts: 10,
  // A document that may crash the service is delayed longer each time: others go first, and crashes of another cause are over by then.
  onTakeUp: {
    not_before: sql<Date>`clock_timestamp() + interval '1 second' * CASE WHEN attempts <= ${UNSUSPECTED_ATTEMPTS} THEN 0
      ELSE least(${MAX_SUSPECT_WAIT_SECONDS}, power(2, attempts - ${UNSUSPECTED_ATTEMPTS})) END`,
  },
});

/** All documents that were being taken in wait again: for a service that has its database to itself, before it takes in any. */
export const takeUpIngest = ({ query }: Queryable): Promise<number> => ingestJobs.takeUpAll(query);

/** Short texts that were not begun yet: those are taken in by groups, and one by one only where that failed. */
const isOfGroup = sql<boolean>`(job.short AND job.attempts = 0 AND job.stage = 'parsing')`;
/** Documents of one group. */
const GROUP_SIZE = 64;

/** Claims the next job, of another tenant than these; null where none waits. */
export async function claimNext(
  { query }: Database,
  turns: TenantTurns,
  except: readonly TenantId[] = [],
): Promise<Job | null> {
  const [job] = await ingestJobs.claim(query, 1, { turns, except, only: sql<boolean>`NOT ${isOfGroup}` });
  if (job === undefined) return null;
  turns.note(job.tenant_id);
  if (job.kind === 'document')
    await query
      .updateTable('documents')
      .set({ state: publicState(job.stage) })
      .where('id', '=', job.document_id)
      .execute();
  return job;
}

/** Claims short texts that are taken in together; none where none waits. */
export async function claimGroup({ query }: Database, turns: TenantTurns): Promise<readonly Job[]> {
  const jobs = await ingestJobs.claim(query, GROUP_SIZE, { turns, only: isOfGroup });
  if (jobs.length === 0) return [];
  for (const { tenant_id: tenantId } of jobs) turns.note(tenantId);
  await query
    .updateTable('documents')
    .set({ state: 'parsing' })
    .where(
      'id',
      'in',
      jobs.map(({ document_id: id }) => id),
    )
    .execute();
  return jobs;
}

/** Renews the leases of a group. Resolves with whether all of its jobs that are left are of this process. */
export async function heartbeatGroup({ query }: Database, jobs: readonly Job[]): Promise<boolean> {
  return (await ingestJobs.heartbeat(query, jobs)).size > 0;
}

/** Moves the job to another stage and clears earlier failures. Resolves with false when the lease is lost. */
export async function advanceStage(query: Query, job: Job, stage: Job['stage'], baseEdits?: number): Promise<boolean> {
  const isOurs = await ingestJobs.update(query, job, {
    stage,
    attempts: 1,
    waiting_since: null,
    ...(baseEdits === undefined ? {} : { base_edits: baseEdits }),
  });
  if (isOurs && job.kind === 'document')
    await query
      .updateTable('documents')
      .set({ state: publicState(stage), error_code: null, error_message: null })
      .where('id', '=', job.document_id)
      .execute();
  return isOurs;
}

/** Renews the lease and notes how far the document is. Resolves with false where the job is no longer this process's. */
export async function heartbeat({ query }: Database, job: Job, progress: number | null): Promise<boolean> {
  const isOurs = await ingestJobs.update(query, job);
  if (isOurs && progress !== null && job.kind === 'document')
    // A late report never lowers the progress.
    await query
      .updateTable('documents')
      .set({ progress: sql<number>`greatest(progress, ${progress}::real)` })
      .where('id', '=', job.document_id)
      .execute();
  return isOurs;
}

/** Why a job did not succeed. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** Reasons that are kept of a document. */
const MAX_REASONS = 10;

const noteFailure = (stage: string, { code, message }: Reason) => {
  const failure = JSON.stringify([{ at: new Date().toISOString(), stage, code, message }]);
  return sql<string>`(SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]') FROM (
    SELECT entry, place FROM jsonb_array_elements(failures || ${failure}::jsonb) WITH ORDINALITY AS all_of (entry, place)
    ORDER BY place DESC LIMIT ${MAX_REASONS}) AS last)`;
};

/** Records what a running job waits for, on the document, or for a rebuild on the collection. */
export async function recordWaiting(db: Database, job: Job, reason: Reason): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await ingestJobs.update(tx, job, { waiting_since: sql<Date>`coalesce(waiting_since, ${databaseNow})` })))
      return;
    await tx
      .updateTable('documents')
      .set(
        job.kind === 'document'
          ? { error_code: reason.code, error_message: reason.message }
          : { failures: noteFailure(job.stage, reason) },
      )
      .where('id', '=', job.document_id)
      .execute();
  });
}

/** Clears what a job waited for. */
export const clearWaiting = async (db: Database, job: Job): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await ingestJobs.update(tx, job, { waiting_since: null })) || job.kind !== 'document') return;
    await tx
      .updateTable('documents')
      .set({ error_code: null, error_message: null })
      .where('id', '=', job.document_id)
      .execute();
  });

/** Returns the job to the queue, after a delay; the reason is stored with the document. */
export async function requeue(
  db: Database,
  job: Job,
  {
    reason,
    afterSeconds: seconds,
    counts,
  }: { readonly reason: Reason | null; readonly afterSeconds: number; readonly counts: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const change = {
      not_before: afterSeconds(seconds),
      ...(reason === null ? {} : { waiting_since: sql<Date>`coalesce(waiting_since, ${databaseNow})` }),
    };
    if (!(await ingestJobs.release(tx, job, { countsAttempt: counts, change })) || reason === null) return;
    await tx
      .updateTable('documents')
      .set({
        ...(job.kind === 'document' ? { error_code: reason.code, error_message: reason.message } : {}),
        failures: noteFailure(job.stage, reason),
      })
      .where('id', '=', job.document_id)
      .execute();
  });
}

/** Fails the job for good. A document that was searchable stays as it was; partial results are removed later. */
export async function failJob(db: Database, job: Job, reason: Reason): Promise<void> {
  const { document_id: id, collection_id: collectionId } = job;
  await db.transaction(async (tx) => {
    const collection = await tx
      .selectFrom('collections')
      .select('index_table')
      .where('id', '=', collectionId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (collection === undefined || !(await ingestJobs.lock(tx, job))) return;
    await tx.deleteFrom('ingest_jobs').where('document_id', '=', id).execute();
    if (job.kind === 'build') {
      const failed = JSON.stringify(`${reason.code}: ${reason.message}`);
      await tx
        .updateTable('collections')
        .set({ build: sql<string>`jsonb_set(build, '{failed}', ${failed}::jsonb)` })
        .where('id', '=', collectionId)
        .where(sql<boolean>`build->>'table' = ${job.build_table}`)
        .execute();
      await tx
        .updateTable('documents')
        .set({ failures: noteFailure(job.stage, reason) })
        .where('id', '=', id)
        .execute();
    } else {
      await tx
        .updateTable('documents')
        .set({
          state: 'failed',
          error_code: reason.code,
          error_message: reason.message,
          failures: noteFailure(job.stage, reason),
          updated_at: databaseNow,
        })
        .where('id', '=', id)
        .execute();
    }
    const rows = await tx
      .deleteFrom('chunks')
      .where('document_id', '=', id)
      .where('revision', '=', job.revision)
      .where(({ selectFrom, exists, not }) =>
        not(
          exists(
            selectFrom('documents')
              .select('documents.id')
              .whereRef('documents.id', '=', 'chunks.document_id')
              .whereRef('documents.revision', '=', 'chunks.revision'),
          ),
        ),
      )
      .returning('row_id')
      .execute();
    if (rows.length > 0)
      await tx
        .insertInto('retrieval_removals')
        .values({
          kind: 'rows',
          index_table: job.build_table ?? collection.index_table,
          row_ids: rows.map(({ row_id: rowId }) => rowId),
        })
        .execute();
  });
}
