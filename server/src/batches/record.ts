import {
  type Batch,
  type BatchEndpoint,
  type BatchError,
  type BatchRequest,
  type BatchStatus,
  batchStatuses,
} from '@ai-studio/contract/batches.ts';
import type { BatchesQuery } from '@ai-studio/contract/files.ts';
import { sql } from 'kysely';
import { findFile } from '../files/index.ts';
import { type ClaimedJob, createJobTable } from '../jobs/job-table.ts';
import type { Principal } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Database, Queryable, WithinChange } from '../ports/database.ts';
import type { Ending } from './tables.ts';

const clock = sql<Date>`clock_timestamp()`;
const DAY_HOURS = 24;
/** Results are kept for 30 days where their batch says nothing else. */
const OUTPUT_SECONDS = 2_592_000;
const BATCH_ID = /^batch_[0-9a-f]{32}$/;

/** States in which something is still to be done. */
export const openStates = ['validating', 'in_progress', 'finalizing', 'cancelling'] as const satisfies BatchStatus[];
/** States in which its results can be read. */
const endStates: ReadonlySet<BatchStatus> = new Set(
  batchStatuses.filter((state) => !(openStates as readonly string[]).includes(state)),
);

/** The queue of batches. */
export const batchJobs = createJobTable({
  table: 'batches',
  id: 'id',
  states: { open: openStates },
  order: sql`created_at, id`,
  fairness: 'fewest_running',
  lastTurn: 'started_at',
  onClaim: { started_at: clock },
  columns: [
    'id',
    'tenant_id',
    'key_id',
    'endpoint',
    'input_file_id',
    'output_seconds',
    'state',
    'ending',
    'attempts',
    'total',
    'expires_at',
    'created_at',
    'output_file_id',
    'error_file_id',
  ],
  leaseSeconds: 15,
  maxAttempts: 10,
});

/** A batch that this process has claimed. */
export type ClaimedBatch = ClaimedJob<typeof batchJobs>;

/** All batches wait again: for a service that has its database to itself, before it begins with any. */
export const takeUpBatches = ({ query }: Queryable): Promise<number> => batchJobs.takeUpAll(query);

const columns = [
  'id',
  'endpoint',
  'model',
  'errors',
  'input_file_id',
  'completion_window',
  'state',
  'ending',
  'output_file_id',
  'error_file_id',
  'created_at',
  'in_progress_at',
  'expires_at',
  'finalizing_at',
  'ended_at',
  'cancelling_at',
  'total',
  'completed',
  'failed',
  'metadata',
] as const;

interface BatchRow {
  readonly id: string;
  readonly endpoint: BatchEndpoint;
  readonly model: string | null;
  readonly errors: readonly BatchError[] | null;
  readonly input_file_id: string;
  readonly completion_window: string;
  readonly state: BatchStatus;
  readonly ending: Ending | null;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly created_at: Date;
  readonly in_progress_at: Date | null;
  readonly expires_at: Date;
  readonly finalizing_at: Date | null;
  readonly ended_at: Date | null;
  readonly cancelling_at: Date | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly metadata: Record<string, string> | null;
}

const secondsOf = (at: Date | null): number | null => at && Math.floor(at.getTime() / 1000);

/** A batch as callers see it. */
export function describeBatch(row: BatchRow): Batch {
  const { state } = row;
  const isOver = endStates.has(state);
  const endedAs = (end: BatchStatus) => (state === end ? secondsOf(row.ended_at) : null);
  return {
    id: row.id,
    object: 'batch',
    endpoint: row.endpoint,
    model: row.model,
    errors: row.errors && { object: 'list', data: [...row.errors] },
    input_file_id: row.input_file_id,
    completion_window: row.completion_window,
    status: state,
    output_file_id: isOver ? row.output_file_id : null,
    error_file_id: isOver ? row.error_file_id : null,
    created_at: secondsOf(row.created_at) ?? 0,
    in_progress_at: secondsOf(row.in_progress_at),
    expires_at: secondsOf(row.expires_at) ?? 0,
    finalizing_at: secondsOf(row.finalizing_at),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: secondsOf(row.cancelling_at),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total: row.total, completed: row.completed, failed: row.failed },
    metadata: row.metadata,
  };
}

const batches = ({ query }: Queryable, tenantId: TenantId) =>
  query.selectFrom('batches').select(columns).where('tenant_id', '=', tenantId);

const notFound = (id: string) => new StudioError('not_found', `There is no batch ${quoteId(id)}`);

