import { type Selectable, sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Database } from '../../ports/database.ts';
import type { IngestJobsTable } from '../tables.ts';
import { afterSeconds, clock } from '../writing/table.ts';

// Rows of `ingest_jobs`. Every change of a job that runs names its claim: a process that was taken for gone, and is not, changes
// nothing any more.

/** A job whose process gave no sign of life for so long is one of a process that is gone. */
const LEASE_SECONDS = 15;
/** How often a document is begun without getting further: one that ends the service with it does not do so for ever. */
export const MAX_ATTEMPTS = 5;

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

/** A stage as people are told of it. */
const shownState = (stage: Job['stage']) => (stage === 'copying' ? 'chunking' : stage);

/** When each tenant had its last turn in this process, in any order that grows. */
export type Turns = ReadonlyMap<string, number>;

/**
 * Takes the next job; null where none waits. First come those of the tenant of which the fewest are under way, and of these the one
 * whose turn was longest ago; uploads come before changes of whole collections.
 */
export async function claimNext({ query }: Database, claim: string, turns: Turns): Promise<Job | null> {
  const { rows } = await sql<Omit<Job, 'claim'>>`
    WITH served AS (
      SELECT * FROM unnest(${[...turns.keys()]}::text[], ${[...turns.values()]}::bigint[]) AS served (tenant_id, turn)
    ), tenants AS (
      SELECT waiting.tenant_id, served.turn,
        (SELECT count(*) FROM ingest_jobs AS other WHERE other.tenant_id = waiting.tenant_id AND other.state = 'running') AS running
      FROM (SELECT DISTINCT tenant_id FROM ingest_jobs WHERE state = 'queued' AND not_before <= ${clock}) AS waiting
      LEFT JOIN served ON served.tenant_id = waiting.tenant_id
    ), chosen AS (
      SELECT one.document_id FROM ingest_jobs AS one JOIN tenants ON tenants.tenant_id = one.tenant_id
      WHERE one.state = 'queued' AND one.not_before <= ${clock}
      ORDER BY tenants.running, tenants.turn NULLS FIRST, one.kind DESC, one.created_at, one.document_id
      LIMIT 1 FOR UPDATE OF one SKIP LOCKED
    )
    UPDATE ingest_jobs AS taken
    SET state = 'running', claim = ${claim}, attempts = attempts + 1, started_at = ${clock}, seen_at = ${clock}
    FROM chosen WHERE taken.document_id = chosen.document_id
    RETURNING taken.document_id, taken.tenant_id, taken.collection_id, taken.kind, taken.stage, taken.revision, taken.base_edits,
      taken.build_table, taken.ingest_config, taken.attempts, taken.waiting_since`.execute(query);
  const [row] = rows;
  if (row === undefined) return null;
  if (row.kind === 'document')
    await query
      .updateTable('documents')
      .set({ state: shownState(row.stage) })
      .where('id', '=', row.document_id)
      .execute();
  return { ...row, claim };
}

type Query = Pick<Database['query'], 'updateTable' | 'deleteFrom' | 'selectFrom'>;

const own = (query: Query, { document_id: id, claim }: Job) =>
  query
    .updateTable('ingest_jobs')
    .where('document_id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'running');

/** Whether the job is still this process's; locks it in a transaction. */
export async function isOwn(query: Query, { document_id: id, claim }: Job): Promise<boolean> {
  const row = await query
    .selectFrom('ingest_jobs')
    .select('claim')
    .where('document_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.claim === claim;
}

/** The job goes on at another stage; what went wrong before is of no account any more. Resolves with false where it is no longer ours. */
export async function goOn(query: Query, job: Job, stage: Job['stage'], baseEdits?: number): Promise<boolean> {
  const { numUpdatedRows } = await own(query, job)
    .set({
      stage,
      attempts: 1,
      waiting_since: null,
      seen_at: clock,
      ...(baseEdits === undefined ? {} : { base_edits: baseEdits }),
    })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n && job.kind === 'document')
    await query
      .updateTable('documents')
      .set({ state: shownState(stage), error_code: null, error_message: null })
      .where('id', '=', job.document_id)
      .execute();
  return numUpdatedRows > 0n;
}

/** A sign of life. Resolves with false where the job is no longer this process's. */
export async function beat({ query }: Database, job: Job, progress: number | null): Promise<boolean> {
  const { numUpdatedRows } = await own(query, job).set({ seen_at: clock }).executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n && progress !== null && job.kind === 'document')
    // A report that comes late takes nothing back.
    await query
      .updateTable('documents')
      .set({ progress: sql<number>`greatest(progress, ${progress}::real)` })
      .where('id', '=', job.document_id)
      .execute();
  return numUpdatedRows > 0n;
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

/** Back to those that wait, for so long; the reason is kept with the document. */
export async function putBack(
  db: Database,
  job: Job,
  {
    reason,
    afterSeconds: seconds,
    counts,
  }: { readonly reason: Reason | null; readonly afterSeconds: number; readonly counts: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { numUpdatedRows } = await own(tx, job)
      .set((eb) => ({
        state: 'queued',
        claim: null,
        seen_at: null,
        not_before: afterSeconds(seconds),
        ...(counts ? {} : { attempts: eb('attempts', '-', 1) }),
        ...(reason === null ? {} : { waiting_since: sql<Date>`coalesce(waiting_since, ${clock})` }),
      }))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n || reason === null) return;
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

/** It cannot be done. A document that was found before is found as it was; what was made of it is removed later. */
export async function giveUp(db: Database, job: Job, reason: Reason): Promise<void> {
  const { document_id: id, collection_id: collectionId } = job;
  await db.transaction(async (tx) => {
    if (!(await isOwn(tx, job))) return;
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
          updated_at: clock,
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
    const { index_table: table } = await tx
      .selectFrom('collections')
      .select('index_table')
      .where('id', '=', collectionId)
      .executeTakeFirstOrThrow();
    if (rows.length > 0)
      await tx
        .insertInto('retrieval_removals')
        .values({
          kind: 'rows',
          index_table: job.build_table ?? table,
          row_ids: rows.map(({ row_id: rowId }) => rowId),
        })
        .execute();
  });
}

/** Jobs whose process is gone wait again. */
export async function takeUpAbandoned({ query }: Database): Promise<void> {
  await query
    .updateTable('ingest_jobs')
    .set({ state: 'queued', claim: null, seen_at: null })
    .where('state', '=', 'running')
    .where(sql<boolean>`seen_at < clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'`)
    .execute();
}
