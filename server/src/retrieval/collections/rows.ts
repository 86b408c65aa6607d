import type { Collection, IngestConfig } from '@ai-studio/contract/retrieval/collection.ts';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type Database, PREPARED, type Tables } from '../../ports/database.ts';
import type { CollectionBuild, CollectionsTable, StoredIngestConfig } from '../tables.ts';
import { isId, isOwner, isReadable, isVisible, readsAll } from '../visibility.ts';
import { type EmbeddingChoice, noPrefixes } from '../embedding.ts';
import { LEXICAL_DIMENSION, LEXICAL_MODEL } from '../lexical-embedder/index.ts';

export type CollectionRow = Selectable<CollectionsTable>;
/** A row as a caller meets it. */
export type VisibleCollection = CollectionRow & { readonly is_owner: boolean };

/** The database, or a transaction of it. */
export type Query = Database['query'] | Transaction<Tables>;

export const collectionNotFound = (id: string, param: string | null = null) =>
  new StudioError('not_found', `There is no collection ${JSON.stringify(id.slice(0, 64))}`, { param });

/** Collections that are there for the caller. */
export const visibleCollections = (query: Query, actor: Actor) =>
  query
    .selectFrom('collections')
    .selectAll('collections')
    .select(isOwner(actor).as('is_owner'))
    .where(isVisible(actor));

