import { EmbeddingsReply, EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import { embed, type EmbedDeps, type Embedded, estimateEmbedTokens } from '../index.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

type Vector = Embedded['vectors'][number];

const base64 = (vector: Vector) => {
  const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64');
};

function render(
  { vectors, model, promptTokens }: Embedded,
  encoding: EmbeddingsRequest['encoding_format'],
): EmbeddingsReply {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'base64' ? base64(vector) : Array.from(vector),
    })),
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

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
    example: { input: ['안녕하세요', 'Hello'] },
    errors: ['timeout'],
    usage: 'embeddings',
    estimate: estimateEmbedTokens,
    handle: async ({ body, admitted }) => render(await embed(deps, admitted, body), body.encoding_format),
  }),
];
