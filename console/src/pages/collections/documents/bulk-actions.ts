import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { api } from '../../../api/client.ts';
import { documentPath } from '../queries.ts';

type Named = Pick<Document, 'collection_id' | 'document_id'>;

/** Has a document read and cut anew. */
export const reindexDocument = ({ collection_id: id, document_id: documentId }: Named): Promise<Document> =>
  api.post(`${documentPath(id, documentId)}/reindex`, undefined, Document);

/** Removes a document; ends what is being done with it. */
export const removeDocument = ({ collection_id: id, document_id: documentId }: Named): Promise<void> =>
  api.run('DELETE', documentPath(id, documentId));
