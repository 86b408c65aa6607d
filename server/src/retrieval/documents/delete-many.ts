import type { Transaction } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import type { Tables } from '../../ports/database.ts';
import { findOwnCollection } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { processRemovals } from '../writing/removals.ts';
import { lockForVisibleChange } from '../writing/table.ts';
import { removeDocuments } from './rows.ts';

/** A document that was removed. */
interface Removed {
  readonly id: string;
  readonly name: string;
}

interface ManyDocuments {
  readonly collectionId: string;
  readonly documentIds: readonly string[];
  /** Called within the transaction, so that an audit entry commits with it. */
  readonly onDeleted: (tx: Transaction<Tables>, removed: readonly Removed[]) => Promise<void>;
}

/**
 * Removes documents of a collection as one is removed, all of them or none; those that are not there are left out. Resolves with their
 * number. Throws StudioError `not_found`, `forbidden`.
 */
export async function deleteDocuments(
  deps: RetrievalDeps,
  actor: Actor,
  { collectionId, documentIds, onDeleted }: ManyDocuments,
): Promise<number> {
  const removed = await deps.db.transaction(async (tx) => {
    const { id } = await findOwnCollection(tx, actor, collectionId);
    const { index_table: table, build } = await tx
      .selectFrom('collections')
      .select(['index_table', 'build'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const found = await tx
      .selectFrom('documents')
      .select(['id', 'tenant_id', 'name'])
      .where('collection_id', '=', id)
      .where('tenant_id', '=', actor.tenantId)
      .where('state', '<>', 'arriving')
      .where('id', 'in', [...new Set(documentIds)])
      .orderBy('id')
      .execute();
    if (found.length === 0) return 0;
    await lockForVisibleChange(tx, id, table);
    await removeDocuments(tx, found, build === null ? [table] : [table, build.table]);
    await onDeleted(tx, found);
    return found.length;
  });
  if (removed > 0) await processRemovals(deps);
  return removed;
}
