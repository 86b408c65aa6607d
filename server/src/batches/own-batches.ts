import type { ConsoleBatch } from '@ai-studio/contract/console/batches.ts';
import type { Batch, BatchError } from '@ai-studio/contract/batches.ts';
import type { TenantId } from '../kernel/context.ts';
import { quoteId, StudioError } from '../kernel/errors.ts';
import type { Database, WithinChange } from '../ports/database.ts';
import { cancelBatch } from './record.ts';

/** Batches whose keys a person made; null for all of the tenant. */
export type BatchesOf = string | null;

const ownBatches = ({ query }: Database, tenantId: TenantId, createdBy: BatchesOf) =>
  query
    .selectFrom('batches')
    .leftJoin('api_keys', 'api_keys.id', 'batches.key_id')
    .where('batches.tenant_id', '=', tenantId)
    .$if(createdBy !== null, (some) => some.where('api_keys.created_by', '=', createdBy ?? ''));

function firstError(errors: readonly BatchError[] | null): ConsoleBatch['error'] {
  const [first] = errors ?? [];
  return first ? { code: first.code, line: first.line } : null;
}

/** The newest batches that a person may see. */
export async function listOwnBatches(
  { db }: { readonly db: Database },
  tenantId: TenantId,
  createdBy: BatchesOf,
  size: number,
): Promise<ConsoleBatch[]> {
  const rows = await ownBatches(db, tenantId, createdBy)
    .select([
      'batches.id',
      'batches.state',
      'batches.endpoint',
      'batches.model',
      'batches.total',
      'batches.completed',
      'batches.failed',
      'batches.errors',
      'batches.created_at',
      'batches.ended_at',
      'api_keys.name as key_name',
      'api_keys.deleted_at as key_deleted_at',
    ])
    .orderBy('batches.created_at', 'desc')
    .orderBy('batches.id', 'desc')
    .limit(size)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    status: row.state,
    endpoint: row.endpoint,
    model: row.model,
    key_name: row.key_deleted_at === null ? row.key_name : null,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    error: firstError(row.errors),
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }));
}

/** Asks a batch that a person may see to end. Throws StudioError `not_found`, `conflict`. */
export async function cancelOwnBatch(
  { db }: { readonly db: Database },
  tenantId: TenantId,
  createdBy: BatchesOf,
  id: string,
  noted: WithinChange,
): Promise<Batch> {
  const found = await ownBatches(db, tenantId, createdBy)
    .select('batches.id')
    .where('batches.id', '=', id)
    .executeTakeFirst();
  if (!found) throw new StudioError('not_found', `There is no batch ${quoteId(id)}`);
  return cancelBatch({ db }, tenantId, id, noted);
}
