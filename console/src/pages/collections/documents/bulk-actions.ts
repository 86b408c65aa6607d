import { MAX_REMOVED_DOCUMENTS, RemovedDocuments } from '@ai-studio/contract/console/retrieval.ts';
import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { api } from '../../../api/client.ts';
import { documentPath, pathOf } from '../queries.ts';

type Named = Pick<Document, 'collection_id' | 'document_id'>;

/** Has a document read and cut anew. */
export const reindexDocument = ({ collection_id: id, document_id: documentId }: Named): Promise<Document> =>
  api.post(`${documentPath(id, documentId)}/reindex`, undefined, Document);

/** Ends what is being done with documents of a collection, and removes them: one call for a hundred, which outlives the window. */
export async function removeDocuments(id: string, documentIds: readonly string[]): Promise<void> {
  for (let at = 0; at < documentIds.length; at += MAX_REMOVED_DOCUMENTS)
    await api.post(
      `${pathOf(id)}/documents/remove`,
      { document_ids: documentIds.slice(at, at + MAX_REMOVED_DOCUMENTS) },
      RemovedDocuments,
      { keepalive: true },
    );
}

/** Removes a document; ends what is being done with it. */
export const removeDocument = ({ collection_id: id, document_id: documentId }: Named): Promise<void> =>
  api.run('DELETE', documentPath(id, documentId));
