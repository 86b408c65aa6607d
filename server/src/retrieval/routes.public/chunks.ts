import { envelope } from '@ai-studio/contract/envelope.ts';
import {
  Chunk,
  ChunkChange,
  ChunkCreated,
  ChunkDeleted,
  ChunkList,
  ChunkQuery,
  ChunkUpdated,
  NewChunk,
} from '@ai-studio/contract/retrieval/chunk.ts';
import { addChunk, changeChunk, type ChunkAddress, deleteChunk, listChunks, readChunk } from '../index.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { common, errorsOfWriting, type RetrievalRouteDeps } from './common.ts';
import { documentAddress, underDocument } from './documents.ts';

const ofDocument = underDocument('chunks');
/** The short form and the nested ones. */
const paths = ['/rag42/chunks/:chunk_id', ...underDocument('chunks/:chunk_id')] as const;
/** Paths of what belongs to a chunk. */
export const chunkPaths = <S extends string>(part: S) =>
  [`/rag42/chunks/:chunk_id/${part}`, ...underDocument(`chunks/:chunk_id/${part}`)] as const;

/** What the address of a chunk names. */
export const chunkAddress = ({
  chunk_id: chunkId,
  document_id: documentId,
  collection_id: collectionId,
}: {
  readonly chunk_id: string;
  readonly document_id: string | undefined;
  readonly collection_id: string | undefined;
}): ChunkAddress => ({
  chunkId,
  ...(documentId === undefined ? {} : { documentId }),
  collectionId,
});

/** Chunks. Source: decisions section 5. */
export const chunkRoutes = ({ retrieval }: RetrievalRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'GET',
    path: ofDocument,
    summary: 'Chunks of a document',
    description: 'In their order; none before the document is ready.',
    query: { ChunkQuery },
    reply: { ChunkListReply: envelope(ChunkList) },
    async handle(call) {
      const list = await listChunks(retrieval, call.ctx.actor, documentAddress(call.params), call.query);
      return inEnvelope({ ...list, chunks: list.items, total_count: list.total });
    },
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path: ofDocument,
    summary: 'Add a chunk',
    description: 'It is embedded and indexed before this answers.',
    body: { NewChunk },
    reply: { ChunkCreatedReply: envelope(ChunkCreated) },
    example: { title: '부칙', content: '이 규정은 2026년 1월 1일부터 시행한다.' },
    errors: errorsOfWriting,
    async handle(call) {
      const chunk = await addChunk(retrieval, call.ctx, documentAddress(call.params), call.body);
      return inEnvelope({ ...chunk, operation: 'create_chunk' as const });
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: paths,
    summary: 'One chunk',
    description: 'With its place in the document.',
    reply: { ChunkReply: envelope(Chunk) },
    handle: async (call) => inEnvelope(await readChunk(retrieval, call.ctx.actor, chunkAddress(call.params))),
  }),
  publicRoute({
    ...common,
    method: 'PATCH',
    path: paths,
    summary: 'Change a chunk',
    description: 'It is embedded and indexed anew before this answers.',
    body: { ChunkChange },
    reply: { ChunkUpdatedReply: envelope(ChunkUpdated) },
    example: { content: '연차 휴가는 20일이다.' },
    errors: errorsOfWriting,
    async handle(call) {
      const chunk = await changeChunk(retrieval, call.ctx, chunkAddress(call.params), call.body);
      return inEnvelope({ ...chunk, operation: 'update_chunk' as const });
    },
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path: paths,
    summary: 'Delete a chunk',
    description: 'The next search does not find it.',
    reply: { ChunkDeletedReply: envelope(ChunkDeleted) },
    errors: ['conflict'],
    handle: async (call) => inEnvelope(await deleteChunk(retrieval, call.ctx.actor, chunkAddress(call.params))),
  }),
];
