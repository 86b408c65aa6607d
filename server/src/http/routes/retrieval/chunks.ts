import { ChunkChange, ChunkQuery, NewChunk } from '@ai-studio/contract/retrieval/chunk.ts';
import type { FastifyInstance } from 'fastify';
import {
  addChunk,
  changeChunk,
  type ChunkAddress,
  deleteChunk,
  listChunks,
  readChunk,
} from '../../../retrieval/index.ts';
import { type Ids, inEnvelope, reader, retrievalRoutes, type RetrievalRouteDeps } from './common.ts';
import { documentAddress, documentPaths } from './documents.ts';

const ofDocument = documentPaths.map((path) => `${path}/chunks`);
/** The short form and the nested ones. */
const chunkPaths = ['/rag42/chunks/:chunk_id', ...ofDocument.map((path) => `${path}/:chunk_id`)];

const addressOf = ({
  chunk_id: chunkId = '',
  document_id: documentId,
  collection_id: collectionId,
}: Ids): ChunkAddress => ({
  chunkId,
  ...(documentId === undefined ? {} : { documentId }),
  collectionId,
});

/** Chunks. Source: decisions section 5. */
export function chunkRoutes(app: FastifyInstance, deps: RetrievalRouteDeps): void {
  const { retrieval } = deps;
  const { withBody, bare } = retrievalRoutes(app, deps);
  const page = reader(ChunkQuery);
  const newChunk = reader(NewChunk);
  const change = reader(ChunkChange);

  bare('GET', ofDocument, async ({ caller, ids, request }) =>
    inEnvelope(await listChunks(retrieval, caller, documentAddress(ids), page(request.query))),
  );
  withBody('POST', ofDocument, async ({ caller, ids, request }) => {
    const chunk = await addChunk(retrieval, caller, documentAddress(ids), newChunk(request.body));
    return inEnvelope({ ...chunk, operation: 'create_chunk' });
  });
  bare('GET', chunkPaths, async ({ caller, ids }) => inEnvelope(await readChunk(retrieval, caller, addressOf(ids))));
  withBody('PATCH', chunkPaths, async ({ caller, ids, request }) => {
    const chunk = await changeChunk(retrieval, caller, addressOf(ids), change(request.body));
    return inEnvelope({ ...chunk, operation: 'update_chunk' });
  });
  bare('DELETE', chunkPaths, async ({ caller, ids }) =>
    inEnvelope(await deleteChunk(retrieval, caller, addressOf(ids))),
  );
}
