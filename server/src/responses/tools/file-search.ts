import type { FileSearchResult } from '@ai-studio/contract/responses/items.ts';
import type { FileSearchTool } from '@ai-studio/contract/responses/request.ts';
import { SearchRequest, type SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { passageText, shortPassageOf, truncateText, type UncheckedTool } from '../../agents/index.ts';
import { invalidRequest, quoteId, StudioError } from '../../kernel/errors.ts';
import { checkSearch, type RetrievalDeps, search } from '../../retrieval/index.ts';
import { CITING, type FileSearchData, type ToolCaller } from './hosted-tool.ts';

const STANDARD_RESULTS = 10;
/** Questions of one call. */
const MAX_QUERIES = 5;
const COMPARISONS = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']);
/** Names of OpenAI's rerankers: the collection says what reranks. */
const OWN_RANKER = /^(?:auto|default.*)$/;
/** Attributes of a result. */
const MAX_ATTRIBUTES = 16;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A filter of the Responses interface, as one of our own. Throws StudioError `invalid_request`. */
export function filtersOf(given: unknown, path: string): Record<string, unknown> {
  if (!isObject(given)) throw invalidRequest(`${path} must be an object with a type`, path);
  const { type, key, value, filters } = given;
  if (type === 'and' || type === 'or') {
    if (!Array.isArray(filters) || filters.length === 0)
      throw invalidRequest(`${path}.filters must be a list of at least one filter`, `${path}.filters`);
    return { [`$${type}`]: filters.map((one, at) => filtersOf(one, `${path}.filters[${at}]`)) };
  }
  if (typeof type !== 'string' || !COMPARISONS.has(type))
    throw invalidRequest(`${path}.type must be one of ${[...COMPARISONS].join(', ')}, and, or`, `${path}.type`);
  if (typeof key !== 'string' || key === '' || key.startsWith('$'))
    throw invalidRequest(`${path}.key must name a field of the documents`, `${path}.key`);
  return { [key]: { [`$${type}`]: value } };
}

/** Fields of a search that the tool decides. Throws StudioError `invalid_request`. */
function settingsOf(tool: FileSearchTool, path: string): Omit<SearchRequest, 'query'> {
  const { filters, ranking_options: ranking, vector_store_ids: ids } = tool;
  const { ranker, score_threshold: threshold, hybrid_search: hybrid } = ranking ?? {};
  const weights = hybrid ? hybrid.embedding_weight + hybrid.text_weight : 0;
  if (hybrid && weights <= 0)
    throw invalidRequest(
      `${path}.ranking_options.hybrid_search: one weight must be above 0`,
      `${path}.ranking_options`,
    );
  const parsed = SearchRequest.safeParse({
    query: 'x',
    collection_ids: [...new Set(ids)],
    top_k: tool.max_num_results ?? STANDARD_RESULTS,
    ...(filters ? { filters: filtersOf(filters, `${path}.filters`) } : {}),
    ...(ranker === 'none' ? { rerank: false } : {}),
    ...(ranker && ranker !== 'none' && !OWN_RANKER.test(ranker) ? { rerank: { model: ranker } } : {}),
    ...(threshold ? { score_threshold: threshold } : {}),
    ...(hybrid ? { search_type: 'hybrid', alpha: hybrid.embedding_weight / weights } : {}),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // The only thing that the tool's own form leaves open.
  if (issue?.path[0] === 'collection_ids') {
    const at = `${path}.vector_store_ids[${String(issue.path[1] ?? 0)}]`;
    throw new StudioError(
      'not_found',
      `${at}: there is no collection ${quoteId(ids[Number(issue.path[1] ?? 0)] ?? '')}`,
      {
        param: at,
      },
    );
  }
  throw invalidRequest(`${path}: ${issue?.message ?? 'is no search'}`, path);
}

/** A refusal of a search, at its place in the request. */
function atTool(error: unknown, path: string): unknown {
  if (!(error instanceof StudioError) || error.param === null) return error;
  const param = error.param
    .replace(/^collection_ids/, `${path}.vector_store_ids`)
    .replace(/^filters.*/, `${path}.filters`);
  return new StudioError(error.code, error.message, { param, cause: error });
}

function attributesOf({ metadata }: SearchHit): FileSearchResult['attributes'] {
  const plain = Object.entries(metadata).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(plain.slice(0, MAX_ATTRIBUTES)) as FileSearchResult['attributes'];
}

const resultOf = (hit: SearchHit): FileSearchResult => ({
  file_id: hit.document_id,
  filename: hit.document_name,
  score: hit.score,
  text: hit.content,
  attributes: attributesOf(hit),
  vector_store_id: hit.collection_id,
});

/** The best passages of several searches, each once. */
function bestOf(found: readonly (readonly SearchHit[])[], max: number): readonly SearchHit[] {
  const best = new Map<string, SearchHit>();
  for (const hit of found.flat()) {
    const known = best.get(hit.chunk_id);
    if (known === undefined || known.score < hit.score) best.set(hit.chunk_id, hit);
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, max);
}

/**
 * A search of collections by retrieval's own verb, for whoever holds the key. Throws StudioError `forbidden` for a key that may not search,
 * `not_found` for a collection that is not the tenant's, `invalid_request` for filters that cannot be.
 */
export async function fileSearch(
  retrieval: RetrievalDeps,
  { ctx, scopes, book }: ToolCaller,
  tool: FileSearchTool,
  path: string,
): Promise<UncheckedTool> {
  if (!scopes.has('retrieval'))
    throw new StudioError('forbidden', `${path}: the API key has no permission for retrieval`, { param: path });
  const settings = settingsOf(tool, path);
  try {
    await checkSearch(retrieval, ctx.actor, { ...settings, query: 'x' });
  } catch (error) {
    throw atTool(error, path);
  }
  return {
    name: 'file_search',
    description: `Finds passages of the documents of this organisation. ${CITING}`,
    parameters: {
      type: 'object',
      properties: {
        queries: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 4_096 },
          minItems: 1,
          maxItems: MAX_QUERIES,
          description: 'What to look for: one question or several, in the words of the user or better ones',
        },
      },
      required: ['queries'],
      additionalProperties: false,
    },
    async run({ queries }, { signal }) {
      const asked = (queries as readonly string[]).slice(0, MAX_QUERIES);
      const found = await Promise.all(
        asked.map((query) => search(retrieval, { ...ctx, signal }, { ...settings, query, highlight: false })),
      );
      const hits = bestOf(
        found.map(({ result }) => result.hits),
        settings.top_k,
      );
      const passages = hits.map((hit) => {
        const { chunk_id: key, document_id: file_id, document_name: filename } = hit;
        return passageText(shortPassageOf(hit), book.number({ type: 'file', key, file_id, filename }));
      });
      const text = passages.length === 0 ? 'No passage was found' : passages.join('\n\n');
      const result: FileSearchData = { queries: asked, results: hits.map(resultOf) };
      return { text: truncateText(text), result, failed: false };
    },
  };
}
