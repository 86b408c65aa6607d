import type { EmbeddingsReply, EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import type { Embedded } from './embed.ts';

type Vector = Embedded['vectors'][number];

const base64 = (vector: Vector) => {
  const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64');
};

/** Vectors as they are sent. */
export function embeddingsReply(
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
