import { envelope } from '@ai-studio/contract/envelope.ts';
import { SearchRequest, SearchResult, SearchUsage, SimilarRequest } from '@ai-studio/contract/retrieval/search.ts';
import { estimateTokens } from '../../inference/index.ts';
import { search, searchSimilar } from '../index.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { chunkAddress, chunkPaths } from './chunks.ts';
import { common, errorsOfWriting, type RetrievalRouteDeps } from './common.ts';

/** Reserved for passages like one: most have a vector already. */
const SIMILAR_TOKENS = 250;

/** POST /rag42/search. Source: interface 4.3, decisions section 5. */
export const searchRoutes = ({ retrieval }: RetrievalRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: '/rag42/search',
    summary: 'Search',
    description:
      'The passages of one or several collections that fit a query best: by vectors, by keywords, or by both (`search_type`). What was written is found: an upload once its state is `ready`, a change or deletion once its call has answered.',
    body: { SearchRequest },
    reply: { SearchReply: envelope(SearchResult, SearchUsage) },
    example: {
      query: '연차 휴가는 며칠인가요?',
      collection_id: '0123456789abcdef0123456789abcdef',
      search_type: 'hybrid',
      top_k: 3,
      filters: { department: 'HR', year: { $gte: 2024 } },
      highlight: true,
    },
    errors: errorsOfWriting,
    usage: 'search',
    estimate: ({ query }) => estimateTokens(Buffer.byteLength(query)),
    async handle(call) {
      requireChat(call.key.scopes, 'query_expansion', call.body.query_expansion);
      const { result, usage } = await search(retrieval, call.ctx, call.body);
      // What each model took was metered by the search; a chat was counted by itself.
      call.admitted.spend(usage.total_tokens - (usage.expansion_tokens ?? 0));
      return { ...inEnvelope(result), usage };
    },
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path: chunkPaths('similar'),
    summary: 'Passages like a chunk',
    description:
      'Finds passages that say something like a chunk does: near its vector, and by its words. The chunk itself is left out, and so is its document unless `same_document` says otherwise.',
    body: { SimilarRequest },
    reply: { SearchReply: envelope(SearchResult, SearchUsage) },
    example: { top_k: 3 },
    errors: errorsOfWriting,
    usage: 'search',
    estimate: () => SIMILAR_TOKENS,
    async handle(call) {
      const { result, usage } = await searchSimilar(retrieval, call.ctx, chunkAddress(call.params), call.body);
      call.admitted.spend(usage.total_tokens);
      return { ...inEnvelope(result), usage };
    },
  }),
];
