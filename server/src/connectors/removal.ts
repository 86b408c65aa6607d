import type { Kysely } from 'kysely';
import type { Actor } from '../kernel/actor.ts';
import type { Tables } from '../ports/database.ts';
import { deleteDocuments } from '../retrieval/index.ts';
import type { ConnectorDeps } from './deps.ts';
import { noCounts, type SyncCounts } from './sync-counts.ts';
import { externalIdOf } from './take.ts';

// A connector that goes with its documents. Each step can be done again.

/** Documents that are removed by one transaction. */
const AT_ONCE = 100;

interface Removal {
  readonly connectorId: string;
  readonly collectionId: string;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** Called after each transaction. Throws where the run has ended. */
  readonly onProgress: (counts: SyncCounts) => Promise<void>;
}

/** Removes every document that a connector took, whatever is known of it. Resolves with what was done. */
export async function removeDocuments(
  { retrieval }: Pick<ConnectorDeps, 'retrieval'>,
  { connectorId, collectionId, actor, signal, onProgress }: Removal,
): Promise<SyncCounts> {
  const counts = noCounts();
  for (;;) {
    signal.throwIfAborted();
    const documents = await retrieval.db.query
      .selectFrom('documents')
      .select('id')
      .where('collection_id', '=', collectionId)
      // Ids of connectors have no letter that means something in a pattern.
      .where('external_id', 'like', `${externalIdOf(connectorId, '')}%`)
      // One that is being uploaded by a person is none of these.
      .where('state', '<>', 'arriving')
      .limit(AT_ONCE)
      .execute();
    if (documents.length === 0) return counts;
    const documentIds = documents.map(({ id }) => id);
    await deleteDocuments(retrieval, actor, { collectionId, documentIds, onDeleted: () => Promise.resolve() });
    counts.removed += documentIds.length;
    await onProgress(counts);
  }
}

/** Removes a connector itself, with its runs and what is known of its source. */
export const removeConnector = (query: Kysely<Tables>, connectorId: string): Promise<unknown> =>
  query.deleteFrom('connectors').where('id', '=', connectorId).execute();
