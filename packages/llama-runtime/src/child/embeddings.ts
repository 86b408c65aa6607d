import { EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { badRequest, contextExceeded } from './api-error.ts';
import type { PooledContext } from './pooled.ts';
import type { Vocabulary } from './tokens.ts';
import type { Priority } from './turns.ts';

export interface EmbeddingsOptions {
  readonly modelId: string;
  readonly vocabulary: Vocabulary;
  readonly contextLength: number;
  /** Length of the model's vectors. */
  readonly dimensions: number;
  readonly pooled: PooledContext;
  /** Whether vectors are made of length 1. */
  readonly normalize: boolean;
}

/** The first `dimensions` numbers, made of length 1. Source: OpenAI embeddings guide, `dimensions`. */
function normalised(vector: Float64Array, dimensions: number): number[] {
  const part = vector.subarray(0, dimensions);
  let squares = 0;
  for (const value of part) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return Array.from(part, (value) => value / length);
}

/** Answers POST /v1/embeddings. Throws an ApiError. */
export function createEmbeddings(options: EmbeddingsOptions) {
  const { modelId, vocabulary, contextLength, dimensions: own, pooled, normalize } = options;
  const read = (body: unknown) => {
    const parsed = EmbeddingsRequest.safeParse(body);
    if (!parsed.success) {
      const { message, param } = explain(parsed.error, body);
      throw badRequest(message, param);
    }
    const { input, dimensions, encoding_format: form } = parsed.data;
    if (form === 'base64') throw badRequest('encoding_format must be "float" here.', 'encoding_format');
    if (dimensions != null && dimensions > own) {
      throw badRequest(`dimensions is ${dimensions}; the vectors of this model have ${own}.`, 'dimensions');
    }
    const texts = typeof input === 'string' ? [input] : input;
    // The service reads token ids before it asks.
    if (!texts.every((text) => typeof text === 'string')) throw badRequest('input must be texts here.', 'input');
    return { texts, dimensions: dimensions ?? own };
  };

  return async (body: unknown, signal: AbortSignal, priority: Priority): Promise<string> => {
    const { texts, dimensions } = read(body);
    const inputs = texts.map((text, i) => {
      const tokens = vocabulary.tokenizeWhole(text);
      if (tokens.length > contextLength) {
        throw contextExceeded(
          `This model reads ${contextLength} tokens at most, but the text has ${tokens.length}.`,
          texts.length === 1 ? 'input' : `input[${i}]`,
        );
      }
      if (tokens.length === 0) throw badRequest('The text gives no tokens.', `input[${i}]`);
      return tokens;
    });
    const vectors = await pooled.run(inputs, signal, priority);
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: normalize ? normalised(vector, dimensions) : Array.from(vector.subarray(0, dimensions)),
    }));
    const count = inputs.reduce((sum, { length }) => sum + length, 0);
    return JSON.stringify({
      object: 'list',
      data,
      model: modelId,
      usage: { prompt_tokens: count, total_tokens: count },
    });
  };
}
