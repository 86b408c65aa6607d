import { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';
import type { FastifyInstance } from 'fastify';
import { estimateTokens } from '../../../chat/index.ts';
import { search, type Searched } from '../../../retrieval/index.ts';
import { jsonRoute } from '../json-route.ts';
import { callerOf, inEnvelope, reader, type RetrievalRouteDeps } from './common.ts';

/** POST /rag42/search. Source: interface 4.3, decisions section 5. */
export function searchRoutes(app: FastifyInstance, deps: RetrievalRouteDeps): void {
  const { guard, retrieval } = deps;
  const read = reader(SearchRequest);

  app.post('/rag42/search', jsonRoute(deps, 'retrieval'), async (request, reply) => {
    const key = await guard.key(request, reply, 'retrieval');
    // A body that is wrong is counted by the error handler.
    const body = read(request.body);
    const estimate = estimateTokens(Buffer.byteLength(body.query));
    const rate = await guard.reserve(key, reply, estimate);
    let done: Searched | null = null;
    try {
      done = await search(retrieval, callerOf(key, request, reply), body);
      return inEnvelope(done.result, done.usage);
    } finally {
      guard.settle(key, rate, (done?.usage.total_tokens ?? 0) - estimate);
    }
  });
}
