import { EmbeddingsReply, EmbeddingsRequest, MAX_EMBEDDINGS_VALUES } from '@ai-studio/contract/embeddings.ts';
import { embed, type EmbedDeps, embeddingsReply, estimateEmbedTokens } from '../index.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

/** POST /embeddings and /text/embeddings: one endpoint. Source: decisions section 3. */
export const embeddingRoutes = (deps: EmbedDeps): readonly PublicRoute[] => [
  publicRoute({
    method: 'POST',
    path: ['/embeddings', '/text/embeddings'],
    access: 'embeddings',
    tag: 'Embeddings',
    summary: 'Text embeddings',
    description: 'One vector for each text, in order. Both paths are one endpoint.',
    body: { EmbeddingsRequest },
    reply: { EmbeddingsReply },
    maxJsonValues: MAX_EMBEDDINGS_VALUES,
    example: { input: ['안녕하세요', 'Hello'] },
    errors: ['timeout'],
    usage: 'embeddings',
    estimate: estimateEmbedTokens,
    handle: async ({ body, admitted }) => embeddingsReply(await embed(deps, admitted, body), body.encoding_format),
  }),
];