export interface NewBatchDeps {
  readonly db: Database;
  /** Batches of a tenant that may be open at the same time. */
  readonly maxOpen: number;
}

/** A key: batches are made by callers of the interface. */
interface KeyPrincipal extends Principal {
  readonly keyId: string;
}

/** Makes a batch, which is looked at in the background. Throws StudioError `not_found`, `invalid_request`, `rate_limited`. */
export async function createBatch(
  { db, maxOpen }: NewBatchDeps,
  { tenantId, keyId }: KeyPrincipal,
  { input_file_id: inputFileId, endpoint, completion_window, metadata, output_expires_after }: BatchRequest,
): Promise<Batch> {
  const { purpose } = await findFile({ db }, tenantId, inputFileId);
  if (purpose !== 'batch')
    throw invalidRequest(
      `input_file_id: the file ${inputFileId} was uploaded for ${purpose}; upload it with the purpose batch`,
      'input_file_id',
    );
  const row = await db.transaction(async (tx) => {
    // Two at one moment may not both take the last place.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`batches ${tenantId}`}, 0))`.execute(tx);
    const { open } = await tx
      .selectFrom('batches')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('tenant_id', '=', tenantId)
      .where('state', 'in', openStates)
      .executeTakeFirstOrThrow();
    if (Number(open) >= maxOpen)
      throw new StudioError('rate_limited', `Your organisation has ${open} open batches, as many as it may have`, {
        retryAfterSeconds: 60,
      });
    return tx
      .insertInto('batches')
      .values({
        id: `batch_${hexId()}`,
        tenant_id: tenantId,
        key_id: keyId,
        endpoint,
        input_file_id: inputFileId,
        completion_window,
        metadata: metadata ? JSON.stringify(metadata) : null,
        output_seconds: output_expires_after?.seconds ?? OUTPUT_SECONDS,
        expires_at: sql<Date>`clock_timestamp() + ${DAY_HOURS} * interval '1 hour'`,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
  });
  return describeBatch(row);
}

/** A tenant's own batch. Throws StudioError `not_found`. */
export async function readBatch(deps: { readonly db: Queryable }, tenantId: TenantId, id: string): Promise<Batch> {
  const row = BATCH_ID.test(id) ? await batches(deps.db, tenantId).where('id', '=', id).executeTakeFirst() : undefined;
  if (!row) throw notFound(id);
  return describeBatch(row);
}

/** A page of a tenant's batches, the newest first, and whether there are more. Throws StudioError `invalid_request`. */
export async function listBatches(
  { db }: { readonly db: Queryable },
  tenantId: TenantId,
  { limit, after }: BatchesQuery,
): Promise<{ readonly items: readonly Batch[]; readonly hasMore: boolean }> {
  let query = batches(db, tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after !== undefined) {
    const begin = BATCH_ID.test(after)
      ? await batches(db, tenantId).where('id', '=', after).executeTakeFirst()
      : undefined;
    if (!begin) throw invalidRequest(`after: there is no batch ${quoteId(after)}`, 'after');
    query = query.where(
      sql<boolean>`(created_at, id) < (SELECT created_at, id FROM batches AS begin WHERE begin.id = ${after})`,
    );
  }
  const rows = await query.execute();
  return { items: rows.slice(0, limit).map(describeBatch), hasMore: rows.length > limit };
}

/** Channel of the bus: batches wait. */
export const WAKE_CHANNEL = 'batches';
/** Channel of the bus: the batch of this id is to end. */
export const CANCEL_CHANNEL = 'batches_cancelled';

/**
 * Asks a batch to end with what is done; asked again, says how it stands. `noted` is done in the same transaction. Throws StudioError
 * `not_found`, `conflict` where its lines have ended.
 */
export async function cancelBatch(
  { db }: { readonly db: Database },
  tenantId: TenantId,
  id: string,
  noted?: WithinChange,
): Promise<Batch> {
  const before = await readBatch({ db: db }, tenantId, id);
  const row = await db.transaction(async (tx) => {
    const changed = await tx
      .updateTable('batches')
      .set({ state: 'cancelling', cancelling_at: clock })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('state', 'in', ['validating', 'in_progress'])
      .returning(columns)
      .executeTakeFirst();
    if (changed) await noted?.(tx);
    return changed;
  });
  if (row) return describeBatch(row);
  const now = await readBatch({ db }, tenantId, before.id);
  if (now.status === 'cancelling' || now.status === 'cancelled') return now;
  throw new StudioError('conflict', `The batch is ${now.status}: there is nothing left to cancel`);
}
