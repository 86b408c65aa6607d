import { z } from 'zod';
import { filledText, listOf, Page, text } from './text.ts';

/** How a search looks for passages. */
export const searchModes = ['vector', 'keyword', 'hybrid'] as const;
export const SearchMode = z.enum(searchModes);
export type SearchMode = z.infer<typeof SearchMode>;

/** `alpha`: 0 is keywords alone, 1 vectors alone. */
export const Alpha = z.number().min(0).max(1);

export const Rerank = z.union([
  z.boolean(),
  z.strictObject({
    model: z.string().min(1).max(200).optional().describe('A model of kind rerank; may be left out where there is one'),
    top_n: z.int().min(1).max(100).optional().describe('How many of the best are kept'),
  }),
]);
export type Rerank = z.infer<typeof Rerank>;

/** How two legs of a hybrid search become one list. */
export const Fusion = z.enum(['weighted', 'rrf']);
export type Fusion = z.infer<typeof Fusion>;

/** What a search of the collection does unless it says otherwise. */
export const SearchConfig = z.object({
  mode: SearchMode,
  alpha: Alpha.nullable().describe('Weight of the vector side; null: what suits the embedding model'),
  fusion: Fusion,
  rerank: Rerank,
});
export type SearchConfig = z.infer<typeof SearchConfig>;

export const FieldName = z
  .string()
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u, 'a name of 1 to 64 letters, digits, _, . and -');

/** Names of metadata fields that filters may use. */
export const IndexedFields = z.array(FieldName).max(10);

/** How documents of the collection are taken in. */
export const IngestConfig = z.object({
  chunking_strategy: z.enum(['by_title', 'by_length']),
  chunk_size: z.int().describe('Tokens that a chunk aims at; 512 to 1,024 are recommended'),
  chunk_overlap: z.int().describe('Tokens that a chunk repeats of the one before'),
  embedding_model: z.string().describe('A model of kind embedding; lexical needs none'),
  embedding_dimension: z.int().nullable().describe('Length of its vectors; null until the first is made'),
  pii_mask: z.boolean(),
  parser_model: z.string(),
  indexed_fields: IndexedFields,
  external_id_field: FieldName.nullable(),
});
export type IngestConfig = z.infer<typeof IngestConfig>;

const SearchConfigFields = z.strictObject({
  mode: SearchMode.optional(),
  alpha: Alpha.nullable().optional(),
  fusion: Fusion.optional(),
  rerank: Rerank.optional(),
});

const IngestConfigFields = z.strictObject({
  chunking_strategy: IngestConfig.shape.chunking_strategy.optional(),
  chunk_size: z.int().min(64).max(4_096).optional(),
  chunk_overlap: z.int().min(0).max(2_048).optional().describe('At most half of chunk_size'),
  embedding_model: z.string().min(1).max(200).optional().describe('Left out: the default embedder of the service'),
  embedding_dimension: z.int().min(1).max(8_192).nullable().optional(),
  pii_mask: z.boolean().optional(),
  parser_model: z.string().min(1).max(200).optional(),
  indexed_fields: IndexedFields.optional(),
  external_id_field: FieldName.nullable().optional(),
});
export type IngestConfigFields = z.infer<typeof IngestConfigFields>;

const Visibility = z.enum(['private', 'tenant']);
const Name = filledText(200);
const Description = text(2_000);

/** Body of POST /rag42/collections. Source: decisions section 5. */
export const NewCollection = z
  .object({
    collection_name: Name.optional(),
    name: Name.optional().describe('The same as collection_name'),
    description: Description.nullable().optional(),
    visibility: Visibility.optional().describe('private: for its owner; tenant: for all of the tenant'),
    search_config: SearchConfigFields.optional(),
    ingest_config: IngestConfigFields.optional(),
  })
  .refine(({ collection_name: long, name }) => long !== undefined || name !== undefined, {
    path: ['collection_name'],
    message: 'is required',
  });
export type NewCollection = z.infer<typeof NewCollection>;

/** Body of PATCH /rag42/collections/{collection_id}: what is left out stays. */
export const CollectionChange = z
  .object({
    collection_name: Name.optional(),
    name: Name.optional(),
    description: Description.nullable().optional(),
    visibility: Visibility.optional(),
    search_config: SearchConfigFields.optional(),
    ingest_config: IngestConfigFields.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, {
    message: 'needs at least one of collection_name, description, visibility, search_config, ingest_config',
  });
export type CollectionChange = z.infer<typeof CollectionChange>;

/** How far a change of the whole collection is. */
const Reindex = z.object({
  state: z.enum(['running', 'failed']),
  progress: z.number().min(0).max(1),
  reason: z.string().nullable().describe('Why it cannot go on'),
  embedding_model: z.string().describe('What it leads to'),
});

export const Collection = z.object({
  collection_id: z.string(),
  collection_name: z.string(),
  description: z.string().nullable(),
  visibility: Visibility,
  is_owner: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  search_config: SearchConfig,
  ingest_config: IngestConfig,
  document_count: z.int(),
  chunk_count: z.int().describe('Of documents that can be found'),
  index_state: z
    .enum(['ready', 'rebuilding'])
    .describe('rebuilding: the search index was lost and is made anew from the database'),
  reindex: Reindex.nullable().describe('null while the collection is as its settings say'),
});
export type Collection = z.infer<typeof Collection>;

export const CollectionQuery = Page;
export const CollectionList = listOf(Collection);

export const CollectionDeleted = z.object({
  collection_id: z.string(),
  deleted_at: z.iso.datetime(),
  operation: z.literal('delete_collection'),
});
