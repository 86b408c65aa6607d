import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Query } from '../collections/rows.ts';
import type { DocumentAddress } from '../documents/rows.ts';
import { isId, isOwner, isReadable, isVisible } from '../visibility.ts';

const chunkNotFound = (id: string) =>
  new StudioError('not_found', `There is no chunk ${JSON.stringify(id.slice(0, 64))}`);

/** Chunks of the visible revisions that are there for the caller. */
export const visibleChunks = (query: Query, actor: Actor) =>
  query
    .selectFrom('chunks')
    .innerJoin('documents', (join) =>
      join.onRef('documents.id', '=', 'chunks.document_id').onRef('documents.revision', '=', 'chunks.revision'),
    )
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .selectAll('chunks')
    .select(isOwner(actor).as('is_owner'))
    .where(isVisible(actor))
    .where(isReadable(actor));

/** Which chunk: of a document and a collection where its address names them. */
export interface ChunkAddress extends Partial<DocumentAddress> {
  readonly chunkId: string;
}

/** A chunk that is there for the caller. Throws StudioError `not_found`. */
export async function findChunk(query: Query, actor: Actor, { chunkId, documentId, collectionId }: ChunkAddress) {
  const row =
    isId(chunkId) && [documentId, collectionId].every((id) => id === undefined || isId(id))
      ? await visibleChunks(query, actor)
          .where('chunks.id', '=', chunkId)
          .$if(documentId !== undefined, (some) => some.where('chunks.document_id', '=', documentId ?? ''))
          .$if(collectionId !== undefined, (some) => some.where('chunks.collection_id', '=', collectionId ?? ''))
          .executeTakeFirst()
      : undefined;
  if (row === undefined) throw chunkNotFound(chunkId);
  return row;
}
