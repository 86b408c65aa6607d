import { envelope } from '@ai-studio/contract/envelope.ts';
import {
  Document,
  DocumentChange,
  DocumentDeleted,
  DocumentList,
  DocumentQuery,
  DocumentReindexed,
  DocumentUpdated,
  DocumentUploaded,
  UploadFields,
} from '@ai-studio/contract/retrieval/document.ts';
import { invalidRequest } from '../../kernel/errors.ts';
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
} from '../index.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { attachment } from '../../http-kit/attachment.ts';
import { common, errorsOfWriting, type RetrievalRouteDeps } from './common.ts';

const OF_COLLECTION = '/rag42/collections/:collection_id/documents';
const SHORT = '/rag42/documents/:document_id';
const NESTED = `${OF_COLLECTION}/:document_id`;
/** The short form and the nested one. */
const paths = [SHORT, NESTED] as const;
/** Paths of what belongs to a document. */
export const underDocument = <S extends string>(part: S) => [`${SHORT}/${part}`, `${NESTED}/${part}`] as const;

/** What the address of a document names. */
export const documentAddress = ({
  document_id: documentId,
  collection_id: collectionId,
}: {
  readonly document_id: string;
  readonly collection_id: string | undefined;
}): DocumentAddress => ({ documentId, collectionId });

/** Uploads: the form is read as it comes. */
const uploadRoute = ({ retrieval, folder, maxUploadBytes: maxBytes }: RetrievalRouteDeps): PublicRoute =>
  publicRoute({
    ...common,
    method: 'POST',
    path: [`${OF_COLLECTION}/upload`, '/rag42/documents'],
    summary: 'Upload a document',
    description:
      'PDF, HWP, HWPX, DOCX, XLSX, PPTX, HTML, Markdown, CSV or text. Answers at once; the document is read, cut, embedded and indexed in the background, and found once its `state` is `ready`. One with the `external_id` of another takes its place then.',
    form: { fields: { UploadFields }, folder, maxBytes },
    reply: { DocumentUploadedReply: envelope(DocumentUploaded) },
    errors: ['unprocessable'],
    async handle(call) {
      const { actor } = call.ctx;
      const { collection_id: named } = call.params;
      if (named !== undefined) {
        // What goes nowhere need not be read; the connection stays.
        await readCollection(retrieval, actor, named).catch((error: unknown) => {
          call.request.raw.resume();
          throw error;
        });
      }
      const given = await call.upload();
      try {
        const { path, name, bytes, fields } = given;
        const id = named ?? fields.collection_id;
        if (id === undefined) throw invalidRequest('collection_id is required', 'collection_id');
        if (fields.collection_id !== undefined && fields.collection_id !== id)
          throw invalidRequest('collection_id differs from the one in the address', 'collection_id');
        return inEnvelope(await uploadDocument(retrieval, actor, id, { path, name, bytes, fields }));
      } finally {
        await given.remove();
      }
    },
  });

/** Documents. Source: decisions section 5. */
export const retrievalDocumentRoutes = (deps: RetrievalRouteDeps): readonly PublicRoute[] => [
  uploadRoute(deps),
  publicRoute({
    ...common,
    method: 'GET',
    path: OF_COLLECTION,
    summary: 'Documents of a collection',
    description: 'The newest first.',
    query: { DocumentQuery },
    reply: { DocumentListReply: envelope(DocumentList) },
    handle: async (call) =>
      inEnvelope(await listDocuments(deps.retrieval, call.ctx.actor, call.params.collection_id, call.query)),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: paths,
    summary: 'One document',
    description: 'Its state and progress, why it failed where it did, and what is noted of it.',
    reply: { DocumentReply: envelope(Document) },
    handle: async (call) =>
      inEnvelope(await readDocument(deps.retrieval, call.ctx.actor, documentAddress(call.params))),
  }),
  publicRoute({
    ...common,
    method: 'PATCH',
    path: paths,
    summary: 'Change a document',
    description: 'Its name and its metadata; filters know of it at once.',
    body: { DocumentChange },
    reply: { DocumentUpdatedReply: envelope(DocumentUpdated) },
    example: { metadata: { department: 'HR', year: 2026 } },
    errors: errorsOfWriting,
    async handle(call) {
      const document = await changeDocument(deps.retrieval, call.ctx.actor, documentAddress(call.params), call.body);
      return inEnvelope({ ...document, operation: 'update_document' as const });
    },
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path: paths,
    summary: 'Delete a document',
    description: 'With its chunks, its entries in the index, and its file.',
    reply: { DocumentDeletedReply: envelope(DocumentDeleted) },
    handle: async (call) =>
      inEnvelope(await deleteDocument(deps.retrieval, call.ctx.actor, documentAddress(call.params))),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: underDocument('file'),
    summary: 'The original file',
    description: 'As it was uploaded, to be saved.',
    async handle(call) {
      const { name, size, content } = await openOriginal(deps.retrieval, call.ctx.actor, documentAddress(call.params));
      return call.reply.headers(attachment(name)).header('Content-Length', size).send(content);
    },
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path: underDocument('reindex'),
    summary: 'Read a document anew',
    description: 'By the present settings of its collection; what is there is found until that is done.',
    reply: { DocumentReindexedReply: envelope(DocumentReindexed) },
    async handle(call) {
      const document = await reindexDocument(deps.retrieval, call.ctx.actor, documentAddress(call.params));
      return inEnvelope({ ...document, operation: 'reindex_document' as const });
    },
  }),
];
