import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { api } from '../../../api/client.ts';
import { documentPath } from '../queries.ts';

/** Calls that are made at the same time. */
const MAX_CONCURRENCY = 4;

/** Runs an action for each item, several at a time. Rejects with the first error, after all have finished. */
export async function forEachConcurrently<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  let failure: { readonly error: unknown } | null = null;
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      await act(item).catch((error: unknown) => (failure ??= { error }));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENCY }, work));
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
}

type Named = Pick<Document, 'collection_id' | 'document_id'>;

/** Has a document read and cut anew. */
export const reindexDocument = ({ collection_id: id, document_id: documentId }: Named): Promise<Document> =>
  api.post(`${documentPath(id, documentId)}/reindex`, undefined, Document);

/** Removes a document; ends what is being done with it. */
export const removeDocument = ({ collection_id: id, document_id: documentId }: Named): Promise<void> =>
  api.run('DELETE', documentPath(id, documentId));
