import type { QueryExpansion, SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import type { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';

/** How a search of the test is done; what is null is as the collection says. */
export interface TestSettings {
  readonly config: SearchConfig;
  readonly topK: number;
  readonly threshold: number | null;
  /** What the tenant's chat model says beside the query; null for nothing. */
  readonly expansion: QueryExpansion['kind'] | null;
}

/** Passages that a test shows where nothing is chosen. */
const TOP_K = 10;

export const settingsOf = (config: SearchConfig): TestSettings => ({
  config,
  topK: TOP_K,
  threshold: null,
  expansion: null,
});

/** Operators that the form of filters offers. */
export const operators = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$contains', '$exists'] as const;
export type Operator = (typeof operators)[number];

/** A condition of the form. */
export interface Condition {
  readonly id: number;
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** A text as what it most likely is: filters tell 2024 from "2024". Within quotes it stays a text. */
function valueOf(text: string): unknown {
  const trimmed = text.trim();
  if (/^".*"$/s.test(trimmed)) return trimmed.slice(1, -1);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/** Texts whose values are never numbers. */
const isText = (field: string) => field === 'document_name' || field === 'document_id' || field === 'created_at';

/** The filter that conditions make together; undefined where there are none that say something. */
export function filterOf(conditions: readonly Condition[]): Readonly<Record<string, unknown>> | undefined {
  const parts = conditions
    .filter(({ field, operator, value }) => field !== '' && (operator === '$exists' || value.trim() !== ''))
    .map(({ field, operator, value }) => ({
      [field]: {
        [operator]: operator === '$exists' ? valueOf(value) !== false : isText(field) ? value.trim() : valueOf(value),
      },
    }));
  const [first, ...more] = parts;
  if (first === undefined) return undefined;
  return more.length === 0 ? first : { $and: parts };
}

/** A filter as it was written; null for what is no JSON object. */
export function parseFilter(text: string): Readonly<Record<string, unknown>> | undefined | null {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

/** The body of the search, as the public interface takes it. */
export function requestOf(
  collectionId: string,
  query: string,
  { config, topK, threshold, expansion }: TestSettings,
  filters: Readonly<Record<string, unknown>> | undefined,
): SearchRequest {
  const { mode, alpha, fusion, rerank, parent_size: parent, decay, boosts, collapse_duplicates: collapse } = config;
  return {
    query,
    collection_id: collectionId,
    search_type: mode,
    top_k: topK,
    ...(mode === 'hybrid' ? { fusion } : {}),
    ...(mode === 'hybrid' && fusion === 'weighted' && alpha !== null ? { alpha } : {}),
    rerank,
    ...(threshold === null ? {} : { score_threshold: threshold }),
    ...(filters === undefined ? {} : { filters: { ...filters } }),
    // What the collection says nothing of is not said here either.
    ...(parent === undefined ? {} : { parent_size: parent }),
    ...(decay === undefined ? {} : { decay }),
    ...(boosts === undefined ? {} : { boosts }),
    ...(collapse === undefined ? {} : { collapse_duplicates: collapse }),
    ...(expansion === null ? {} : { query_expansion: { kind: expansion } }),
    highlight: true,
  };
}
