import { EngineError, type RerankCall, type RerankResult } from '../../../ports/engine.ts';
import { readUsage } from './fields.ts';
import { asArray, asNumber, asObject } from './json.ts';
import { estimateTextTokens } from './token-estimate.ts';

/** Body of POST /rerank as Cohere and Jina have it, and vLLM, SGLang and llama-server after them. */
export const rerankBody = ({ model, query, documents }: RerankCall): Buffer =>
  Buffer.from(JSON.stringify({ model, query, documents, top_n: documents.length, return_documents: false }));

/** The same for Text Embeddings Inference. Source: its API, POST /rerank. */
export const rerankTextsBody = ({ query, documents }: RerankCall): Buffer =>
  Buffer.from(JSON.stringify({ query, texts: documents, raw_scores: false, truncate: true }));

/** Whether a failure is that of a server which knows the other form: no such page, or a field that is missing. */
export const wantsTexts = (error: unknown): boolean =>
  error instanceof EngineError && (error.status === 404 || error.status === 422);

/**
 * Logits (llama-server gives these) as probabilities. What lies within 0 and 1 is one already, unless the model gave logits before:
 * `logitModels`, to which it is added where it does.
 */
function toProbabilities(scores: readonly number[], model: string, logitModels: Set<string>): readonly number[] {
  if (scores.some((score) => score < 0 || score > 1)) logitModels.add(model);
  if (!logitModels.has(model)) return scores;
  return scores.map((score) => 1 / (1 + Math.exp(-score)));
}

/** The query is read once with each document. */
const estimateTokens = ({ query, documents }: RerankCall): number =>
  estimateTextTokens(documents.flatMap((text) => [query, text]));

/**
 * Reads `{results:[{index,relevance_score}]}` (Cohere, Jina, vLLM, llama-server) or `[{index,score}]` (Text Embeddings
 * Inference). Throws an EngineError of kind `protocol` when scores are missing.
 */
export function readRerank(value: unknown, call: RerankCall, engineId: string, logitModels: Set<string>): RerankResult {
  const reply = asObject(value);
  const items = asArray(reply?.['results'] ?? reply?.['data'] ?? value).map(asObject);
  const scores: number[] = [];
  for (const [position, item] of items.entries()) {
    const score = asNumber(item?.['relevance_score']) ?? asNumber(item?.['score']);
    if (score !== null) scores[asNumber(item?.['index']) ?? position] = score;
  }
  const missing = call.documents.findIndex((_, index) => scores[index] === undefined);
  if (missing >= 0 || scores.length !== call.documents.length) {
    throw new EngineError(
      'protocol',
      `Engine ${engineId} sent ${items.length} scores for ${call.documents.length} documents`,
    );
  }
  const tokens = asNumber(asObject(asObject(reply?.['meta'])?.['billed_units'])?.['input_tokens']);
  const total = asNumber(asObject(reply?.['usage'])?.['total_tokens']);
  const promptTokens = readUsage(reply?.['usage'])?.promptTokens ?? total ?? tokens ?? estimateTokens(call);
  // Text Embeddings Inference was asked for probabilities, whatever another server of the model gives.
  const logits = reply === null ? new Set<string>() : logitModels;
  return { scores: toProbabilities(scores, call.model, logits), promptTokens };
}
