import { ListCollectionsReply, SearchDocumentsReply, SearchDocumentsRequest } from '@ai-studio/contract/tool-server.ts';
import { estimateTokens } from '../../inference/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { listCollections, type RetrievalDeps, search } from '../index.ts';
import { errorsOfWriting, type RetrievalRouteDeps } from './common.ts';

/** Collections that are listed, and searched where none is named: the newest. */
const MAX_COLLECTIONS = 100;

async function listNewest({ db }: RetrievalDeps, actor: Actor) {
  const { items } = await listCollections({ db }, actor, { size: MAX_COLLECTIONS, from: 0 });
  return items;
}

/** Those that are named, else all that hold something. */
async function searched(deps: RetrievalDeps, actor: Actor, named: readonly string[] | undefined) {
  if (named !== undefined && named.length > 0) return [...named];
  const all = await listNewest(deps, actor);
  return all.filter(({ document_count: count }) => count > 0).map(({ collection_id: id }) => id);
}

const common = { access: 'retrieval', tag: 'Tools' } as const;

/** POST /tools/search_documents and GET /tools/list_collections: retrieval as models call it. */
export const retrievalToolRoutes = ({ retrieval }: RetrievalRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    tool: 'search_documents',
    method: 'POST',
    path: '/tools/search_documents',
    summary: 'Search documents',
    description:
      'Finds passages of the documents of this organisation that fit a question, by their meaning and their words. Name the documents when you answer from them.',
    body: { SearchDocumentsRequest },
    reply: { SearchDocumentsReply },
    example: { query: '연차 휴가는 며칠인가요?', count: 3 },
    errors: errorsOfWriting,
    usage: 'search',
    estimate: ({ query }) => estimateTokens(Buffer.byteLength(query)),
    async handle({ ctx, body, admitted }) {
      const ids = await searched(retrieval, ctx.actor, body.collection_ids);
      if (ids.length === 0) return { passages: [] };
      const asked = { query: body.query, collection_ids: ids, top_k: body.count, highlight: false };
      const { result, usage } = await search(retrieval, ctx, asked);
      // What each model took was metered by the search.
      admitted.spend(usage.total_tokens);
      return {
        passages: result.hits.map(({ content, title, document_name, page, document_id, collection_id }) => ({
          text: content,
          title,
          document: document_name,
          page,
          document_id,
          collection_id,
        })),
      };
    },
  }),
  publicRoute({
    ...common,
    tool: 'list_collections',
    method: 'GET',
    path: '/tools/list_collections',
    summary: 'List collections',
    description: 'The collections of documents that search_documents can search, with their ids.',
    reply: { ListCollectionsReply },
    async handle({ ctx }) {
      const items = await listNewest(retrieval, ctx.actor);
      return {
        collections: items.map((one) => ({
          id: one.collection_id,
          name: one.collection_name,
          description: one.description ?? '',
          documents: one.document_count,
        })),
      };
    },
  }),
];
