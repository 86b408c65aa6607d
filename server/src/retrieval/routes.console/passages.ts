import { ConsoleChunks, ConsoleChunksQuery, ConsoleSearched } from '@ai-studio/contract/console/retrieval.ts';
import { Chunk, ChunkChange, NewChunk } from '@ai-studio/contract/retrieval/chunk.ts';
import { SearchRequest, SimilarRequest } from '@ai-studio/contract/retrieval/search.ts';
import { addChunk, changeChunk, deleteChunk, listChunks, readChunk, search, searchSimilar } from '../index.ts';
import { actorOf, admitPerson, contextOf } from '../../console-kit/allowance.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { withReasons } from './failures.ts';

const ALL = '/collections/:id/documents/:documentId/chunks';
const ONE = `${ALL}/:chunkId`;
const access = 'collections.manage';

const documentOf = (call: AnyCall) => ({
  collectionId: paramOf(call, 'id'),
  documentId: paramOf(call, 'documentId'),
});
const addressOf = (call: AnyCall) => ({ ...documentOf(call), chunkId: paramOf(call, 'chunkId') });

/** How much of a passage names it in the audit log. */
const NAME_CHARACTERS = 80;
const targetOf = ({ chunk_id: id, title, content }: Chunk) => ({
  kind: 'chunk',
  id,
  name: (title || content).slice(0, NAME_CHARACTERS).toWellFormed(),
});

/** Passages of documents, and searches over them. */
export function passageRoutes(deps: CollectionRouteDeps): ConsoleRoute[] {
  const { retrieval } = deps.collections;
  return [
    tenantRoute({
      method: 'GET',
      path: ALL,
      access,
      query: ConsoleChunksQuery,
      reply: ConsoleChunks,
      handle: async (call) => listChunks(retrieval, await actorOf(deps, call), documentOf(call), call.query),
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access,
      body: NewChunk,
      reply: Chunk,
      async handle(call) {
        const ctx = await contextOf(deps, call);
        const added = await withReasons(addChunk(retrieval, ctx, documentOf(call), call.body));
        await call.audit({ action: 'chunk_added', target: targetOf(added) });
        void call.reply.status(201);
        return added;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access,
      reply: Chunk,
      handle: async (call) => readChunk(retrieval, await actorOf(deps, call), addressOf(call)),
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access,
      body: ChunkChange,
      reply: Chunk,
      async handle(call) {
        const ctx = await contextOf(deps, call);
        const changed = await withReasons(changeChunk(retrieval, ctx, addressOf(call), call.body));
        await call.audit({ action: 'chunk_changed', target: targetOf(changed) });
        return changed;
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access,
      async handle(call) {
        const actor = await actorOf(deps, call);
        const found = await readChunk(retrieval, actor, addressOf(call));
        await withReasons(deleteChunk(retrieval, actor, addressOf(call)));
        await call.audit({ action: 'chunk_removed', target: targetOf(found) });
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/collections/search',
      access: 'collections.search',
      body: SearchRequest,
      reply: ConsoleSearched,
      async handle(call) {
        await admitPerson(deps, call);
        requireChat(call.person.actions, 'query_expansion', call.body.query_expansion);
        const startedMs = performance.now();
        const { result, usage } = await withReasons(search(retrieval, await contextOf(deps, call), call.body));
        return { result, usage, took_ms: performance.now() - startedMs };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/collections/:id/chunks/:chunkId/similar',
      access: 'collections.search',
      body: SimilarRequest,
      reply: ConsoleSearched,
      async handle(call) {
        await admitPerson(deps, call);
        const startedMs = performance.now();
        const address = { collectionId: paramOf(call, 'id'), chunkId: paramOf(call, 'chunkId') };
        const ctx = await contextOf(deps, call);
        const { result, usage } = await withReasons(searchSimilar(retrieval, ctx, address, call.body));
        return { result, usage, took_ms: performance.now() - startedMs };
      },
    }),
  ];
}
