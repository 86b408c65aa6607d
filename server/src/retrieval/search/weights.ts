import type { Boost, Decay } from '@ai-studio/contract/retrieval/collection.ts';
import type { Selectable } from 'kysely';
import type { FieldValue, IndexFilter } from '../../ports/search-index.ts';
import { filterFields } from '../documents/metadata.ts';
import type { DocumentsTable } from '../tables.ts';
import { type FilterFields, parseFilters } from './filters.ts';
import { matchesFilter } from './matches-filter.ts';
import { invalidRequest } from '../../kernel/errors.ts';

// Passages count more or less by what is known of their documents: how old they are, and what their metadata says.

/** By what scores are multiplied. */
export interface Weights {
  readonly decay: Decay | null;
  readonly boosts: readonly { readonly filter: IndexFilter | null; readonly factor: number }[];
}

/** Least that remains of a score: nothing is lost for being old. */
const MIN_FACTOR = 1e-6;
const DAY_MS = 86_400_000;
const TIME_FIELD = 'created_at';

/** Of chunks, not of documents. */
const isOfChunks = (field: string) => field === 'page';

/**
 * What requests and collections ask for; null where nothing is weighed. Throws StudioError `invalid_request` for fields that are neither indexed nor
 * built in.
 */
export function weightsOf(
  {
    decay = null,
    boosts = [],
  }: { readonly decay?: Decay | null | undefined; readonly boosts?: readonly Boost[] | undefined },
  fields: FilterFields,
  path = '',
): Weights | null {
  if (decay === null && boosts.length === 0) return null;
  if (decay !== null && decay.field !== TIME_FIELD && (!fields.has(decay.field) || isOfChunks(decay.field)))
    throw invalidRequest(
      `${JSON.stringify(decay.field)} is no field that can be weighed by: it is not indexed`,
      `${path}decay.field`,
    );
  const ofDocuments: FilterFields = { ...fields, has: (field) => !isOfChunks(field) && fields.has(field) };
  return {
    decay,
    boosts: boosts.map(({ filters, factor }, at) => ({
      filter: parseFilters(filters, ofDocuments, `${path}boosts[${at}].filters`),
      factor,
    })),
  };
}

/** What is known of a document. */
export type WeighedDocument = Pick<Selectable<DocumentsTable>, 'id' | 'name' | 'metadata' | 'created_at'>;

/** The time of a document in milliseconds since 1970; null where it has none. A list counts by its latest. */
function timeOf({ created_at: createdAt, metadata }: WeighedDocument, field: string): number | null {
  if (field === TIME_FIELD) return createdAt.getTime();
  const times = [filterFields(metadata, [field])[field] ?? []]
    .flat()
    .map((value) => (typeof value === 'string' ? Date.parse(value) : NaN))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? null : Math.max(...times);
}

/** What the scores of a document are multiplied by. */
export function weightOf({ decay, boosts }: Weights, document: WeighedDocument, now: number): number {
  let weight = 1;
  if (decay !== null) {
    const time = timeOf(document, decay.field);
    const days = time === null ? 0 : Math.max(0, now - time) / DAY_MS;
    weight *= decay.floor + (1 - decay.floor) * 0.5 ** (days / decay.half_life_days);
  }
  const valuesOf = (field: string): readonly FieldValue[] => {
    if (field === 'document_id') return [document.id];
    if (field === 'document_name') return [document.name.normalize('NFC')];
    if (field === TIME_FIELD) return [document.created_at.getTime()];
    return [filterFields(document.metadata, [field])[field] ?? []].flat();
  };
  for (const { filter, factor } of boosts) if (filter === null || matchesFilter(filter, valuesOf)) weight *= factor;
  return Math.max(MIN_FACTOR, weight);
}

/** A score with its weight; one below 0, as some models give, goes down where it counts less. */
export const weighed = (score: number, weight: number): number => (score < 0 ? score / weight : score * weight);