/** A collection that is there for the caller. Throws StudioError `not_found`. */
export async function findCollection(
  query: Query,
  actor: Actor,
  id: string,
  param: string | null = null,
): Promise<VisibleCollection> {
  const row = isId(id)
    ? await visibleCollections(query, actor).where('collections.id', '=', id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw collectionNotFound(id, param);
  return row;
}

/**
 * A collection of which the caller reads all: what was made of its documents together tells of each. Throws StudioError `not_found`, `forbidden`.
 */
export async function findWholeCollection(query: Query, actor: Actor, id: string): Promise<VisibleCollection> {
  const row = await findCollection(query, actor, id);
  if (row.has_restricted) requireOwner(actor, row);
  return row;
}

/** What a search needs of a collection. */
export type SearchedCollection = Pick<
  CollectionRow,
  | 'id'
  | 'search_config'
  | 'ingest_config'
  | 'fields'
  | 'embedding_dimension'
  | 'index_table'
  | 'index_state'
  | 'index_version'
  | 'has_restricted'
> & {
  /** Whether the caller reads all documents of it, whoever their readers are. */
  readonly reads_all: boolean;
};

/** Collections by id that are there for the caller, for searches; others are left out. */
export async function searchableById(
  query: Query,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SearchedCollection>> {
  const { rows } = await sql<SearchedCollection>`${sql.raw(PREPARED)}
    SELECT id, search_config, ingest_config, fields, embedding_dimension, index_table, index_state, index_version, has_restricted,
      has_restricted AND ${readsAll(actor)} AS reads_all
    FROM collections WHERE id = ANY(${ids.filter(isId)}::text[]) AND ${isVisible(actor)}`.execute(query);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Throws StudioError `forbidden` for a collection of somebody else. */
export function requireOwner(actor: Actor, { is_owner }: Pick<VisibleCollection, 'is_owner'>): void {
  if (is_owner || actor.rights.has('collections.all')) return;
  throw new StudioError(
    'forbidden',
    'The collection belongs to somebody else of your tenant, who shares it for reading',
  );
}

/** A collection that the caller may change. Throws StudioError `not_found`, `forbidden`. */
export async function findOwnCollection(
  query: Query,
  actor: Actor,
  id: string,
  param: string | null = null,
): Promise<VisibleCollection> {
  const row = await findCollection(query, actor, id, param);
  requireOwner(actor, row);
  return row;
}

const dimensionOf = (
  { embedding_model: model, embedding_dimension: requestedDimension }: IngestConfig,
  known: number | null,
) => known ?? (model === LEXICAL_MODEL ? LEXICAL_DIMENSION : requestedDimension);

/** What the collection embeds with now. */
export const embeddingOf = (row: Pick<CollectionRow, 'ingest_config' | 'embedding_dimension'>): EmbeddingChoice => ({
  model: row.ingest_config.embedding_model,
  requestedDimension:
    row.ingest_config.embedding_model === LEXICAL_MODEL ? null : row.ingest_config.embedding_dimension,
  dimension: dimensionOf(row.ingest_config, row.embedding_dimension),
  prefixes: row.ingest_config.embedding_prefixes ?? noPrefixes,
});

/** The settings with those of an embedding that stand in others. */
export function withEmbeddingOf(config: StoredIngestConfig, source: StoredIngestConfig): StoredIngestConfig {
  const { embedding_prefixes: _own, ...rest } = config;
  const { embedding_model, embedding_dimension, embedding_prefixes: prefixes } = source;
  return { ...rest, embedding_model, embedding_dimension, ...(prefixes ? { embedding_prefixes: prefixes } : {}) };
}

/** The settings as people see them, in the order in which they are described. */
export const publicConfig = (config: IngestConfig, dimension: number | null): IngestConfig => ({
  chunking_strategy: config.chunking_strategy,
  chunk_size: config.chunk_size,
  chunk_overlap: config.chunk_overlap,
  embedding_model: config.embedding_model,
  embedding_dimension: dimensionOf(config, dimension),
  pii_mask: config.pii_mask,
  parser_model: config.parser_model,
  indexed_fields: config.indexed_fields,
  external_id_field: config.external_id_field,
  ...(config.duplicates === undefined ? {} : { duplicates: config.duplicates }),
  ...(config.context_model == null ? {} : { context_model: config.context_model }),
});

/** How many documents and chunks each collection has. */
export interface Counts {
  readonly documents: number;
  readonly chunks: number;
  /** Documents that a change of the whole collection has made anew, and those that it will. */
  readonly built: number;
  readonly toBuild: number;
  /** What such a change waits for; null where it does not. */
  readonly waitsFor: string | null;
}

/** What the changes of collections wait for, by their id: the latest reason of a document that is tried again by itself. */
async function waitReasonsOf(query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly id: string; readonly code: string; readonly message: string }>`
    SELECT DISTINCT ON (ingest_jobs.collection_id) ingest_jobs.collection_id AS id, failures->-1->>'code' AS code,
      failures->-1->>'message' AS message
    FROM ingest_jobs JOIN documents ON documents.id = ingest_jobs.document_id
    WHERE ingest_jobs.collection_id = ANY(${ids}::text[]) AND ingest_jobs.kind = 'build'
      AND ingest_jobs.waiting_since IS NOT NULL AND jsonb_array_length(failures) > 0
    ORDER BY ingest_jobs.collection_id, ingest_jobs.waiting_since DESC`.execute(query);
  return new Map(rows.map(({ id, code, message }) => [id, `${code}: ${message}`]));
}

/** Counts of collections by id, of what the caller may read. */
export async function countsOf(
  query: Query,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Counts>> {
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom('documents')
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .select(({ fn }) => [
      'collection_id',
      fn.countAll<number>().as('documents'),
      sql<number>`coalesce(sum(chunk_count) FILTER (WHERE revision IS NOT NULL), 0)::bigint`.as('chunks'),
      sql<number>`count(*) FILTER (WHERE built IS NOT NULL AND revision IS NOT NULL)`.as('built'),
      sql<number>`count(*) FILTER (WHERE revision IS NOT NULL)`.as('toBuild'),
    ])
    .where('collection_id', 'in', [...ids])
    .where('state', '<>', 'arriving')
    .where(isReadable(actor))
    .groupBy('collection_id')
    .execute();
  const waits = await waitReasonsOf(query, ids);
  return new Map(
    rows.map(({ collection_id: id, documents, chunks, built, toBuild }) => [
      id,
      {
        documents: Number(documents),
        chunks: Number(chunks),
        built: Number(built),
        toBuild: Number(toBuild),
        waitsFor: waits.get(id) ?? null,
      },
    ]),
  );
}

function reindexOf(build: CollectionBuild | null, { built, toBuild, waitsFor }: Counts): Collection['reindex'] {
  if (build === null) return null;
  return {
    state: build.failed === null ? 'running' : 'failed',
    progress: toBuild === 0 ? 1 : Math.min(1, built / toBuild),
    reason: build.failed ?? waitsFor,
    embedding_model: build.config.embedding_model,
  };
}

const none: Counts = { documents: 0, chunks: 0, built: 0, toBuild: 0, waitsFor: null };

/** The record of a collection. */
export const collectionRecord = (row: VisibleCollection, counts: Counts = none): Collection => ({
  collection_id: row.id,
  collection_name: row.name,
  description: row.description,
  visibility: row.visibility,
  is_owner: row.is_owner,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  search_config: row.search_config,
  ingest_config: publicConfig(row.ingest_config, row.embedding_dimension),
  embedding_prefixes: {
    query: row.ingest_config.embedding_prefixes?.query ?? '',
    passage: row.ingest_config.embedding_prefixes?.passage ?? '',
  },
  document_count: counts.documents,
  chunk_count: counts.chunks,
  index_state: row.index_state === 'rebuilding' ? 'rebuilding' : 'ready',
  reindex: reindexOf(row.build, counts),
});
