import { RerankRequest } from '@ai-studio/contract/rerank.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { badRequest, contextExceeded } from './api-error.ts';
import type { Span } from '../template/index.ts';
import type { ModelFacts } from './header.ts';
import type { PooledContext } from './pooled.ts';
import type { Vocabulary } from './tokens.ts';
import type { Priority } from './turns.ts';

export interface RerankOptions {
  readonly modelId: string;
  readonly vocabulary: Vocabulary;
  readonly facts: ModelFacts;
  readonly contextLength: number;
  readonly pooled: PooledContext;
}

/** Architectures whose first score is a probability already. Source: llama.cpp, src/llama-graph.cpp, build_pooling. */
const normalisedArchitectures: ReadonlySet<string> = new Set(['qwen3', 'qwen3vl']);

const PLACEHOLDERS = /(\{query\}|\{document\})/;

/** Tokens of a pair in the form that the model was trained with. */
function createPairs(vocabulary: Vocabulary, template: string | null) {
  if (template !== null && template.includes('{query}') && template.includes('{document}')) {
    const parts = template
      .replaceAll('{{query}}', '{query}')
      .replaceAll('{{document}}', '{document}')
      .split(PLACEHOLDERS);
    return (query: string, document: string): Uint32Array => {
      let text = '';
      const literals: Span[] = [];
      for (const part of parts) {
        const value = part === '{query}' ? query : part === '{document}' ? document : null;
        // Names of control tokens in what callers write are only text.
        if (value) literals.push([text.length, text.length + value.length]);
        text += value ?? part;
      }
      return vocabulary.tokenizeWhole(text, literals);
    };
  }
  return (query: string, document: string) => vocabulary.tokenizePair(query, document);
}

const sigmoid = (score: number) => 1 / (1 + Math.exp(-score));

/** Answers POST /v1/rerank, best first. Throws an ApiError. */
export function createRerank({ modelId, vocabulary, facts, contextLength, pooled }: RerankOptions) {
  const pairOf = createPairs(vocabulary, facts.rerankTemplate);
  const scoreOf = (native: Float64Array): number => {
    const score = native[0] ?? 0;
    return normalisedArchitectures.has(facts.architecture) ? score : sigmoid(score);
  };

  return async (body: unknown, signal: AbortSignal, priority: Priority): Promise<string> => {
    const parsed = RerankRequest.safeParse(body);
    if (!parsed.success) {
      const { message, param } = explain(parsed.error, body);
      throw badRequest(message, param);
    }
    const { query, documents, top_n: top } = parsed.data;
    const pairs = documents.map((document, i) => {
      const pair = pairOf(query, typeof document === 'string' ? document : document.text);
      if (pair.length <= contextLength) return pair;
      throw contextExceeded(
        `This model reads ${contextLength} tokens at most, but query and document have ${pair.length}.`,
        `documents[${i}]`,
      );
    });
    const vectors = await pooled.run(pairs, signal, priority);
    const results = vectors.map((vector, index) => ({ index, relevance_score: scoreOf(vector) }));
    results.sort((a, b) => b.relevance_score - a.relevance_score);
    const count = pairs.reduce((sum, { length }) => sum + length, 0);
    return JSON.stringify({
      model: modelId,
      results: results.slice(0, top ?? results.length),
      usage: { prompt_tokens: count, total_tokens: count },
    });
  };
}
