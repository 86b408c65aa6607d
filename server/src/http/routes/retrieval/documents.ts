import { DocumentChange, DocumentQuery, UploadFields } from '@ai-studio/contract/retrieval/document.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest } from '../../../kernel/errors.ts';
import {
  changeDocument,
  deleteDocument,
  type DocumentAddress,
  listDocuments,
  openOriginal,
  readCollection,
  readDocument,
  reindexDocument,
  uploadDocument,
} from '../../../retrieval/index.ts';
import { readUpload } from '../../upload.ts';
import { attachment } from './attachment.ts';
import { callerOf, type Ids, inEnvelope, reader, retrievalRoutes, type RetrievalRouteDeps } from './common.ts';

const OF_COLLECTION = '/rag42/collections/:collection_id/documents';
/** The short form and the nested one. */
export const documentPaths = ['/rag42/documents/:document_id', `${OF_COLLECTION}/:document_id`] as const;

/** What the address of a document names. */
export const documentAddress = ({
  document_id: documentId = '',
  collection_id: collectionId,
}: Ids): DocumentAddress => ({
  documentId,
  collectionId,
});

/** Uploads: the form is read as it comes. */
function uploadRoutes(app: FastifyInstance, deps: RetrievalRouteDeps): void {
  const { guard, retrieval, folder, maxUploadBytes: maxBytes } = deps;
  const readFields = reader(UploadFields);

  const upload = async (request: FastifyRequest, reply: FastifyReply) => {
    const key = await guard.key(request, reply, 'retrieval');
    await guard.reserve(key, reply, 0);
    const caller = callerOf(key, request, reply);
    const { collection_id: named } = (request.params ?? {}) as Ids;
    if (named !== undefined) {
      // What goes nowhere need not be read; the connection stays.
      await readCollection(retrieval, caller, named).catch((error: unknown) => {
        request.raw.resume();
        throw error;
      });
    }
    const given = await readUpload(request.raw, { folder, maxBytes, signal: caller.signal });
    try {
      const fields = readFields(given.fields);
      const id = named ?? fields.collection_id;
      if (id === undefined) throw invalidRequest('collection_id is required', 'collection_id');
      if (fields.collection_id !== undefined && fields.collection_id !== id)
        throw invalidRequest('collection_id differs from the one in the address', 'collection_id');
      const { path, name, bytes } = given;
      return inEnvelope(await uploadDocument(retrieval, caller, id, { path, name, bytes, fields }));
    } finally {
      await given.remove();
    }
  };

  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    for (const path of [`${OF_COLLECTION}/upload`, '/rag42/documents'])
      scope.post(path, { bodyLimit: maxBytes }, upload);
    done();
  });
}

/** Documents. Source: decisions section 5. */
export function retrievalDocumentRoutes(app: FastifyInstance, deps: RetrievalRouteDeps): void {
  const { retrieval } = deps;
  const { withBody, bare } = retrievalRoutes(app, deps);
  const query = reader(DocumentQuery);
  const change = reader(DocumentChange);

  uploadRoutes(app, deps);
  bare('GET', [OF_COLLECTION], async ({ caller, ids, request }) =>
    inEnvelope(await listDocuments(retrieval, caller, ids.collection_id ?? '', query(request.query))),
  );
  bare('GET', documentPaths, async ({ caller, ids }) =>
    inEnvelope(await readDocument(retrieval, caller, documentAddress(ids))),
  );
  withBody('PATCH', documentPaths, async ({ caller, ids, request }) => {
    const document = await changeDocument(retrieval, caller, documentAddress(ids), change(request.body));
    return inEnvelope({ ...document, operation: 'update_document' });
  });
  bare('DELETE', documentPaths, async ({ caller, ids }) =>
    inEnvelope(await deleteDocument(retrieval, caller, documentAddress(ids))),
  );
  bare(
    'GET',
    documentPaths.map((path) => `${path}/file`),
    async ({ caller, ids, reply }) => {
      const { name, size, content } = await openOriginal(retrieval, caller, documentAddress(ids));
      return reply.headers(attachment(name)).header('Content-Length', size).send(content);
    },
  );
  bare(
    'POST',
    documentPaths.map((path) => `${path}/reindex`),
    async ({ caller, ids }) => {
      const document = await reindexDocument(retrieval, caller, documentAddress(ids));
      return inEnvelope({ ...document, operation: 'reindex_document' });
    },
  );
}
